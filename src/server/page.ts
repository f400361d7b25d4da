import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the build says of a page: `pages.json` (`scripts/pages/plugin.ts`). */
interface BuiltPage {
  readonly path: string
  readonly pattern: string
  readonly files: readonly string[]
  readonly asks: readonly string[]
}

/** The page that a browser is sent for a path; `nonce` is new each time. */
export type Page = (path: string, nonce: string) => string

const NONCE = '__NONCE__'
/** Before the script that is run first, which reads it. */
const SAID = /(?=<script\b)/
/** After all that every page needs: a browser has six connections, and gives them in this order. */
const NAMED = /(?=<[/]head>)/

const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/**
 * The built page, which names for each address the files that its screen is made of and what it will ask, so that a browser begins
 * with all of them at once. Nothing of the address itself is written into it. Without a build there is none.
 */
export function readPage(folder: string): Page | undefined {
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
    .replace(SAID, () => expected.join(''))
    .replace(NAMED, () => links.join(''))
    .split(NONCE)
}
