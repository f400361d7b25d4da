import { dirname, join, relative } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const root = import.meta.dirname
const outDir = join(root, 'dist/server')

/** What a file reads beside itself, templates, lists, programs of its own, stays where it is: the built server is brought along with the sources. */
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

/** The server as a few files: reading eight hundred of TypeScript, and all that packages are made of, is most of what a start costs. */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [inPlace],
  ssr: {
    noExternal: true,
    // What brings native code, or looks for its own files; and what is large and rarely used.
    external: [
      '@aws-sdk/client-s3',
      '@myriaddreamin/typst-ts-node-compiler',
      '@node-rs/argon2',
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
    rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
  },
})
