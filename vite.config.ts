import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { gallery } from './scripts/shared.mjs'

/** The browser must never be sent the server's code. */
const serverStaysOut: Plugin = {
  name: 'server-stays-out',
  enforce: 'pre',
  resolveId: {
    filter: { id: /[.]server[.]tsx?$|^#server[/]|^[.].*[/]server[/]/ },
    handler(source, importer) {
      if (!importer?.includes('node_modules'))
        throw new Error(`${importer} may not import ${source}: it is the server's.`)
      return null
    },
  },
}

/** The service worker: `sw.ts` with the list of the shell's files in it. Screens are kept as they are opened. */
const worker = VitePWA({
  strategies: 'injectManifest',
  srcDir: '.',
  filename: 'sw.ts',
  injectRegister: false,
  manifest: false,
  injectManifest: {
    globPatterns: ['assets/*.{js,css}', 'color-scheme.js', 'manifest.webmanifest', 'icons/icon-192.png'],
    manifestTransforms: [
      async (entries) => {
        // After a build that failed there is none, and its own message matters.
        const page = await readFile(join(import.meta.dirname, 'dist/web/index.html'), 'utf8').catch(() => '')
        return { manifest: entries.filter(({ url }) => !url.startsWith('assets/') || page.includes(url)) }
      },
    ],
    rollupFormat: 'iife',
  },
})

/**
 * What the first page needs comes in two files. The rest is split where the bundler finds it: put together by size, files came
 * to need one another in circles, and a value read while one loads could be missing.
 */
const chunks = [
  { name: 'libraries', test: /node_modules/, tags: ['$initial' as const], priority: 3 },
  { name: 'shell', tags: ['$initial' as const], priority: 2 },
]

/** With its own host: the server compares it with the page's when a session is renewed. */
const server = { target: `http://127.0.0.1:${process.env.PORT ?? 3000}`, changeOrigin: false }

export default defineConfig({
  define: { __GALLERY__: gallery() === 'on' },
  root: join(import.meta.dirname, 'src/app'),
  plugins: [serverStaysOut, react(), worker],
  css: { postcss: { plugins: [mantine()] } },
  build: {
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
  server: { proxy: { '/api': server, '/healthz': server, '/readyz': server } },
})
