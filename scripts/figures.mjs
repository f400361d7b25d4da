// What the shape of the code costs, in numbers: printed by `npm run figures`, beside those of the first third (docs/architecture.md).
import { readdirSync, readFileSync } from 'node:fs'
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
/** Files outside `rooms` that name a room: where a new one must be written in. */
const places = files(join(root, 'src')).filter(
  (f) => !f.path.startsWith('src/rooms/') && /from '#rooms\//.test(f.text) && f.path.startsWith('src/app/'),
)

console.log(`casts in rooms' .server files       ${count(server, CASTS)}`)
console.log(
  `SQL by hand, request behaviour      ${count(
    server.filter((f) => !behind(f)),
    SQL,
  )}`,
)
console.log(`SQL by hand, jobs, imports, demo    ${count(server.filter(behind), SQL)}`)
console.log(`files in the largest folder         ${sizes.at(-1)}`)
console.log(`files in the middle folder          ${sizes[Math.floor(sizes.length / 2)]}`)
console.log(`app files that name a room          ${places.length} (${places.map((f) => f.name).join(', ')})`)
