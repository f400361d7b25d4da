import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { pageFilesPlugin } from './scripts/pages/plugin.ts'
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
  integration: {
    configureCustomSWViteBuild: (config) => {
      config.logLevel = 'warn'
    },
  },
})

/** With its own host: the server compares it with the page's when a session is renewed. */
const server = { target: `http://127.0.0.1:${process.env.PORT ?? 3000}`, changeOrigin: false }

const root = join(import.meta.dirname, 'src/app')

const early = join(root, 'early.ts')

/** What the pages are read with too. */
const shared: UserConfig = {
  define: { __GALLERY__: gallery() === 'on' },
  root,
  plugins: [serverStaysOut, react()],
  css: { postcss: { plugins: [mantine()] } },
}

type Group = Rolldown.CodeSplittingGroup
type Context = Parameters<Extract<Group['name'], (...args: never[]) => unknown>>[1]

/** Files of `src` that these import, and what those import in turn; what they load later is not among them. */
function importsOf(paths: readonly string[]): (id: string, context: Context) => boolean {
  let found: Set<string> | undefined
  return (id, context) => {
    if (found) return found.has(id)
    found = new Set()
    const visit = (from: string) => {
      const info = context.getModuleInfo(from)
      if (!info) throw new Error(`A group of chunks is named by ${from}, which is no file of the web.`)
      for (const to of info.importedIds.filter((one) => one.includes('/src/') && !found?.has(one))) {
        found?.add(to)
        visit(to)
      }
    }
    for (const path of paths) visit(join(import.meta.dirname, 'src', path))
    return found.has(id)
  }
}

const isCommon = (id: string) => /[/]src[/](?:web|kernel)[/]/.test(id)
/** Declarations of the modules: a lead is on the pages of invoices too. */
const isRecord = (id: string) => /[/]src[/]modules[/].*(?<![.]web)[.]ts$/.test(id)
/** Icons, and controls that open nothing over the page: all others bring a positioning library and a focus trap. */
const PLAIN_CONTROLS =
  /@tabler|@mantine[/]core[/].*components[/](?:Accordion|Card|Checkbox|Fieldset|NativeSelect|SegmentedControl|SimpleGrid|Tabs|Textarea)[/]/

/** What some screens import. The screens themselves are files of their own. */
function chunkOf(name: string, screens: readonly string[]): Group {
  const isImported = importsOf(screens)
  return { name: (id, context) => (isImported(id, context) ? name : null), debugName: name }
}

/** What some screens import and others do too. */
function sharedChunkOf(name: string, screens: readonly string[], also = (_id: string) => false): Group {
  const isImported = importsOf(screens)
  return {
    name: (id, context) => (((isCommon(id) || isRecord(id)) && isImported(id, context)) || also(id) ? name : null),
    debugName: name,
    minShareCount: 2,
  }
}

const DASHBOARD = [
  'modules/portal/home/dashboard.web.tsx',
  ...['identity', 'portal', 'crm', 'billing', 'documents', 'safety', 'actions'].map(
    (module) => `modules/${module}/dashboard.web.tsx`,
  ),
]
const LEADS = ['modules/crm/leads/list.web.tsx', 'modules/crm/calling/view.web.tsx']
const INVOICES = ['modules/billing/invoices/list.web.tsx']
const DOCUMENTS = ['modules/documents/screens/list.web.tsx', 'modules/safety/risk/risk-assessment.web.tsx']

/**
 * The files that the web is sent in. Each group takes what it names and all that this imports, as far as no group before it has:
 * so no two files need one another, and what people begin with comes before what is heavy. Dialogs are imported when they are opened,
 * and what few screens share is left to the bundler. `scripts/tests/sent.mjs` holds the limits.
 */
const groups: Group[] = [
  // Asks who is signed in, before libraries have come.
  { name: 'early', test: early },
  { name: 'libraries', test: /node_modules.*(?<![.]css)$/, tags: ['$initial'] },
  {
    // Without the tables of pages, which change with every page.
    name: (id, context) =>
      id.startsWith(root) || (id.includes('/src/modules/') && context.getModuleInfo(id)?.dynamicallyImportedIds.length)
        ? null
        : 'shell',
    debugName: 'shell',
    tags: ['$initial'],
  },
  // All that the sign-in needs of what others share.
  { name: 'fields', test: /@mantine[/]core[/].*components[/](?:InputBase|PasswordInput|TextInput)[/]/ },
  sharedChunkOf('common', [...LEADS, ...DASHBOARD], (id) => PLAIN_CONTROLS.test(id)),
  sharedChunkOf('lists', [...INVOICES, ...DOCUMENTS]),
  chunkOf('leads', [...LEADS, 'modules/crm/dashboard.web.tsx']),
  chunkOf('invoices', INVOICES),
  chunkOf('safety', ['modules/safety/dashboard.web.tsx']),
  chunkOf('documents', DOCUMENTS),
  chunkOf('dashboard', DASHBOARD),
  { name: 'records', test: isRecord, minShareCount: 10 },
  { name: 'forms', test: (id) => isCommon(id) && !id.includes('/forms/schema/'), minShareCount: 10 },
  chunkOf('document', ['modules/documents/screens/view.web.tsx']),
  { name: 'schema-forms', test: (id) => id.includes('/src/web/forms/schema/'), minShareCount: 2 },
  chunkOf('editor', ['modules/documents/editing/editor.web.tsx']),
]

export default defineConfig({
  ...shared,
  plugins: [
    ...(shared.plugins ?? []),
    pageFilesPlugin({ config: shared, modules: join(root, 'modules.web.ts'), early }),
    worker,
  ],
  build: {
    target: 'es2023',
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { portal: join(root, 'index.html'), early },
      output: { codeSplitting: { groups } },
    },
  },
  server: { proxy: { '/api': server, '/healthz': server, '/readyz': server } },
})
