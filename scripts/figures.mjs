// What the shape of the code costs, in numbers: printed by `npm run figures`, beside those of the first third (docs/architecture.md).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { inRoot } from './shared.mjs'

const root = process.argv[2] ?? inRoot()
const rooms = join(root, 'src/rooms')

/** Every file below a folder, as path and text; tests left out. */
const files = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((f) => f.isFile() && /\.tsx?$/.test(f.name) && !/\.test\.tsx?$/.test(f.name))
    .map((f) => join(f.parentPath, f.name))
    .map((path) => ({ path: relative(root, path), name: basename(path), text: readFileSync(path, 'utf8') }))

/** Without imports, comments and SQL's own `AS`. */
const code = (text) =>
  text
    .replace(/^import[^;]*?from '[^'\n]*'$/gm, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
const count = (list, pattern) => list.reduce((sum, f) => sum + (code(f.text).match(pattern)?.length ?? 0), 0)

const server = files(rooms).filter((f) => f.name.endsWith('.server.ts'))
/** Jobs, imports, demo worlds and reference data: not in the way of a request. */
const behind = (f) => /jobs|import|batch|demo|reference|register|tidy|remind|schedule/.test(f.path)
/** Claims about a type that the compiler can't check, and values made text or number of for want of one. */
const CASTS =
  /\bas (?!const\b|possible\b)(?=[A-Za-z{(])(?:unknown|string|number|boolean|[A-Z{])|\b(?:String|Number)\((?:row|before|values|changes|input)\b|\b(?:said|textOf)\(/g
const SQL = /\b(?:tx|conn|read|db)\.(?:rows|arrays|script)\b/g

const folders = new Map()
for (const f of files(join(root, 'src'))) {
  const folder = f.path.slice(0, -f.name.length - 1)
  folders.set(folder, (folders.get(folder) ?? 0) + 1)
}
const sizes = [...folders.values()].sort((a, b) => a - b)
/** Files of the app, the engines and the tools that name an area by its folder: where a new room must be written in. */
const areas = readdirSync(rooms, { withFileTypes: true }).flatMap((f) => (f.isDirectory() ? [f.name] : []))
const naming = new RegExp(`rooms/(?:${areas.join('|')})\\b`)
const tools = ['', 'scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((f) => f.isFile() && /\.(?:mjs|ts|json)$/.test(f.name))
    .map((f) => ({ path: join(folder, f.name), name: f.name, text: readFileSync(join(root, folder, f.name), 'utf8') })),
)
const places = [...files(join(root, 'src')), ...tools].filter(
  (f) => !f.path.startsWith('src/rooms/') && naming.test(f.text),
)

/** What `npm test` as a whole took when it last ended on this machine, if it has. */
function secondsPerTest() {
  const path = join(root, 'test-results/costs.json')
  if (!existsSync(path)) return 'not run here'
  const { seconds, tests } = JSON.parse(readFileSync(path, 'utf8'))
  return (seconds / tests).toFixed(3)
}

/** At first: the first third of the product, counted the same way, but for the places, which a reviewer counted; 4,797 tests took 780 seconds. */
const rows = [
  ['', 'at first', 'goal', 'now'],
  ["casts in rooms' .server files", 266, '≤ 40', count(server, CASTS)],
  [
    'SQL by hand, request behaviour',
    101,
    '≤ 30',
    count(
      server.filter((f) => !behind(f)),
      SQL,
    ),
  ],
  ['SQL by hand, jobs, imports, demo', 88, '', count(server.filter(behind), SQL)],
  ['files in the largest folder', 95, '≤ 30', sizes.at(-1)],
  ['files in the middle folder', 12, '', sizes[Math.floor(sizes.length / 2)]],
  ['places to write a new room in', 8, '2', places.length],
  ['seconds per test, all of npm test', '0.163', '≤ 0.122', secondsPerTest()],
]
for (const [what, ...cells] of rows) console.log(what.padEnd(36) + cells.map((c) => String(c).padStart(12)).join(''))
console.log(`\nA new room is written in: ${places.map((f) => f.path).join(', ')}`)
