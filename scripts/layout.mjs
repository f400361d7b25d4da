// Checks the layout of src: no folder contains too many files, no file is too long, and neither folders nor modules
// import each other in cycles.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { publicFiles } from '../.dependency-cruiser.mjs'
import { inRoot, isMain } from './shared.mjs'

const MAX_FILES = 30
const MAX_LINES = 400
/**
 * Minimum number of lines of a file with a single importer. A shorter file belongs in the importer, unless it is loaded
 * later.
 */
const FEWEST_LINES = 25
/** Whether small files with a single importer fail the check. If not, they are only counted. */
const SMALL_FILES_FAIL = false

const source = /[.](?:tsx?|sql|typ)$/
const test = /[.]test[.]tsx?$/
const read = /[.](?:tsx?|css|sql|typ)$/

const files = readdirSync(inRoot('src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && read.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
const text = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
const shown = (path) => relative(inRoot(), path).split(sep).join('/')

/** Returns `[count, name]` pairs, the largest count first. */
const greatest = (counts) => [...counts].map(([name, n]) => [n, shown(name)]).sort((a, b) => b[0] - a[0])

function filesByFolder() {
  const counts = new Map()
  for (const file of files)
    if (source.test(file) && !test.test(file)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return greatest(counts)
}

const linesByFile = () => greatest(files.map((file) => [file, text.get(file).trimEnd().split('\n').length]))

/** Returns the layer in a file's name: `server`, `web` or, for a declaration, undefined. */
const layerOf = (path) => /[.](server|web)[.]tsx?$/.exec(path)?.[1]

/**
 * Returns a file's node in the folder graph: the declarations, the server code or the screens of a folder. A file at
 * the root of a module or of a top-level folder is a separate node. So is a feature's list of screens, because the
 * screens may be in several folders.
 */
function placeOf(file) {
  const path = shown(file)
  if (/^src\/(?:modules\/[^/]+|[^/]+)\/[^/]+$/.test(path)) return path
  if (path.includes('/screens.web.ts')) return path
  const layer = layerOf(path)
  return layer ? `${dirname(path)} (${layer})` : dirname(path)
}

/**
 * Lists all imports in the sources, including types: the importing file, the imported file, and whether it is loaded
 * later (`import()`).
 */
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

/**
 * Returns the targets of each node. `ends` returns the two nodes of an import; imports without two different nodes are
 * ignored.
 */
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

/** Returns the cycles in a graph, each once. */
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

/** Returns the import cycles that include a folder. `depcruise` finds the cycles of single files. */
const circlesOfFolders = () =>
  circles(arrowsOf(([from, to]) => [placeOf(from), placeOf(to)])).filter((way) =>
    way.split(' → ').some((place) => !source.test(place)),
  )

/**
 * Returns the cycles of modules that import each other's server code or screens. Every module may import declarations.
 */
const circlesOfModules = () =>
  circles(arrowsOf(([from, to]) => (layerOf(shown(to)) ? [moduleOf(from), moduleOf(to)] : [])))

/** Lists the public files that no other module imports. */
function unusedPublicFiles() {
  const used = new Set(imports().flatMap(([from, to]) => (moduleOf(from) === moduleOf(to) ? [] : [shown(to)])))
  return Object.entries(publicFiles)
    .flatMap(([module, names]) => names.map((name) => `src/modules/${module}/${name}`))
    .filter((file) => !used.has(file))
}

/** Lists the small files that only one other file imports. */
function smallFiles() {
  const importers = Map.groupBy(imports(), ([, target]) => target)
  return linesByFile().flatMap(([n, name]) => {
    const by = importers.get(inRoot(...name.split('/'))) ?? []
    // A module's manifest only lists features, so a small file that it imports should not be merged into it.
    if (by.some(([file]) => /\/module[.]/.test(shown(file)))) return []
    const isSmall = n < FEWEST_LINES && /[.]tsx?$/.test(name) && !test.test(name)
    return isSmall && new Set(by.map(([file]) => file)).size === 1 && !by[0][2] ? [`${name} (${shown(by[0][0])})`] : []
  })
}

/** Prints the figures and the violations. Returns true if there are no violations. */
export function checkLayout() {
  const folders = filesByFolder()
  const lengths = linesByFile()
  const small = smallFiles()
  const wrong = [
    ...folders
      .filter(([n]) => n > MAX_FILES)
      .map(([n, name]) => `${name} contains ${n} files; the limit is ${MAX_FILES}.`),
    ...lengths.filter(([n]) => n > MAX_LINES).map(([n, name]) => `${name} has ${n} lines; the limit is ${MAX_LINES}.`),
    ...circlesOfFolders().map((way) => `Folders import each other in a cycle: ${way}`),
    ...circlesOfModules().map((way) => `Modules import each other in a cycle: ${way}`),
    ...unusedPublicFiles().map((file) => `${file} is a public file that no other module imports.`),
    ...(SMALL_FILES_FAIL ? small.map((name) => `Small file with a single importer: ${name}`) : []),
  ]
  console.log(`  largest folder: ${folders[0].join(' files, ')}; longest file: ${lengths[0].join(' lines, ')}`)
  console.log(`  files with fewer than ${FEWEST_LINES} lines and a single importer: ${small.length}`)
  if (process.argv.includes('--small')) for (const name of small) console.log(`    ${name}`)
  for (const sentence of wrong) console.log(`  ${sentence}`)
  return wrong.length === 0
}

if (isMain(import.meta)) process.exitCode = checkLayout() ? 0 : 1
