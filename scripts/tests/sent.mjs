// Measures what the browser downloads from the built web app before a page is shown: files, and their compressed bytes.
// API responses are not included.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Limits for the pages on which users start. A limit may be raised here if the commit states a good reason. */
const LIMITS = {
  '/': { files: 14, bytes: 200_000 },
  '/dashboard': { files: 25, bytes: 298_000 },
  '/crm/contact/list': { files: 16, bytes: 281_500 },
  '/crm/contact/view/:id?': { files: 16, bytes: 280_000 },
  '/safety/risk-assessment': { files: 18, bytes: 300_500 },
  '/crm/invoices': { files: 17, bytes: 295_000 },
  // The first screen of employees, on a phone with one bar of signal: at most 0.4 of the sign-in page's bytes.
  '/my-task': { files: 5, bytes: 73_000 },
}
/** Maximum number of scripts and style sheets that a page needs in addition to those that every page needs. */
const MAX_FILES = 50
/**
 * Maximum number of files that may import a file with the names of more than 20 page files. A change to one page would
 * renew all of these files.
 */
const MAX_RENEWED_FILES = 30

const NAMED = /(?:src|href)="[/]([^"]+[.](?:js|css))"/g
const STATIC = /(?:from|import)\s*["'`][.][/]([^"'`]+[.]js)["'`]/g

const textOf = (folder, file) => readFileSync(join(folder, file), 'utf8')

/** Returns the number of bytes sent to a browser that accepts Brotli. */
function sizeOf(folder, file) {
  const packed = join(folder, `${file}.br`)
  return statSync(existsSync(packed) ? packed : join(folder, file)).size
}

const namedIn = (folder, html) => [...new Set([...textOf(folder, html).matchAll(NAMED)].map((match) => match[1]))]

/** Returns the files that every page needs, and the additional files of each page. */
export function readPageFiles(folder) {
  const first = namedIn(folder, 'index.html')
  return { first, pages: JSON.parse(textOf(folder, 'pages.json')) }
}

/** Returns the number and total bytes of the files for a page, including the page itself. */
export function measurePageDownload(folder, { first, pages }, path) {
  const page = pages.find((one) => one.path === path)
  const files = page?.html
    ? [page.html, ...namedIn(folder, page.html)]
    : ['index.html', ...first, ...(page?.files ?? [])]
  return { files: files.length, bytes: files.reduce((sum, file) => sum + sizeOf(folder, file), 0) }
}

/** Returns the files that each script imports before it runs. */
function needs(folder) {
  const scripts = readdirSync(join(folder, 'assets')).filter((file) => file.endsWith('.js'))
  return new Map(scripts.map((file) => [file, [...textOf(folder, `assets/${file}`).matchAll(STATIC)].map((m) => m[1])]))
}

/** Returns a cycle of imports, if there is one. In a cycle, a value that is read during loading could be missing. */
function circle(arrows) {
  const done = new Set()
  const visit = (file, way) => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of arrows.get(file) ?? []) {
      const found = visit(next, [...way, file])
      if (found) return found
    }
    done.add(file)
    return undefined
  }
  for (const file of arrows.keys()) {
    const found = visit(file, [])
    if (found) return found
  }
  return undefined
}

/** Returns a message for each exceeded limit, and for a cycle of imports. */
export function findDownloadProblems(folder) {
  const sent = readPageFiles(folder)
  const wrong = Object.entries(LIMITS).flatMap(([path, limit]) => {
    const { files, bytes } = measurePageDownload(folder, sent, path)
    return files <= limit.files && bytes <= limit.bytes
      ? []
      : [`${path} loads ${files} files and ${bytes} bytes; the limits are ${limit.files} and ${limit.bytes}.`]
  })
  for (const { path, files } of sent.pages)
    if (files.length > MAX_FILES)
      wrong.push(`${path} needs ${files.length} additional files; the limit is ${MAX_FILES}.`)
  const arrows = needs(folder)
  const round = circle(arrows)
  if (round) wrong.push(`Files import each other in a cycle: ${round.join(' → ')}`)
  const pageScripts = new Set(sent.pages.flatMap(({ files }) => files).filter((file) => file.endsWith('.js')))
  const users = new Map()
  for (const file of [...arrows.values()].flat()) users.set(file, (users.get(file) ?? 0) + 1)
  for (const [file, count] of users) {
    if (count <= MAX_RENEWED_FILES) continue
    const text = textOf(folder, `assets/${file}`)
    const named = [...pageScripts].filter((page) => text.includes(page.slice('assets/'.length))).length
    if (named > 20)
      wrong.push(
        `${file} names ${named} files of pages and is imported by ${count} files: a change to one page would renew all of them.`,
      )
  }
  return wrong
}
