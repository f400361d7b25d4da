import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A page in the build's manifest: `pages.json` (`scripts/pages/plugin.ts`). */
interface BuiltPage {
  readonly path: string
  readonly pattern: string
  readonly files: readonly string[]
  readonly asks: readonly string[]
}

/** Returns the HTML for a path; `nonce` is new for each request. */
export type PageRenderer = (path: string, nonce: string) => string

const NONCE = '__NONCE__'
/** Position before the first script, which reads the inserted data. */
const FIRST_SCRIPT = /(?=<script\b)/
/** Position after everything that all pages need: a browser has six connections and uses them in document order. */
const NAMED = /(?=<[/]head>)/

const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/**
 * Reads the built HTML, which is completed for each address with the files of its screen and its first API requests, so
 * that a browser starts all of them immediately. Never contains parts of the address itself. `undefined` without a
 * build.
 */
export function createPageRenderer(folder: string): PageRenderer | undefined {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) return undefined
  const html = readFileSync(file, 'utf8')
  const table = join(folder, 'pages.json')
  const built = existsSync(table) ? (JSON.parse(readFileSync(table, 'utf8')) as readonly BuiltPage[]) : []
  const pages = built.map((page) => ({ shown: new RegExp(page.pattern, 'i'), parts: partsOf(html, page) }))
  const usual = html.split(NONCE)
  return (path, nonce) => (pages.find(({ shown }) => shown.test(path))?.parts ?? usual).join(nonce)
}

function partsOf(html: string, { path, files, asks }: BuiltPage): readonly string[] {
  const links = files.map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`,
  )
  const expected = asks.length ? [`<meta name="expected" content="${quoted(JSON.stringify({ path, asks }))}">`] : []
  return html
    .replace(FIRST_SCRIPT, () => expected.join(''))
    .replace(NAMED, () => links.join(''))
    .split(NONCE)
}
