import { build, type Plugin, type Rolldown, type UserConfig } from 'vite'

/** A file as the bundler would split the web by itself: the smallest part that is always sent whole. */
export interface Part {
  readonly modules: readonly string[]
  /** Bytes, before they are made small and packed. */
  readonly size: number
  /** Numbers of the parts that must have been sent with it. */
  readonly needs: readonly number[]
  /** The module that an `import()` names. */
  readonly begins: string | undefined
  /** Sent with every page. */
  readonly isFirst: boolean
  /** Of the script that is run before the portal's own. */
  readonly isEarly: boolean
}

/**
 * Builds the web once as the bundler would split it by itself, to learn what needs what. It can't be read from the modules: a
 * library's index imports everything, and only what is used stays.
 */
export async function readParts(
  shared: UserConfig,
  input: { readonly page: string; readonly early: string },
): Promise<readonly Part[]> {
  let chunks: Rolldown.OutputChunk[] = []
  // Before files that hold nothing but styles are taken away.
  const reads: Plugin = {
    name: 'reads-parts',
    enforce: 'pre',
    generateBundle: {
      order: 'pre',
      handler: (_options, bundle) => {
        chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      },
    },
  }
  await build({
    ...shared,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [...(shared.plugins ?? []), reads],
    build: {
      ...shared.build,
      write: false,
      minify: false,
      reportCompressedSize: false,
      // What a page's script has is not to be found in it by others: each part by itself.
      rolldownOptions: { ...shared.build?.rolldownOptions, input, experimental: { chunkOptimization: false } },
    },
  })
  const numbers = new Map(chunks.map((chunk, n) => [chunk.fileName, n]))
  const numbersOf = (files: readonly string[]) => files.flatMap((file) => numbers.get(file) ?? [])
  const reachedFrom = (n: number, seen = new Set<number>()): Set<number> => {
    if (!seen.has(n)) {
      seen.add(n)
      for (const next of numbersOf(chunks[n]?.imports ?? [])) reachedFrom(next, seen)
    }
    return seen
  }
  const first = new Set(chunks.flatMap((chunk, n) => (chunk.isEntry ? [...reachedFrom(n)] : [])))
  const early = new Set(
    chunks.flatMap((chunk, n) => (chunk.isEntry && chunk.name === 'early' ? [...reachedFrom(n)] : [])),
  )
  return chunks.map((chunk, n) => ({
    modules: chunk.moduleIds,
    size: Buffer.byteLength(chunk.code),
    needs: numbersOf(chunk.imports),
    begins: chunk.isDynamicEntry ? (chunk.facadeModuleId ?? undefined) : undefined,
    isFirst: first.has(n),
    isEarly: early.has(n),
  }))
}
