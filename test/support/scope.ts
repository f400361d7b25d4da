import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Resource } from '#kernel/resource.ts'
import { findBaseCommit, listChangedFiles } from '../../scripts/tests/changed.mjs'
import { Random } from './random.ts'
import { pickOneOfEachShape } from './shapes.ts'

// Scope of the tests: `npm test` runs a sample, and `npm run test:all` (TEST_SCOPE=all) covers everything.

const ROOT = join(import.meta.dirname, '../..')

export const IS_FULL_RUN = process.env.TEST_SCOPE === 'all'

/**
 * Seed that changes daily and is printed at the end of a run with failures. `RANDOM_SEED=20789` repeats the run of that
 * day.
 */
export const TEST_SEED = Number(process.env.RANDOM_SEED)

/**
 * Scales the number of runs of a property, or of requests in the fuzz test: a tenth of the usual number in `npm test`,
 * and ten times the usual number in `test:all`.
 */
export const scaleRunCount = (usual: number): number => (IS_FULL_RUN ? usual * 10 : Math.max(1, Math.round(usual / 10)))

let changed: string | undefined

/**
 * Returns true if a source file changed by the branch contains this text, such as a declared type or a route's path.
 */
function isChanged(text: string): boolean {
  changed ??= listChangedFiles(findBaseCommit())
    .filter((file) => /^src\/.+[.]ts$/.test(file) && existsSync(join(ROOT, file)))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')
  return changed.includes(text)
}

/** Returns a number of records: in `npm test` a smaller one, with which the code takes the same paths. */
export const chooseSize = (daily: number, full: number): number => (IS_FULL_RUN ? full : daily)

/**
 * Returns all items in `test:all`. In `npm test`, returns a different tenth each day, and items with texts that occur
 * in a changed file.
 */
export function sampleUnlessFullRun<T>(all: readonly T[], textsOf: (one: T) => readonly string[]): readonly T[] {
  const random = new Random(TEST_SEED)
  return IS_FULL_RUN ? all : all.filter((one) => random.chance(0.1) || textsOf(one).some(isChanged))
}

/** Returns all items in `test:all`. In `npm test`, returns this many, different ones each day. */
export function pickDailySample<T>(all: readonly T[], count: number): readonly T[] {
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

/**
 * Returns all resources in `test:all`. In `npm test`, returns one of each shape, and those with a changed declaration.
 */
export function sampleShapes(resources: readonly Resource[]): readonly Resource[] {
  if (IS_FULL_RUN) return resources
  const shapes = new Set(pickOneOfEachShape(resources))
  return resources.filter((r) => shapes.has(r) || isChanged(declarationText(r)))
}

/** Defines one test that checks many items, and fails with a sentence for each faulty item. */
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
 * Sorts items by their position in a committed file, with new ones last. If a feature moves within its module, no line
 * changes.
 */
export function sortAsCommitted<T>(all: readonly T[], committed: string, nameOf: (one: T) => string): T[] {
  const placeOf = (one: T) => {
    const at = committed.indexOf(nameOf(one))
    return at < 0 ? committed.length : at
  }
  const places = new Map(all.map((one) => [one, placeOf(one)]))
  return [...all].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
}
