import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { pageFilesPlugin } from './scripts/pages/plugin.ts'
import { readGallerySetting } from './scripts/shared.mjs'
import { isIcon, makeImportTest } from './scripts/static-imports.ts'

/** Plugin that keeps the server's code out of the web app. */
const serverStaysOut: Plugin = {
  name: 'server-stays-out',
  enforce: 'pre',
  resolveId: {
    filter: { id: /[.]server[.]tsx?$|^#server[/]|^[.].*[/]server[/]/ },
    handler(source, importer) {
      if (!importer?.includes('node_modules'))
        throw new Error(`${importer} may not import ${source}, because it is server code.`)
      return null
    },
  },
}

/** Service worker: `sw.ts` with a list of the app shell's files, and of all other files, which are marked for later. */
const worker = VitePWA({
  strategies: 'injectManifest',
  srcDir: '.',
  filename: 'sw.ts',
  injectRegister: false,
  manifest: false,
  injectManifest: {
    globPatterns: ['assets/*.{js,css,woff2}', 'before-paint.js', '*.webmanifest', 'icons/icon-192.png'],
    manifestTransforms: [
      async (entries) => {
        // A failed build leaves no page. The build's own error message is more useful than one about the missing page.
        const read = (name: string) => readFile(join(import.meta.dirname, 'dist/web', name), 'utf8').catch(() => '')
        const page = (await Promise.all(['index.html', 'my-task.html'].map(read))).join('')
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

/**
 * Proxy that keeps the browser's Host header. The server compares it with the page's host when a session is renewed.
 */
const server = { target: `http://127.0.0.1:${process.env.PORT ?? 3000}`, changeOrigin: false }

const root = join(import.meta.dirname, 'src/app')

const early = join(root, 'early.ts')

/** Configuration shared by the build and the reading of pages. */
const shared: UserConfig = {
  define: { __GALLERY__: readGallerySetting() === 'on' },
  root,
  plugins: [serverStaysOut, react()],
  css: { postcss: { plugins: [mantine()] } },
}

type Group = Rolldown.CodeSplittingGroup
const isSource = (id: string) => id.includes('/src/')
const isCommon = (id: string) => /[/]src[/](?:web|kernel)[/]/.test(id)
/**
 * Returns true if a file contains declarations of a module. Several groups share such files; for example, invoice pages
 * also use leads.
 */
const isRecord = (id: string) => /[/]src[/]modules[/].*(?<![.]web)[.]ts$/.test(id)
/** Panels of customers and invoices with payments, and with what awaits approval. */
const PAYMENTS = ['modules/billing/payments/payments-card.web.tsx', 'modules/billing/approvals/finance-request.web.tsx']
/** Controls that open nothing over the page. All other controls need a positioning library and a focus trap. */
const PLAIN_CONTROLS =
  /@mantine[/]core[/].*components[/](?:Accordion|Card|Checkbox|Fieldset|List|NativeSelect|SegmentedControl|SimpleGrid|Tabs|Textarea)[/]/
/** Style sheets of parts of leads that the dashboard shows. Each is too small for a file of its own. */
const LEAD_STYLES = /[/]modules[/]crm[/](?:contacts[/]parts|leads[/]leads)[.]module[.]css$/

/** Groups the files that some screens import. The screens themselves are separate files. */
function chunkOf(name: string, screens: readonly string[]): Group {
  const isImported = makeImportTest(screens, isSource)
  return { name: (id, context) => (!isIcon(id) && isImported(id, context) ? name : null), debugName: name }
}

/**
 * Groups the files of one kind, and icons, that some screens import and other code also uses. With `others`, these
 * screens must import them too. Also includes the files that `also` selects.
 */
function sharedChunkOf(
  name: string,
  isKind: (id: string) => boolean,
  screens: readonly string[],
  { others = screens, also }: { readonly others?: readonly string[]; readonly also?: RegExp } = {},
): Group {
  const isImported = makeImportTest(screens, isSource)
  const isImportedByOthers = makeImportTest(others, isSource)
  return {
    name: (id, context) =>
      also?.test(id) || ((isKind(id) || isIcon(id)) && isImported(id, context) && isImportedByOthers(id, context))
        ? name
        : null,
    debugName: name,
    minShareCount: 2,
  }
}

const DASHBOARD = [
  'modules/portal/home/dashboard.web.tsx',
  ...['identity', 'portal', 'crm', 'billing', 'documents', 'safety', 'incidents'].map(
    (module) => `modules/${module}/dashboard.web.tsx`,
  ),
]
const SALES_DASHBOARD = ['modules/crm/dashboard.web.tsx', 'modules/billing/dashboard.web.tsx']
const LEADS = ['modules/crm/leads/list.web.tsx', 'modules/crm/calling/view.web.tsx']
const INVOICES = ['modules/billing/invoices/list.web.tsx']
const DOCUMENTS = ['modules/documents/screens/list.web.tsx', 'modules/safety/risk/risk-assessment.web.tsx']

/**
 * Groups of files that are sent to the browser. Each group takes the files that it names and all that these import,
 * except files of an earlier group. Therefore no two groups import each other, and what users need first comes before
 * large parts. Dialogs are imported when they are opened, and the bundler groups what few screens share.
 * `scripts/tests/sent.mjs` contains the limits.
 */
const groups: Group[] = [
  // The script `early.ts` requests the signed-in user before the libraries have loaded.
  { name: 'early', test: early },
  { name: 'libraries', test: /node_modules.*(?<![.]css)$/, tags: ['$initial'] },
  {
    // Excludes the lists of pages, which change with every page.
    name: (id, context) =>
      id.startsWith(root) || (id.includes('/src/modules/') && context.getModuleInfo(id)?.dynamicallyImportedIds.length)
        ? null
        : 'shell',
    debugName: 'shell',
    tags: ['$initial'],
  },
  // Shared controls that the sign-in page needs.
  { name: 'fields', test: /@mantine[/]core[/].*components[/](?:InputBase|PasswordInput|TextInput)[/]/ },
  sharedChunkOf('common', (id) => isCommon(id) || LEAD_STYLES.test(id), [...LEADS, ...DASHBOARD], {
    also: PLAIN_CONTROLS,
  }),
  sharedChunkOf('document-records', isRecord, DOCUMENTS, { others: DASHBOARD }),
  sharedChunkOf('sales-records', isRecord, [...LEADS, ...INVOICES, ...SALES_DASHBOARD]),
  sharedChunkOf('safety-records', isRecord, ['modules/safety/dashboard.web.tsx']),
  sharedChunkOf('lead-parts', isSource, LEADS, { others: SALES_DASHBOARD }),
  sharedChunkOf('lists', (id) => isCommon(id) || isRecord(id), [...INVOICES, ...DOCUMENTS]),
  chunkOf('leads', LEADS),
  chunkOf('invoices', INVOICES),
  chunkOf('documents', DOCUMENTS),
  chunkOf('dashboard', DASHBOARD),
  { name: 'icons', test: isIcon, minShareCount: 2 },
  { name: 'records', test: isRecord, minShareCount: 10 },
  { name: 'forms', test: (id) => isCommon(id) && !id.includes('/forms/schema/'), minShareCount: 10 },
  chunkOf('document', ['modules/documents/screens/view.web.tsx']),
  chunkOf('payments', PAYMENTS),
  { name: 'schema-forms', test: (id) => id.includes('/src/web/forms/schema/'), minShareCount: 2 },
  chunkOf('editor', ['modules/documents/editing/editor.web.tsx']),
]

/** Files that every page has loaded before it imports another page. */
const LOADED = /^assets[/](?:early|libraries|portal|rolldown-runtime|shell)-/

const build = {
  target: 'es2023',
  outDir: join(import.meta.dirname, 'dist/web'),
  reportCompressedSize: false,
} as const

/** Build of the portal. It follows that of My-Task, whose files the service worker lists as well. */
const portal: UserConfig = {
  ...shared,
  plugins: [
    ...(shared.plugins ?? []),
    pageFilesPlugin({
      config: shared,
      modules: join(root, 'modules.web.ts'),
      early,
      documents: { '/my-task': 'my-task.html' },
    }),
    worker,
  ],
  build: {
    ...build,
    emptyOutDir: false,
    modulePreload: {
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html'
          ? needed
          : // Lists in one order compress better.
            needed.filter((one) => one !== file && !LOADED.test(one)).toSorted(),
    },
    rolldownOptions: {
      input: { portal: join(root, 'index.html'), early },
      output: { codeSplitting: { groups } },
    },
  },
  server: { proxy: { '/api': server, '/healthz': server, '/readyz': server } },
}

/**
 * Build of My-Task, with its own copy of what it shares with the portal. Chunks of both would make the first pages of the
 * portal larger.
 */
const taskSite: UserConfig = {
  ...shared,
  build: { ...build, emptyOutDir: true, rolldownOptions: { input: { 'my-task': join(root, 'my-task.html') } } },
}

export default defineConfig(({ mode }) => (mode === 'my-task' ? taskSite : portal))
