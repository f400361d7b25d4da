import type { Rolldown } from 'vite'

/** `export{t as default,n as Form}from"./form.js";`, after what it imports for nothing but its effects. */
const FACADE =
  /^(?:import["'`][^"'`]+["'`];\s*)*(?:import\{[^}]*\}from["'`]([^"'`]+)["'`];\s*)?export\{([^}]*)\}(?:from["'`]([^"'`]+)["'`])?;?\s*$/

interface Facade {
  /** The file that holds what it gives. */
  readonly behind: string
  /** What it is called outside, and in that file. */
  readonly names: readonly (readonly [string, string])[]
}

function readFacade(code: string): Facade | undefined {
  const found = FACADE.exec(code)
  const behind = found?.[3]
  if (!found || !behind || found[1]) return undefined
  const names = (found[2] ?? '').split(',').map((one) => {
    const [inside = '', outside = inside] = one.trim().split(' as ')
    return [outside, inside] as const
  })
  return { behind, names }
}

/**
 * Leads each `import()` of a file that only passes on what another one holds to that other file: the bundler makes such a file for
 * every beginning that stands in one with others, and each would be a request of its own.
 */
export function seeThroughFacades(bundle: Rolldown.OutputBundle): void {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const facades = new Map<string, Facade>()
  for (const chunk of chunks) {
    const facade = chunk.isDynamicEntry && chunk.moduleIds.length === 0 ? readFacade(chunk.code) : undefined
    if (facade) facades.set(chunk.fileName.replace(/^.*[/]/, './'), facade)
  }
  for (const chunk of chunks)
    chunk.code = chunk.code.replaceAll(/\bimport\(\s*([`'"])([^`'"]+)\1\s*\)/g, (whole, _quote, named: string) => {
      const facade = facades.get(named)
      if (!facade) return whole
      const given = facade.names.map(([outside, inside]) => `${JSON.stringify(outside)}:e.${inside}`)
      return `import(\`${facade.behind}\`).then(e=>({${given.join()}}))`
    })
  for (const chunk of chunks) if (facades.has(chunk.fileName.replace(/^.*[/]/, './'))) delete bundle[chunk.fileName]
}
