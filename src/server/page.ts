import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A page in the manifest `pages.json`, which the build creates (`scripts/pages/plugin.ts`). */
interface BuiltPage {
  readonly path: string
  readonly pattern: string
  readonly files: readonly string[]
  readonly asks: readonly string[]
  /** File name of the page's own HTML document, if the page does not use the portal's. */
  readonly html?: string
}

/** Function that returns the HTML for a path. `nonce` is different for each request. */
export type PageRenderer = (path: string, nonce: string) => string

const NONCE = '__NONCE__'
/** Position before the first script, which reads the inserted data. */
const FIRST_SCRIPT = /(?=<script\b)/
/**
 * Position after the links to files that all pages need. A browser has six connections and uses them in document order,
 * so these files are fetched first.
 */
const NAMED = /(?=<[/]head>)/

const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/**
 * Returns a function that completes the built HTML for a path. The HTML then names the files of the path's screen and
 * its first API requests, and a browser starts them all immediately. No part of the path itself is inserted. A new build
 * in the same folder is read with the next request, because its files have other names. Returns `undefined` if there is
 * no build.
 */
export function createPageRenderer(folder: string): PageRenderer | undefined {
  const files = [join(folder, 'index.html'), join(folder, 'pages.json')] as const
  if (!existsSync(files[0])) return undefined
  // While a build is being written, the previous one is served.
  const version = () => files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join()
  let served = version()
  let render = readBuild(...files)
  return (path, nonce) => {
    const found = version()
    if (found !== served && existsSync(files[0]))
      try {
        render = readBuild(...files)
        served = found
      } catch {
        // The new build is incomplete. The previous one is served until a request finds all of it.
      }
    return render(path, nonce)
  }
}

function readBuild(file: string, table: string): PageRenderer {
  const html = readFileSync(file, 'utf8')
  const documentOf = ({ html: own }: BuiltPage) => (own ? readFileSync(join(dirname(file), own), 'utf8') : html)
  const built = existsSync(table) ? (JSON.parse(readFileSync(table, 'utf8')) as readonly BuiltPage[]) : []
  const pages = built.map((page) => ({ shown: new RegExp(page.pattern, 'i'), parts: partsOf(documentOf(page), page) }))
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
