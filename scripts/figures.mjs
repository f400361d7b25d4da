// `npm run figures`: the shape of the code against its goals, and the cost of the tests against their budget, beyond which it fails.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, posix, relative, sep } from 'node:path'
import { parseSync } from '@swc/core'
import { inRoot, root } from './shared.mjs'
import { BUDGET, costByKind, readCosts } from './tests/costs.mjs'

const read = (...path) => readFileSync(inRoot(...path), 'utf8')
const wordsIn = (text) => text.split(/\s+/).filter(Boolean).length
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

/** Every part of a file's syntax; words in strings and comments are none. */
function* nodesOf(node) {
  if (Array.isArray(node)) for (const one of node) yield* nodesOf(one)
  else if (node && typeof node === 'object') {
    if (node.type) yield node
    for (const value of Object.values(node)) if (value && typeof value === 'object') yield* nodesOf(value)
  }
}

const sources = readdirSync(inRoot('src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<![.]test|[.]d)[.]tsx?$/.test(entry.name))
  .map((entry) => relative(root, `${entry.parentPath}/${entry.name}`).split(sep).join('/'))
  .map((path) => {
    const text = read(path)
    return { path, text, body: parseSync(text, { syntax: 'typescript', tsx: path.endsWith('x') }).body }
  })
const paths = new Set(sources.map(({ path }) => path))

const { imports: aliases } = JSON.parse(read('package.json'))
const roots = Object.entries(aliases).map(([from, to]) => [from.replace('*', ''), to.replace(/^[.]\/|[*]$/g, '')])
function resolve(file, named) {
  const alias = roots.find(([prefix]) => named.startsWith(prefix))
  return alias ? alias[1] + named.slice(alias[0].length) : posix.join(dirname(file), named)
}

const FROM = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'])
const isFrom = ({ type, source }) => FROM.has(type) && Boolean(source)
/** The statements of a file that take something from another one: that file, and the names. */
const takenBy = ({ path, body }) =>
  body.filter(isFrom).map(({ source, specifiers = [] }) => ({
    target: resolve(path, source.value),
    names: specifiers.map(({ imported, orig, local }) => (imported ?? orig ?? local)?.value),
  }))

const namesIn = (pattern) =>
  pattern.type === 'ObjectPattern'
    ? pattern.properties.map(({ key, value }) => value?.value ?? key?.value)
    : [pattern.value]
/** The names that a file defines and exports. */
const exportsOf = ({ body }) =>
  body.flatMap(({ type, declaration, specifiers, source }) => {
    if (type === 'ExportNamedDeclaration' && !source)
      return specifiers.map(({ exported, orig }) => (exported ?? orig).value)
    if (type !== 'ExportDeclaration') return []
    const { declarations, identifier, id } = declaration
    return declarations ? declarations.flatMap((one) => namesIn(one.id)) : [(identifier ?? id)?.value]
  })

const taken = new Map(sources.map((file) => [file.path, takenBy(file)]))
const exported = sources.flatMap((file) => exportsOf(file).map((name) => ({ name, path: file.path })))

/** The share of exports, in percent, that exactly one other file imports. */
function singleImporterExports() {
  const importers = new Map()
  for (const [path, statements] of taken)
    for (const { target, names } of statements)
      for (const name of names) {
        const key = `${target} ${name}`
        importers.set(key, (importers.get(key) ?? new Set()).add(path))
      }
  const single = exported.filter(({ name, path }) => importers.get(`${path} ${name}`)?.size === 1)
  return Math.round((100 * single.length) / exported.length)
}

const namesInSeveralFiles = () =>
  [...Map.groupBy(exported, ({ name }) => name).values()].filter((all) => new Set(all.map(({ path }) => path)).size > 1)
    .length

/** Groups of files that refer to one another, types included (Tarjan). */
function circles() {
  const found = []
  const order = new Map()
  const low = new Map()
  const stack = []
  const visit = (file) => {
    order.set(file, order.size)
    low.set(file, order.get(file))
    stack.push(file)
    for (const { target } of taken.get(file) ?? []) {
      if (!paths.has(target)) continue
      if (!order.has(target)) visit(target)
      if (stack.includes(target)) low.set(file, Math.min(low.get(file), low.get(target)))
    }
    if (low.get(file) !== order.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) found.push(group)
  }
  for (const file of paths) if (!order.has(file)) visit(file)
  return found.length
}

const manifests = sources.filter(({ path }) => /\/module[.](?:server[.]ts|web[.]tsx)$/.test(path))
const importsOf = ({ body }) => body.filter(({ type }) => type === 'ImportDeclaration').length
/** Files that only hand on what others define. */
const barrels = sources.filter(
  ({ body }) => body.some((one) => isFrom(one) && one.type !== 'ImportDeclaration') && body.every(isFrom),
)
const filesWith = (pattern) => sources.filter(({ text }) => pattern.test(text)).length
const STORAGE = /\b(?:localStorage|sessionStorage|indexedDB)\b|from 'idb-keyval'/

/** The rows of the table under "Engine glossary". */
function concepts() {
  const [, after = ''] = read('docs', 'guide', 'glossary.md').split(/^## Engine glossary$/m)
  return [...(after.split(/^## /m)[0] ?? '').matchAll(/^(?:\| \*\*|[-*] \*\*)/gm)].length
}

/** Untyped values that code converts to text or numbers: request input and raw rows. */
const UNTYPED = new Set(['row', 'before', 'values', 'changes', 'input'])
/** The first name of `row.owner.name`. */
const firstNameOf = (node) => (node?.type === 'MemberExpression' ? firstNameOf(node.object) : node?.value)
/** Claims about a type that the compiler can't check, and values made text or number of for want of one. */
function isCast(node) {
  if (['TsAsExpression', 'TsNonNullExpression', 'TsTypeAssertion'].includes(node.type)) return true
  const called = node.type === 'CallExpression' ? node.callee.value : undefined
  return called === 'String' || called === 'Number'
    ? UNTYPED.has(firstNameOf(node.arguments[0]?.expression))
    : called === 'toText'
}
const casts = () =>
  sources
    .filter(({ path }) => /^src\/modules\/.+[.]server[.]ts$/.test(path))
    .reduce((sum, { body }) => sum + [...nodesOf(body)].filter(isCast).length, 0)

/** Files outside the modules that name one: where a new module is written in. */
function placesOfModules() {
  const modules = readdirSync(inRoot('src', 'modules'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const naming = new RegExp(`modules/(?:${modules.map(({ name }) => name).join('|')})\\b`)
  const tools = ['.', 'scripts'].flatMap((folder) =>
    readdirSync(inRoot(folder))
      .filter((name) => /[.](?:mjs|ts|json)$/.test(name))
      .map((name) => ({ path: posix.join(folder, name), text: read(folder, name) })),
  )
  return [...sources, ...tools].filter(({ path, text }) => !path.startsWith('src/modules/') && naming.test(text))
}
const largestFolder = Math.max(
  ...[...Map.groupBy(sources, ({ path }) => dirname(path)).values()].map((all) => all.length),
)

const print = (rows) => {
  for (const [what, ...cells] of rows) console.log(what.padEnd(40) + cells.map((c) => String(c).padStart(12)).join(''))
}

print([
  ['', 'goal', 'now'],
  ['source files', '≤ 1,600', sources.length],
  ['median of their lines', '75–90', median(sources.map(({ text }) => text.trimEnd().split('\n').length))],
  ['exports with a single importer', '≤ 25 %', `${singleImporterExports()} %`],
  ['exported names in several files', '< 60', namesInSeveralFiles()],
  ['concepts of the engine', '≤ 70', concepts()],
  ['circles of types', '≤ 3', circles()],
  ['imports of the largest manifest', '≤ 30', Math.max(...manifests.map(importsOf))],
  ['barrels', 0, barrels.length],
  ['files that name taxPercent', '≤ 20', filesWith(/\btaxPercent\b/)],
  ['files that use browser storage', '≤ 4', filesWith(STORAGE)],
  ['decisions (ADRs)', 'about 30', readdirSync(inRoot('docs', 'decisions')).filter((name) => /^\d/.test(name)).length],
  ['words of README', '≤ 900', wordsIn(read('README.md'))],
  ['words of CHANGELOG', '≤ 1,500', wordsIn(read('CHANGELOG.md'))],
  ['files in the largest folder', '≤ 30', largestFolder],
  ["casts in modules' .server files", '≤ 40', casts()],
  ['places to write a new module in', 2, placesOfModules().length],
])

const run = readCosts()
if (!run) console.log('\nThe cost of the tests: `npm test` has not ended here yet.')
else {
  const spent = costByKind(run)
  const above = Object.entries(BUDGET).filter(([kind, limit]) => spent[kind] > limit)
  console.log('\nProcessor seconds of the last whole `npm test`, by part:\n')
  print([
    ...run.parts.map(({ title, processor }) => [title, '', Math.round(processor)]),
    ['', 'budget', 'spent'],
    ...Object.entries(BUDGET).map(([kind, limit]) => [kind, limit, Math.round(spent[kind])]),
  ])
  for (const [kind, limit] of above) console.log(`\n${kind}: ${Math.round(spent[kind])} of ${limit} processor seconds.`)
  process.exitCode = above.length ? 1 : 0
}
