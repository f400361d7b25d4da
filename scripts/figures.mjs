// What the shape of the code costs, in numbers: printed by `npm run figures`, beside those of the first third (docs/architecture.md).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { parseSync } from '@swc/core'
import { inRoot } from './shared.mjs'

const root = process.argv[2] ?? inRoot()
const modules = join(root, 'src/modules')

/** Every file below a folder, as path and text; tests left out. */
const files = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((f) => f.isFile() && /\.tsx?$/.test(f.name) && !/\.test\.tsx?$/.test(f.name))
    .map((f) => join(f.parentPath, f.name))
    .map((path) => ({ path: relative(root, path), name: basename(path), text: readFileSync(path, 'utf8') }))

/** Every part of a file's syntax; words in strings and comments are none. */
function* nodesOf(node) {
  if (Array.isArray(node)) for (const one of node) yield* nodesOf(one)
  else if (node && typeof node === 'object') {
    if (node.type) yield node
    for (const value of Object.values(node)) if (value && typeof value === 'object') yield* nodesOf(value)
  }
}
const read = (file) => ({ ...file, nodes: [...nodesOf(parseSync(file.text, { syntax: 'typescript' }))] })
const count = (list, is) => list.reduce((sum, file) => sum + file.nodes.filter(is).length, 0)

const server = files(modules)
  .filter((f) => f.name.endsWith('.server.ts'))
  .map(read)

/** What a value is made text or number of for want of a type: what somebody sent, and rows as they come. */
const UNTYPED = new Set(['row', 'before', 'values', 'changes', 'input'])
/** The first name of `row.owner.name`. */
const rootOf = (node) => (node?.type === 'MemberExpression' ? rootOf(node.object) : node?.value)
/** Claims about a type that the compiler can't check, and values made text or number of for want of one. */
function isCast(node) {
  if (node.type === 'TsAsExpression' || node.type === 'TsNonNullExpression' || node.type === 'TsTypeAssertion')
    return true
  const called = node.type === 'CallExpression' ? node.callee.value : undefined
  if (called === 'String' || called === 'Number') return UNTYPED.has(rootOf(node.arguments[0]?.expression))
  return called === 'textOf'
}

const CONNECTIONS = new Set(['tx', 'conn', 'read', 'db'])
const SENDS = new Set(['rows', 'arrays', 'script'])
const nameOf = (node) => (node.type === 'MemberExpression' ? node.property.value : node.value)
const isSql = (node) =>
  node.type === 'MemberExpression' && SENDS.has(node.property.value) && CONNECTIONS.has(nameOf(node.object))

/** What a file takes from the engine that is begun by no request: jobs, imports, commands, demo worlds and reference data. */
const JOB = new Set(['schedule', 'remind', 'listener', 'defineRun', 'Run', 'Reference', 'DemoPart'])
/** What is taken by whatever answers a request, or stands in its way. */
const REQUEST = /^#server\/engine\/(?:route|route-input|behaviour)\.ts$/

const importsOf = ({ nodes }) => nodes.filter(({ type }) => type === 'ImportDeclaration')
/** Does a request run it? Something that answers one does not become a job by being used by jobs. */
const isRequest = (file) => importsOf(file).some(({ source }) => REQUEST.test(source.value))
/** The files that it takes something from, to use it or to hand it on. */
const sourcesOf = ({ nodes }) =>
  nodes.flatMap(({ type, source }) =>
    /^(?:Import|ExportNamed)Declaration$/.test(type) && source ? [source.value] : [],
  )
const exportsRun = ({ nodes }) =>
  nodes.some(({ type, declaration }) => type === 'ExportDeclaration' && declaration.identifier?.value === 'run')
const isJob = (file) =>
  exportsRun(file) ||
  importsOf(file).some(
    (i) => i.source.value.startsWith('#server//') && i.specifiers.some(({ local }) => JOB.has(local.value)),
  )

/** The files of modules that no request runs: jobs, and what only jobs use. A module's face lists everything and uses nothing. */
function filesBehind() {
  const users = new Map(server.filter((file) => !isRequest(file)).map(({ path }) => [path, []]))
  for (const file of server.filter(({ name }) => !name.startsWith('module.')))
    for (const source of sourcesOf(file)) {
      const target = source.startsWith('.') ? join(file.path, '..', source) : source.replace('#', 'src/')
      users.get(target)?.push(file.path)
    }
  const behind = new Set(server.filter((file) => isJob(file) && !isRequest(file)).map(({ path }) => path))
  for (let before = -1; before < behind.size; ) {
    before = behind.size
    for (const [path, by] of users) if (by.length && by.every((user) => behind.has(user))) behind.add(path)
  }
  return behind
}
const behind = filesBehind()

const folders = new Map()
for (const f of files(join(root, 'src'))) {
  const folder = f.path.slice(0, -f.name.length - 1)
  folders.set(folder, (folders.get(folder) ?? 0) + 1)
}
const sizes = [...folders.values()].sort((a, b) => a - b)
/** Files of the app, the engines and the tools that name an area by its folder: where a new module must be written in. */
const areas = readdirSync(modules, { withFileTypes: true }).flatMap((f) => (f.isDirectory() ? [f.name] : []))
const naming = new RegExp(`modules/(?:${areas.join('|')})\\b`)
const tools = ['', 'scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((f) => f.isFile() && /\.(?:mjs|ts|json)$/.test(f.name))
    .map((f) => ({ path: join(folder, f.name), name: f.name, text: readFileSync(join(root, folder, f.name), 'utf8') })),
)
const places = [...files(join(root, 'src')), ...tools].filter(
  (f) => !f.path.startsWith('src/modules/') && naming.test(f.text),
)

/** What `npm test` as a whole took when it last ended on this machine, if it has. */
function secondsPerTest() {
  const path = join(root, 'test-results/costs.json')
  if (!existsSync(path)) return 'not run here'
  const { seconds, tests } = JSON.parse(readFileSync(path, 'utf8'))
  return (seconds / tests).toFixed(3)
}

/**
 * At first: the first third of the product (bdcfce0), counted the same way, but for the places, which a reviewer counted, and for SQL
 * by hand, which was divided by the names of files while nothing declared itself a job. Casts were 266 there as long as words of
 * sentences and comments counted, and types in lower case and brackets did not. 4,797 tests took 780 seconds.
 */
const rows = [
  ['', 'at first', 'goal', 'now'],
  ["casts in modules' .server files", 230, '≤ 40', count(server, isCast)],
  [
    'SQL by hand, request behaviour',
    101,
    '≤ 30',
    count(
      server.filter(({ path }) => !behind.has(path)),
      isSql,
    ),
  ],
  [
    'SQL by hand, jobs, imports, demo',
    88,
    '',
    count(
      server.filter(({ path }) => behind.has(path)),
      isSql,
    ),
  ],
  ['files in the largest folder', 95, '≤ 30', sizes.at(-1)],
  ['files in the middle folder', 12, '', sizes[Math.floor(sizes.length / 2)]],
  ['places to write a new module in', 8, '2', places.length],
  ['seconds per test, all of npm test', '0.163', '≤ 0.122', secondsPerTest()],
]
for (const [what, ...cells] of rows) console.log(what.padEnd(36) + cells.map((c) => String(c).padStart(12)).join(''))
console.log(`\nA new module is written in: ${places.map((f) => f.path).join(', ')}`)
