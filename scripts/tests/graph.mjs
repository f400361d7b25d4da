// Finds which files depend on which, by their imports. Type imports are ignored, because the compiler detects a changed
// type.
import { readdirSync, readFileSync } from 'node:fs'
import { posix, relative, sep } from 'node:path'
import { inRoot, root } from '../shared.mjs'

/** Lists of all modules. Their imports are not followed, because everything would depend on everything. */
const HUBS = /^src\/app\/modules[.]|^src\/modules\/[^/]+\/module[.](?:server[.]ts|web[.]tsx)$/

const STATEMENT = /\b(import|export)\s+(type\s+)?([^'";()]*?)\s*\bfrom\s*'([.#][^']+)'|\bimport\s*\(?\s*'([.#][^']+)'/g

/**
 * Returns the names in `{ a, type B, c as d }`, as exported and as imported, without types. Returns `undefined` for a
 * namespace or a default import.
 */
function namesIn(clause) {
  const braces = /^\{([\s\S]*)\}$/.exec(clause.trim())
  if (!braces) return undefined
  return braces[1]
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part && !/^type\s/.test(part))
    .map((part) => part.split(/\s+as\s+/))
    .map(([theirs, ours = theirs]) => ({ theirs, ours }))
}

/** Returns the import and re-export statements in a source text. */
function statementsIn(text) {
  return [...text.matchAll(STATEMENT)].flatMap(([, verb, type, clause, from, bare]) => {
    if (type) return []
    if (bare) return [{ from: bare, names: undefined }]
    const names = namesIn(clause)
    return names?.length === 0 ? [] : [{ from, names, isExport: verb === 'export' }]
  })
}

/**
 * Builds the import graph of a project's files, whose texts are given by path. Importing a re-exported name is treated
 * as an import from the file that defines it.
 */
export function buildImportGraph(texts, aliases = {}) {
  const roots = Object.entries(aliases).map(([from, to]) => [from.replace('*', ''), to.replace(/^[.]\/|[*]$/g, '')])
  const resolve = (file, named) => {
    const alias = roots.find(([prefix]) => named.startsWith(prefix))
    return alias ? alias[1] + named.slice(alias[0].length) : posix.join(posix.dirname(file), named)
  }
  const statements = new Map()
  for (const [file, text] of texts)
    statements.set(
      file,
      statementsIn(text).map((one) => ({ ...one, target: resolve(file, one.from) })),
    )

  /** Returns the files that define a name exported by a file: the file itself, unless it re-exports the name. */
  function definersOf(file, name, seen = new Set()) {
    if (seen.has(file)) return []
    seen.add(file)
    const handed = (statements.get(file) ?? []).filter((one) => one.isExport)
    for (const { target, names } of handed) {
      const same = names?.find(({ ours }) => ours === name)
      if (same) return definersOf(target, same.theirs, seen)
    }
    // With `export *`, each re-exported file that contains the name is searched for its definition. If none contains
    // it, the file itself is treated as the one that defines the name.
    const found = handed
      .filter(({ names }) => !names)
      .flatMap(({ target }) =>
        new RegExp(`\\b${name}\\b`).test(texts.get(target) ?? '') ? definersOf(target, name, seen) : [],
      )
    return found.length ? found : [file]
  }

  const direct = new Map()
  for (const [file, all] of statements) {
    const targets = all
      .filter((one) => texts.has(one.target))
      .flatMap(({ target, names, isExport }) =>
        names && !isExport ? names.flatMap(({ theirs }) => definersOf(target, theirs)) : [target],
      )
    direct.set(file, new Set(targets.filter((target) => target !== file)))
  }

  /** Returns these files and all files that they depend on. The imports in lists of all modules are not followed. */
  function needs(files) {
    const found = new Set()
    const wanted = [...files]
    while (wanted.length) {
      const file = wanted.pop()
      if (found.has(file)) continue
      found.add(file)
      if (!HUBS.test(file)) wanted.push(...(direct.get(file) ?? []))
    }
    return found
  }
  return { files: [...texts.keys()], needs }
}

/** Builds the import graph of this project. */
export function readImportGraph() {
  const texts = new Map()
  for (const folder of ['src', 'test', 'scripts'])
    for (const entry of readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })) {
      const path = relative(root, `${entry.parentPath}/${entry.name}`).split(sep).join('/')
      if (entry.isFile() && !path.includes('/node_modules/') && /[.](?:tsx?|mjs|css|typ)$/.test(path))
        texts.set(path, /[.](?:css|typ)$/.test(path) ? '' : readFileSync(inRoot(path), 'utf8'))
    }
  return buildImportGraph(texts, JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).imports)
}
