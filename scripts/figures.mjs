// `npm run figures`: compares measures of the code with their goals, and the cost of the tests with its budget. Fails
// if the budget is exceeded.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, posix, relative, sep } from 'node:path'
import { parseSync } from '@swc/core'
import { inRoot, root } from './shared.mjs'
import { readTestCosts, sumCostsByKind, TEST_COST_BUDGET } from './tests/costs.mjs'

const read = (...path) => readFileSync(inRoot(...path), 'utf8')
const wordsIn = (text) => text.split(/\s+/).filter(Boolean).length
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

/** Yields every node of a syntax tree. Words in strings and comments are not nodes. */
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
/** Returns the imports and re-exports of a file: the target file, and the names taken from it. */
const takenBy = ({ path, body }) =>
  body.filter(isFrom).map(({ source, specifiers = [] }) => ({
    target: resolve(path, source.value),
    names: specifiers.map(({ imported, orig, local }) => (imported ?? orig ?? local)?.value),
  }))

const namesIn = (pattern) =>
  pattern.type === 'ObjectPattern'
    ? pattern.properties.map(({ key, value }) => value?.value ?? key?.value)
    : [pattern.value]
/** Returns the names that a file defines and exports. */
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

/** Calculates the percentage of exports that exactly one other file imports. */
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

/** Counts the cycles of files that import each other, including type imports (Tarjan's algorithm). */
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
/** Files that only re-export the definitions of other files. */
const barrels = sources.filter(
  ({ body }) => body.some((one) => isFrom(one) && one.type !== 'ImportDeclaration') && body.every(isFrom),
)
const filesWith = (pattern) => sources.filter(({ text }) => pattern.test(text)).length
const STORAGE = /\b(?:localStorage|sessionStorage|indexedDB)\b|from 'idb-keyval'/

/** Counts the terms in the section “Engine glossary”. */
function concepts() {
  const [, after = ''] = read('docs', 'guide', 'glossary.md').split(/^## Engine glossary$/m)
  return [...(after.split(/^## /m)[0] ?? '').matchAll(/^(?:\| \*\*|[-*] \*\*)/gm)].length
}

/**
 * Names of variables with untyped values: request input and raw rows. Converting them to text or numbers is treated as
 * a cast.
 */
const UNTYPED = new Set(['row', 'before', 'values', 'changes', 'input'])
/** Returns the first name in an expression, for example `row` in `row.owner.name`. */
const firstNameOf = (node) => (node?.type === 'MemberExpression' ? firstNameOf(node.object) : node?.value)
/**
 * Returns true if a node is a cast: a claim about a type that the compiler can't check, or the conversion of an untyped
 * value to text or a number.
 */
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

/** Lists the files outside the modules that name a module. A new module must be added to them. */
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
  ['median number of lines', '75–90', median(sources.map(({ text }) => text.trimEnd().split('\n').length))],
  ['exports with a single importer', '≤ 25 %', `${singleImporterExports()} %`],
  ['names exported by several files', '< 60', namesInSeveralFiles()],
  ['engine concepts', '≤ 70', concepts()],
  ['import cycles, including types', '≤ 3', circles()],
  ['imports in the largest manifest', '≤ 30', Math.max(...manifests.map(importsOf))],
  ['barrels', 0, barrels.length],
  ['files that name taxPercent', '≤ 20', filesWith(/\btaxPercent\b/)],
  ['files that use browser storage', '≤ 4', filesWith(STORAGE)],
  ['decisions (ADRs)', 'about 30', readdirSync(inRoot('docs', 'decisions')).filter((name) => /^\d/.test(name)).length],
  ['words in README', '≤ 900', wordsIn(read('README.md'))],
  ['words in CHANGELOG', '≤ 1,500', wordsIn(read('CHANGELOG.md'))],
  ['files in the largest folder', '≤ 30', largestFolder],
  ["casts in modules' .server files", '≤ 40', casts()],
  ['places to add a new module', 2, placesOfModules().length],
])

const run = readTestCosts()
if (!run) console.log('\nThere are no test costs: `npm test` has not been completed on this machine yet.')
else {
  const spent = sumCostsByKind(run)
  const above = Object.entries(TEST_COST_BUDGET).filter(([kind, limit]) => spent[kind] > limit)
  console.log('\nProcessor seconds of the last full `npm test`, by part:\n')
  print([
    ...run.parts.map(({ title, processor }) => [title, '', Math.round(processor)]),
    ['', 'budget', 'spent'],
    ...Object.entries(TEST_COST_BUDGET).map(([kind, limit]) => [kind, limit, Math.round(spent[kind])]),
  ])
  for (const [kind, limit] of above)
    console.log(`\n${kind}: ${Math.round(spent[kind])} processor seconds, more than the budget of ${limit}.`)
  process.exitCode = above.length ? 1 : 0
}
