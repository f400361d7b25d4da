import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calculateCommission, findCommissionRate } from './month.ts'

const rate = (id: number, percent: number, more: object = {}) => ({
  id,
  seller: null,
  product: null,
  source: null,
  percent,
  from: '2026-01-01',
  retired: false,
  ...more,
})
const sold = { seller: 1, product: 2, source: 'quote', day: '2026-03-31' } as const

describe("a sale's commission rate", () => {
  test("a sale's commission rate is the most specific match and, among equally specific ones, the latest", () => {
    const all = rate(1, 10)
    expect(findCommissionRate([], sold)).toBeUndefined()
    expect(findCommissionRate([all], sold)).toBe(all)
    const product = rate(2, 12, { product: 2 })
    const person = rate(3, 5, { seller: 1 })
    expect(findCommissionRate([all, product], sold)).toBe(product)
    expect(findCommissionRate([person, all, product], sold)).toBe(person)
    const newer = rate(4, 6, { seller: 1, from: '2026-03-31' })
    expect(findCommissionRate([person, newer], sold)).toBe(newer)
    expect(findCommissionRate([person, { ...newer, from: '2026-04-01' }], sold)).toBe(person)
  })
  test('retired rates, and rates for another seller, product or source, never apply to a sale', () => {
    for (const more of [{ seller: 9 }, { product: 9 }, { source: 'hand' as const }, { retired: true }])
      expect(findCommissionRate([rate(1, 10, more)], sold)).toBeUndefined()
  })
})

test('commission is exact to the penny, with half pennies rounded up', () => {
  expect([calculateCommission(1005, 10), calculateCommission(1004, 10), calculateCommission(333, 33.3333)]).toEqual([
    101, 100, 111,
  ])
  fc.assert(
    fc.property(fc.nat(1_000_000_000), fc.integer({ min: 0, max: 1_000_000 }), (pence, parts) => {
      const exact = (BigInt(pence) * BigInt(parts) * 2n + 1_000_000n) / 2_000_000n
      expect(calculateCommission(pence, parts / 10_000)).toBe(Number(exact))
    }),
  )
})
