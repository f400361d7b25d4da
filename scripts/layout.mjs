// How src is laid out: no folder holds too much, no file is too long, and neither folders nor modules import one another in circles.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { publicFiles } from '../.dependency-cruiser.mjs'
import { inRoot, isMain } from './shared.mjs'

const MAX_FILES = 30
const MAX_LINES = 400
/** A file with fewer lines and a single importer belongs into that one, unless it is loaded later. */
const FEWEST_LINES = 25
/** Small files with a single importer fail the check; until then they are counted. */
const SMALL_FILES_FAIL = false

const source = /[.](?:tsx?|sql|typ)$/
const test = /[.]test[.]tsx?$/
const read = /[.](?:tsx?|css|sql|typ)$/

const files = readdirSync(inRoot('src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && read.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
const text = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
const shown = (path) => relative(inRoot(), path).split(sep).join('/')

/** `[count, name]`, the greatest first. */
const greatest = (counts) => [...counts].map(([name, n]) => [n, shown(name)]).sort((a, b) => b[0] - a[0])

function filesByFolder() {
  const counts = new Map()
  for (const file of files)
    if (source.test(file) && !test.test(file)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return greatest(counts)
}

const linesByFile = () => greatest(files.map((file) => [file, text.get(file).trimEnd().split('\n').length]))

/** The layer that a file's name says: `server`, `web` or, for a declaration, none. */
const layerOf = (path) => /[.](server|web)[.]tsx?$/.exec(path)?.[1]

/**
 * A node of the graph of folders: the declarations, the behaviour or the screens of a folder. A file at the root of a module or a floor is
 * a node of its own, and so is the list of a feature's screens, which may stand in several folders.
 */
function placeOf(file) {
  const path = shown(file)
  if (/^src\/(?:modules\/[^/]+|[^/]+)\/[^/]+$/.test(path)) return path
  if (path.includes('/screens.web.ts')) return path
  const layer = layerOf(path)
  return layer ? `${dirname(path)} (${layer})` : dirname(path)
}

/** Every import of the sources, types too: the file, the file that it takes something from, and whether it does so later (`import()`). */
function imports() {
  const { imports: aliases } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const roots = Object.entries(aliases).map(([from, to]) => [from.replace('*', ''), to.replace(/^[.]\/|[*]$/g, '')])
  const known = new Set(files)
  const found = []
  for (const file of files) {
    if (test.test(file)) continue
    for (const [statement, named] of text.get(file).matchAll(/\b(?:from|import)[\s(]*'([.#][^']+)'/g)) {
      const alias = roots.find(([prefix]) => named.startsWith(prefix))
      const target = alias ? inRoot(alias[1], named.slice(alias[0].length)) : join(dirname(file), named)
      if (known.has(target)) found.push([file, target, statement.includes('(')])
    }
  }
  return found
}

/** What each place leads to; an import for which `ends` has no two places is none. */
function arrowsOf(ends) {
  const arrows = new Map()
  const ofLayers = imports().filter(([file]) => !shown(file).startsWith('src/app/'))
  for (const [from, to] of ofLayers.map(ends)) {
    if (!from || !to || from === to) continue
    arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
  }
  return arrows
}

const moduleOf = (file) => /^src\/modules\/([^/]+)\//.exec(shown(file))?.[1]

/** The circles that arrows go round in, each once. */
function circles(arrows) {
  const found = []
  const done = new Set()
  const visit = (place, way) => {
    const at = way.indexOf(place)
    if (at >= 0) return void found.push([...way.slice(at), place].join(' → '))
    if (done.has(place)) return
    for (const next of arrows.get(place) ?? []) visit(next, [...way, place])
    done.add(place)
  }
  for (const place of arrows.keys()) visit(place, [])
  return found
}

/** The circles that folders are part of; of single files, `depcruise` knows. */
const circlesOfFolders = () =>
  circles(arrowsOf(([from, to]) => [placeOf(from), placeOf(to)])).filter((way) =>
    way.split(' → ').some((place) => !source.test(place)),
  )

/** The modules whose behaviour or screens import one another's in a circle. Declarations are open to every module. */
const circlesOfModules = () =>
  circles(arrowsOf(([from, to]) => (layerOf(shown(to)) ? [moduleOf(from), moduleOf(to)] : [])))

/** Public files that no other module imports. */
function unusedPublicFiles() {
  const used = new Set(imports().flatMap(([from, to]) => (moduleOf(from) === moduleOf(to) ? [] : [shown(to)])))
  return Object.entries(publicFiles)
    .flatMap(([module, names]) => names.map((name) => `src/modules/${module}/${name}`))
    .filter((file) => !used.has(file))
}

/** Small files that a single other file imports. */
function smallFiles() {
  const importers = Map.groupBy(imports(), ([, target]) => target)
  return linesByFile().flatMap(([n, name]) => {
    const by = importers.get(inRoot(...name.split('/'))) ?? []
    // A manifest lists features: nothing belongs into it.
    if (by.some(([file]) => /\/module[.]/.test(shown(file)))) return []
    const isSmall = n < FEWEST_LINES && /[.]tsx?$/.test(name) && !test.test(name)
    return isSmall && new Set(by.map(([file]) => file)).size === 1 && !by[0][2] ? [`${name} (${shown(by[0][0])})`] : []
  })
}

/** Prints the figures and what is beyond them; resolves to whether all is well. */
export function checkLayout() {
  const folders = filesByFolder()
  const lengths = linesByFile()
  const small = smallFiles()
  const wrong = [
    ...folders.filter(([n]) => n > MAX_FILES).map(([n, name]) => `${name} holds ${n} files: at most ${MAX_FILES}.`),
    ...lengths.filter(([n]) => n > MAX_LINES).map(([n, name]) => `${name} has ${n} lines: at most ${MAX_LINES}.`),
    ...circlesOfFolders().map((way) => `A circle of folders: ${way}`),
    ...circlesOfModules().map((way) => `A circle of modules: ${way}`),
    ...unusedPublicFiles().map((file) => `${file} is a public file that no other module imports.`),
    ...(SMALL_FILES_FAIL ? small.map((name) => `A small file with a single importer: ${name}`) : []),
  ]
  console.log(`  largest folder: ${folders[0].join(' files, ')}; longest file: ${lengths[0].join(' lines, ')}`)
  console.log(`  files of fewer than ${FEWEST_LINES} lines with a single importer: ${small.length}`)
  if (process.argv.includes('--small')) for (const name of small) console.log(`    ${name}`)
  for (const sentence of wrong) console.log(`  ${sentence}`)
  return wrong.length === 0
}

if (isMain(import.meta)) process.exitCode = checkLayout() ? 0 : 1
