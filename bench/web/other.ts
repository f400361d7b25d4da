import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { medianTime } from '../times.ts'
import { measureTimeToRender } from './drawn.ts'
import type { BenchProduct } from './product.ts'

/*
 * Another product, measured in the same run: atomic-crm by marmelab from npm, with its demo data in the browser's
 * memory. Only its pages are measured, because it has no server to wait for; this is an advantage over our product,
 * which sends requests. It is downloaded and built in the temporary folder and is not part of this project.
 */
const VERSION = '0.0.2'
const folder = join(tmpdir(), `stanchion-bench-atomic-crm-${VERSION}`)
const built = join(folder, 'dist')

const MAIN = `import { createRoot } from 'react-dom/client'
import { CRM } from './node_modules/atomic-crm/src/root/CRM'
import { authProvider, dataProvider } from './node_modules/atomic-crm/src/providers/fakerest'
createRoot(document.getElementById('root')).render(<CRM dataProvider={dataProvider} authProvider={authProvider} disableTelemetry />)
`
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Atomic CRM</title></head><body><div id="root"></div><script type="module" src="/main.tsx"></script></body></html>
`
/**
 * Replaces the product's data provider with one that has no console output and none of the demo's delay of a third of a
 * second per response.
 */
const AT_ONCE = `import memory from 'ra-data-fakerest'
export default (data) => memory(data, false, 0)
`

/** Downloads and builds the product once. Throws with npm's output on failure. */
async function make(): Promise<void> {
  if (existsSync(join(built, 'index.html'))) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const fetched = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', `atomic-crm@${VERSION}`],
    {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    },
  )
  if (fetched.status !== 0) throw new Error(fetched.error?.message ?? fetched.stderr)
  writeFileSync(join(folder, 'main.tsx'), MAIN)
  writeFileSync(join(folder, 'index.html'), PAGE)
  writeFileSync(join(folder, 'at-once.js'), AT_ONCE)
  const { build } = await import('vite')
  const inside = (path: string) => join(folder, 'node_modules', path)
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    // Makes default imports of the product's CommonJS modules work as in older bundlers.
    legacy: { inconsistentCjsInterop: true },
    define: { 'import.meta.env.VITE_IS_DEMO': '"true"' },
    plugins: [
      {
        name: 'its-demo',
        enforce: 'pre',
        resolveId(id, importer) {
          if (id === '../providers/supabase') return inside('atomic-crm/src/providers/fakerest/index.ts')
          if (id === 'ra-data-fakerest' && !importer?.endsWith('at-once.js')) return join(folder, 'at-once.js')
          const icon = id.match(/^@mui\/icons-material\/(\w+)$/)?.[1]
          return icon ? inside(`@mui/icons-material/esm/${icon}.js`) : undefined
        },
      },
    ],
    build: { outDir: built, emptyOutDir: true },
  })
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/**
 * Reads and compresses the product's files, so that they can be served like ours: compressed once, and cached by the
 * browser. Returns them by path.
 */
function read(): Map<string, { readonly type: string; readonly gzip: Buffer; readonly br: Buffer }> {
  const names = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) => TYPES[extname(name)])
  return new Map(
    names.map((name) => {
      const bytes = readFileSync(join(built, name))
      const file = { type: TYPES[extname(name)] as string, gzip: gzipSync(bytes), br: brotliCompressSync(bytes) }
      return [`/${name.replaceAll('\\', '/')}`, file]
    }),
  )
}

const NOTES = 5

/** Measures the milliseconds from the click that adds a note to a contact until the screen shows the note. */
async function addNotes(page: Page): Promise<number> {
  await page.goto('/#/contacts/1/show')
  const times: number[] = []
  for (let n = 0; n < NOTES; n++) {
    await page.locator('textarea[name="text"]').first().pressSequentially(`Rang at ${n}`)
    const add = page.getByRole('button', { name: /add this note/i })
    await add.hover()
    times.push(await measureTimeToRender(add, 'click', { count: '[aria-label="Edit note"]' }))
  }
  return medianTime(times.slice(1))
}

const LIST = { name: 'lead list', path: '/#/contacts', useful: 'a[href^="#/contacts/"][href$="/show"]' }
const RECORD = 'textarea[name="text"]'

/** Serves the product. If it can't be downloaded or built, prints the reason and returns undefined. */
export async function startAtomicCrm(): Promise<BenchProduct | undefined> {
  try {
    await make()
  } catch (problem) {
    console.log(
      `
atomic-crm ${VERSION} is left out of the comparison because it could not be downloaded or built. ${String(
        (problem as Error).message,
      )
        .slice(0, 500)
        .trim()}`,
    )
    return undefined
  }
  const files = read()
  const server = createServer(({ url, headers }, answer) => {
    const file = files.get(url === '/' ? '/index.html' : String(url))
    if (!file) return answer.writeHead(404).end()
    const coding = headers['accept-encoding']?.includes('br') ? 'br' : 'gzip'
    const kept = file.type.startsWith('text/html') ? 'no-cache' : 'public, max-age=31536000, immutable'
    answer.writeHead(200, { 'content-type': file.type, 'content-encoding': coding, 'cache-control': kept })
    answer.end(file[coding])
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    name: 'atomic-crm',
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    screens: [LIST, { name: 'record', path: '/#/contacts/1/show', useful: RECORD }],
    marks: {
      list: LIST,
      rows: 25,
      names: 'href',
      next: '[aria-label="Go to next page"]',
      sort: { before: 'button:has-text("Sort by")', press: '[data-sort="first_name"]' },
      record: RECORD,
      form: { path: '/#/contacts/create', field: 'input[name="first_name"]' },
      finish: addNotes,
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
