import { dirname, join, relative } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { makeImportTest } from './scripts/static-imports.ts'

const root = import.meta.dirname
const outDir = join(root, 'dist/server')

/**
 * Lets built code read the files next to its sources, such as templates and reference data. The built server is
 * delivered together with the sources.
 */
const inPlace: Plugin = {
  name: 'in-place',
  enforce: 'pre',
  transform: {
    filter: { id: /[/]src[/].+[.]ts$/, code: /import[.]meta[.](?:dirname|url)/ },
    handler: (code, file) =>
      code
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(outDir, file))}, import.meta.url).href`)
        .replaceAll(
          'import.meta.dirname',
          `(import.meta.dirname + ${JSON.stringify(`/${relative(outDir, dirname(file))}`)})`,
        ),
  },
}

/** Large packages that the server imports when they are first needed, so that a start does not read them. */
const LOADED_LATER = /[/]node_modules[/](?:file-type|hucre|nodemailer|pg-boss|postal-mime|@simplewebauthn|stripe)[/]/

/** Fails the build if a start would read a package that is to be loaded later. */
const quickStart: Plugin = {
  name: 'quick-start',
  generateBundle(_options, bundle) {
    const early = Object.values(bundle).flatMap((file) =>
      file.type === 'chunk' && file.name === 'start' ? file.moduleIds : [],
    )
    if (!early.length) this.error('The chunk “start” is missing.')
    const found = early.find((id) => LOADED_LATER.test(id))
    if (found) this.error(`${found} would be read at every start. Load it with import() where it is needed.`)
  },
}

/**
 * Returns true if the commands import a file or a package statically. These files form one chunk. Otherwise each file
 * that a start shares with code loaded later, such as demo data, would become a chunk of its own.
 */
const isLoadedAtStart = makeImportTest(['app/commands.ts'], () => true)

/** Bundles the server into a few files. Reading its sources and packages takes most of the time of a start. */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [inPlace, quickStart],
  ssr: {
    noExternal: true,
    // Packages with native code, packages that look for their own files, and large packages that are rarely used. The
    // package file-type imports another one at run time, and would not recognise the errors of a bundled copy.
    external: [
      '@aws-sdk/client-s3',
      '@myriaddreamin/typst-ts-node-compiler',
      '@node-rs/argon2',
      'file-type',
      'heic-decode',
      'pg-native',
      'sharp',
    ],
  },
  build: {
    ssr: 'src/app/cli.ts',
    outDir,
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: {
          groups: [{ name: (id, context) => (isLoadedAtStart(id, context) ? 'start' : null), debugName: 'start' }],
        },
      },
    },
  },
})
