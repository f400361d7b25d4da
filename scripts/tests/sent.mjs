// What a browser is sent of the built web until a page stands: files, and their bytes as packed. Answers of the API are not in it.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** For the pages that people begin with. A limit that is met for good reasons is raised here, with the reason in the commit. */
const LIMITS = {
  '/': { files: 14, bytes: 200_000 },
  '/dashboard': { files: 25, bytes: 290_000 },
  '/crm/contact/list': { files: 16, bytes: 278_000 },
  '/crm/contact/view/:id?': { files: 16, bytes: 278_000 },
  '/safety/risk-assessment': { files: 18, bytes: 295_000 },
  '/crm/invoices': { files: 17, bytes: 290_000 },
}
/** Files of scripts and styles that any page needs, beside those of every page. */
const MAX_FILES = 50
/** As many files as need one that holds addresses of others: a change of any page renews those. */
const MAX_RENEWED_FILES = 30

const NAMED = /(?:src|href)="[/]([^"]+[.](?:js|css))"/g
const STATIC = /(?:from|import)\s*["'`][.][/]([^"'`]+[.]js)["'`]/g

const textOf = (folder, file) => readFileSync(join(folder, file), 'utf8')

/** Bytes as they go to a browser that accepts brotli. */
function sizeOf(folder, file) {
  const packed = join(folder, `${file}.br`)
  return statSync(existsSync(packed) ? packed : join(folder, file)).size
}

/** The files of every page, and for each page those that it needs beside them. */
export function readSent(folder) {
  const first = [...new Set([...textOf(folder, 'index.html').matchAll(NAMED)].map((match) => match[1]))]
  return { first, pages: JSON.parse(textOf(folder, 'pages.json')) }
}

/** How many files, and how many bytes of them, come with a page; the page itself is one. */
export function sentWith(folder, { first, pages }, path) {
  const page = pages.find((one) => one.path === path)
  const files = ['index.html', ...first, ...(page?.files ?? [])]
  return { files: files.length, bytes: files.reduce((sum, file) => sum + sizeOf(folder, file), 0) }
}

/** What each script needs before it runs. */
function needs(folder) {
  const scripts = readdirSync(join(folder, 'assets')).filter((file) => file.endsWith('.js'))
  return new Map(scripts.map((file) => [file, [...textOf(folder, `assets/${file}`).matchAll(STATIC)].map((m) => m[1])]))
}

/** A way that leads back to where it began, if there is one: a value that is read while one loads could be missing. */
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

/** Sentences about all that is beyond its limit. */
export function tooMuchSent(folder) {
  const sent = readSent(folder)
  const wrong = Object.entries(LIMITS).flatMap(([path, limit]) => {
    const { files, bytes } = sentWith(folder, sent, path)
    return files <= limit.files && bytes <= limit.bytes
      ? []
      : [`${path} comes in ${files} files and ${bytes} bytes: at most ${limit.files} and ${limit.bytes}.`]
  })
  for (const { path, files } of sent.pages)
    if (files.length > MAX_FILES) wrong.push(`${path} needs ${files.length} files of its own: at most ${MAX_FILES}.`)
  const arrows = needs(folder)
  const round = circle(arrows)
  if (round) wrong.push(`Files need one another in a circle: ${round.join(' → ')}`)
  const pagesIn = sent.pages.flatMap((page) => page.files)
  for (const file of arrows.keys()) {
    const users = [...arrows.values()].filter((needed) => needed.includes(file)).length
    const named = new Set(
      pagesIn.filter((page) => page.endsWith('.js') && textOf(folder, `assets/${file}`).includes(page.slice(7))),
    )
    if (users > MAX_RENEWED_FILES && named.size > 20)
      wrong.push(
        `${file} names ${named.size} files of pages and is needed by ${users}: a change of a page would renew all of them.`,
      )
  }
  return wrong
}
