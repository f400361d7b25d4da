import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocatePence } from './allocate.ts'
import {
  BILLING_INTERVALS,
  type BillingCycle,
  billingPeriodOn,
  daysInPeriod,
  findBillingPeriodNumber,
  nthBillingPeriod,
} from './periods.ts'
import { nextInstalment, prorate } from './prorate.ts'
import { type DatedVatRate, defaultTaxCode, findVatRateOn } from './tax-codes.ts'

const day = (iso: string) => Temporal.PlainDate.from(iso)
const sum = (all: readonly bigint[]) => all.reduce((a, b) => a + b, 0n)
const pence = fc.bigInt({ min: -1_000_000_000_000n, max: 1_000_000_000_000n })
const weights = fc.array(fc.bigInt({ min: 0n, max: 1_000_000_000n }), { minLength: 1, maxLength: 20 })

describe('allocating pence', () => {
  test('allocation gives odd pence to the shares with the largest remainders', () => {
    expect(allocatePence(100n, [1n, 1n, 1n])).toEqual([34n, 33n, 33n])
    expect(allocatePence(-100n, [1n, 1n, 1n])).toEqual([-34n, -33n, -33n])
    expect(allocatePence(5n, [0n, 0n])).toEqual([0n, 0n])
  })

  test('allocated shares sum to the total, and each is within a penny of its exact amount', () => {
    fc.assert(
      fc.property(pence, weights, (total, all) => {
        const shares = allocatePence(total, all)
        const whole = sum(all)
        expect(sum(shares)).toBe(whole === 0n ? 0n : total)
        for (const [n, share] of shares.entries()) {
          const off = share * whole - total * (all[n] as bigint)
          expect(off < 0n ? -off : off).toBeLessThan(whole || 1n)
        }
        expect(allocatePence(-total, all)).toEqual(shares.map((s) => -s))
      }),
    )
  })
})

describe('billing periods', () => {
  const monthly = (anchor: string): BillingCycle => ({ anchor: day(anchor), rhythm: 'month', count: 1 })

  test('billing periods are counted from the anchor day, so their first days never drift', () => {
    const from = (n: number) => nthBillingPeriod(monthly('2026-01-31'), n).from.toString()
    expect([0, 1, 2, 3, 13].map(from)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2027-02-28'])
    const leap = nthBillingPeriod({ anchor: day('2024-02-29'), rhythm: 'year', count: 1 }, 1)
    expect([leap.from, leap.to].map(String)).toEqual(['2025-02-28', '2026-02-28'])
    expect(nthBillingPeriod({ anchor: day('2024-02-29'), rhythm: 'year', count: 1 }, 4).from.toString()).toBe(
      '2028-02-29',
    )
    expect(daysInPeriod(nthBillingPeriod({ anchor: day('2026-01-01'), rhythm: 'quarter', count: 2 }, 0))).toBe(181)
  })

  test('billing periods include each day exactly once, and each begins when the previous one ends', () => {
    const anchor = fc.integer({ min: 0, max: 3000 }).map((n) => day('2020-01-01').add({ days: n }))
    const cycle = fc.record({
      anchor,
      rhythm: fc.constantFrom(...BILLING_INTERVALS),
      count: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(cycle, fc.integer({ min: -2000, max: 4000 }), (of, offset) => {
        const on = of.anchor.add({ days: offset })
        const { from, to } = billingPeriodOn(of, on)
        expect(Temporal.PlainDate.compare(from, on)).toBeLessThanOrEqual(0)
        expect(Temporal.PlainDate.compare(on, to)).toBe(-1)
        expect(nthBillingPeriod(of, findBillingPeriodNumber(of, on) + 1).from.equals(to)).toBe(true)
      }),
    )
  })
})

describe('proration', () => {
  test('a prorated price is calculated from full days', () => {
    expect(prorate(3000n, 15, 30)).toBe(1500n)
    expect(prorate(1000n, 1, 3)).toBe(333n)
    expect(prorate(-1000n, 2, 3)).toBe(-667n)
  })

  test('prorated instalments sum to the total, for any number and size of instalments', () => {
    const cut = fc.array(fc.bigInt({ min: 1n, max: 1000n }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(pence, cut, (amount, parts) => {
        let done = 0n
        let settled = 0n
        for (const part of parts) {
          done += part
          settled += nextInstalment(amount, done, sum(parts), settled)
        }
        expect(settled).toBe(amount)
      }),
    )
  })

  test('the credits for three single units add up to the 53p charged for all three', () => {
    const settled: bigint[] = []
    for (const n of [1n, 2n, 3n]) settled.push(nextInstalment(53n, n, 3n, sum(settled)))
    expect(settled).toEqual([18n, 17n, 18n])
  })
})

describe('VAT rates', () => {
  const rate = (percent: number, from: string | null, retired = false): DatedVatRate => ({
    code: 'standard',
    percent,
    from,
    retired,
  })
  const standard = [
    rate(20, '2011-01-04'),
    rate(17.5, '2010-01-01'),
    rate(15, '2008-12-01'),
    rate(25, '2030-01-01', true),
  ]

  test('the VAT rate in force at the tax point applies', () => {
    const at = (on: string) => findVatRateOn(standard, 'standard', on)?.percent
    expect([at('2010-12-31'), at('2011-01-04'), at('2031-05-05'), at('2008-11-30')]).toEqual([17.5, 20, 20, undefined])
    expect(findVatRateOn(standard, 'reduced', '2026-01-01')).toBeUndefined()
  })

  test('each VAT percentage has a default tax code', () => {
    expect([20, 17.5, 15, 12.5, 5, 0].map(defaultTaxCode)).toEqual([
      'standard',
      'standard',
      'standard',
      'reduced',
      'reduced',
      'zero',
    ])
  })
})
