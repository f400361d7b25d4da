import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { chunksByPage } from './scripts/chunks/plugin.ts'
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

/** The service worker: `sw.ts` with the lists of the shell's files, and of all others as coming later. */
const worker = VitePWA({
  strategies: 'injectManifest',
  srcDir: '.',
  filename: 'sw.ts',
  injectRegister: false,
  manifest: false,
  injectManifest: {
    globPatterns: ['assets/*.{js,css,woff2}', 'color-scheme.js', 'manifest.webmanifest', 'icons/icon-192.png'],
    manifestTransforms: [
      async (entries) => {
        // After a build that failed there is none, and its own message matters.
        const page = await readFile(join(import.meta.dirname, 'dist/web/index.html'), 'utf8').catch(() => '')
        const isShell = (url: string) => !url.startsWith('assets/') || page.includes(url)
        return { manifest: entries.map((entry) => (isShell(entry.url) ? entry : { ...entry, revision: 'later' })) }
      },
    ],
    rollupFormat: 'iife',
  },
})

/** With its own host: the server compares it with the page's when a session is renewed. */
const server = { target: `http://127.0.0.1:${process.env.PORT ?? 3000}`, changeOrigin: false }

const root = join(import.meta.dirname, 'src/app')

/** What the rehearsals of the build are built with too. */
const shared: UserConfig = {
  define: { __GALLERY__: gallery() === 'on' },
  root,
  plugins: [serverStaysOut, react()],
  css: { postcss: { plugins: [mantine()] } },
  build: { target: 'es2023' },
}

const input = { page: join(root, 'index.html'), early: join(root, 'early.ts') }

const chunks = chunksByPage({
  shared,
  input,
  modules: join(root, 'modules.web.ts'),
  first: ['/', '/dashboard', '/crm/contact/list', '/crm/contact/view/:id?'],
  often: ['/safety/risk-assessment', '/safety/risk-assessment/view/:slug', '/sfp/risk-assessment/update/:slug'],
})

export default defineConfig({
  ...shared,
  plugins: [...(shared.plugins ?? []), chunks, worker],
  build: {
    ...shared.build,
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    rolldownOptions: { input },
  },
  server: { proxy: { '/api': server, '/healthz': server, '/readyz': server } },
})
