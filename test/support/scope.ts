import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Resource } from '#kernel/resource.ts'
import { baseCommit, changedFiles } from '../../scripts/tests/changed.mjs'
import { Random } from './random.ts'
import { pickOneOfEachShape } from './shapes.ts'

// Scope of the tests: `npm test` samples, `npm run test:all` (TEST_SCOPE=all) covers everything.

const ROOT = join(import.meta.dirname, '../..')

export const IS_FULL_RUN = process.env.TEST_SCOPE === 'all'

/** Changes daily, and is printed at the end of a run with failures. `RANDOM_SEED=20789` repeats that day. */
export const TEST_SEED = Number(process.env.RANDOM_SEED)

/**
 * Number of runs of a property or requests of the fuzz: a tenth of the usual number in `npm test`, ten times as many in
 * `test:all`.
 */
export const scaleRuns = (usual: number): number => (IS_FULL_RUN ? usual * 10 : Math.max(1, Math.round(usual / 10)))

let changed: string | undefined

/** Does a source file that the branch changes contain this text, such as a declared type or the path of a route? */
function isChanged(text: string): boolean {
  changed ??= changedFiles(baseCommit())
    .filter((file) => /^src\/.+[.]ts$/.test(file) && existsSync(join(ROOT, file)))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')
  return changed.includes(text)
}

/** All in `test:all`; in `npm test` a different tenth each day, and those whose texts occur in a changed file. */
export function sampleOrAll<T>(all: readonly T[], textsOf: (one: T) => readonly string[]): readonly T[] {
  const random = new Random(TEST_SEED)
  return IS_FULL_RUN ? all : all.filter((one) => random.chance(0.1) || textsOf(one).some(isChanged))
}

/** All in `test:all`; in `npm test` this many, different ones each day. */
export function pickFew<T>(all: readonly T[], count: number): readonly T[] {
  if (IS_FULL_RUN) return all
  const random = new Random(TEST_SEED)
  const chosen = new Set(
    all
      .map((one) => [random.next(), one] as const)
      .sort(([a], [b]) => a - b)
      .slice(0, count)
      .map(([, one]) => one),
  )
  return all.filter((one) => chosen.has(one))
}

export const declarationText = (r: Resource): string => `type: '${r.type}'`

/** All in `test:all`; in `npm test` one of each shape, and those with a changed declaration. */
export function sampleShapes(resources: readonly Resource[]): readonly Resource[] {
  if (IS_FULL_RUN) return resources
  const shapes = new Set(pickOneOfEachShape(resources))
  return resources.filter((r) => shapes.has(r) || isChanged(declarationText(r)))
}

/** One test that checks many items and fails with a sentence for each faulty one. */
export function testEach<T>(
  title: string,
  all: readonly T[],
  nameOf: (one: T) => string,
  check: (one: T) => void | Promise<void>,
): void {
  const HOUR = 3_600_000
  // oxlint-disable-next-line vitest/valid-title -- its callers name it
  test(title, { timeout: HOUR }, async () => {
    const failures: string[] = []
    for (const one of all)
      try {
        await check(one)
      } catch (e) {
        failures.push(`${nameOf(one)}: ${e instanceof Error ? e.message : String(e)}`)
      }
    expect(all.length).toBeGreaterThan(0)
    expect(failures).toEqual([])
  })
}

/**
 * Sorts items by their position in a committed file, new ones last: moving a feature within its module then changes no
 * line.
 */
export function sortAsCommitted<T>(all: readonly T[], committed: string, nameOf: (one: T) => string): T[] {
  const placeOf = (one: T) => {
    const at = committed.indexOf(nameOf(one))
    return at < 0 ? committed.length : at
  }
  const places = new Map(all.map((one) => [one, placeOf(one)]))
  return [...all].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
}
