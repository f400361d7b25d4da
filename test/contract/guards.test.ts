import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Random } from '#test/support/random.ts'
import { BENCH_GUARDS } from '../../bench/guard-list.ts'
import { comparePairedMeasurements } from '../../bench/pairs.ts'
import { SAFEGUARD_SWITCHES as SWITCHES } from '../../bench/walls/list.ts'

// The benchmark measures each guard by removing its text from the source, so the source must contain that text exactly
// once.

test.each([...BENCH_GUARDS, ...SWITCHES])(
  'the source contains the text of guard $name exactly once, so that the benchmark can remove it',
  ({ file, text }) => {
    const source = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    expect(source.split(text)).toHaveLength(2)
  },
)

/**
 * Simulates pairs of requests of about a millisecond each, on a machine whose speed sometimes halves. One request in
 * each pair is slower by the given share.
 */
function measured(dearer: number) {
  const random = new Random(7)
  return Array.from({ length: 5000 }, () => {
    const pace = random.chance(0.3) ? 2000 : 1000
    const one = () => pace + random.next() * 200 + (random.chance(0.02) ? 50_000 * random.next() : 0)
    return [one() * (1 + dearer), one()] as const
  })
}

test('the benchmark finds no difference between equal pairs, but detects a difference of 3%', () => {
  const same = comparePairedMeasurements(measured(0))
  expect([same.low < 0, same.high > 0, Math.abs(same.cost) < 0.01]).toEqual([true, true, true])
  const more = comparePairedMeasurements(measured(0.03))
  expect([more.low > 0.02, more.high < 0.05]).toEqual([true, true])
})
