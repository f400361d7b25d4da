import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import packages from '../../package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '../..')
/**
 * Matches runtime imports, including the program files of child processes. Type imports are excluded, because they are
 * removed before the code runs.
 */
const IMPORT =
  /^\s*(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)|\bnew URL\('([^']+\.ts)'/gm

/** Returns the file that an import resolves to; `undefined` for a package. */
function fileOf(name: string, from: string): string | undefined {
  if (name.startsWith('.')) return join(dirname(from), name)
  const [folder = '', ...rest] = name.split('/')
  return folder.startsWith('#') ? join(ROOT, 'src', folder.slice(1), ...rest) : undefined
}

/** Returns the packages that a program imports, starting from one file. */
function packagesFrom(entry: string): string[] {
  const seen = new Set<string>()
  const found = new Set<string>()
  const look = (file: string) => {
    if (seen.has(file) || !existsSync(file)) return
    seen.add(file)
    for (const [, fixed, later, program] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const name = fixed ?? later ?? program ?? ''
      const next = fileOf(name, file)
      if (next) look(next)
      else if (!isBuiltin(name))
        found.add(name.startsWith('@') ? name.split('/', 2).join('/') : (name.split('/')[0] ?? ''))
    }
  }
  look(entry)
  return [...found].sort()
}

test('the portal runs with only its production dependencies', () => {
  const used = packagesFrom(join(ROOT, 'src/app/cli.ts'))
  expect(used).toEqual(
    expect.arrayContaining([
      'fastify',
      'pg',
      'pg-boss',
      'pino',
      'sharp',
      'stripe',
      '@myriaddreamin/typst-ts-node-compiler',
      'heic-decode',
    ]),
  )
  expect(used.filter((name) => !(name in packages.dependencies))).toEqual([])
})
