import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin } from 'vite'

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

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`

export default defineConfig({
  root: join(import.meta.dirname, 'src/app'),
  plugins: [serverStaysOut, react()],
  css: { postcss: { plugins: [mantine()] } },
  build: { outDir: join(import.meta.dirname, 'dist/web'), emptyOutDir: true, target: 'es2023' },
  server: { proxy: { '/api': server, '/healthz': server, '/readyz': server } },
})
