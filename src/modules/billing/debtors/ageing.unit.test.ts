import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ageDebts, type ReceivableItem, sumDebtsByAge } from './ageing.ts'

const owed = (dueOn: string, amount: number, invoice: number | null = 1): ReceivableItem => ({
  customer: 1,
  currency: 'GBP',
  invoice,
  dueOn,
  amount,
})
const ages = (...of: ReceivableItem[]) => ageDebts(of, '2026-11-30').map(({ age, days, amount }) => [age, days, amount])

describe('debts by age', () => {
  test('debts move to the next age band after 30, 60 and 90 days', () => {
    expect(ages(owed('2026-12-01', 1), owed('2026-11-30', 2), owed('2026-11-29', 3))).toEqual([
      ['1-30', 1, 3],
      ['current', 0, 2],
      ['current', -1, 1],
    ])
    expect(ages(owed('2026-10-31', 1))).toEqual([['1-30', 30, 1]])
    expect(ages(owed('2026-10-30', 1), owed('2026-10-01', 2))).toEqual([
      ['31-60', 60, 2],
      ['31-60', 31, 1],
    ])
    expect(ages(owed('2026-09-30', 1), owed('2026-09-01', 2), owed('2026-08-31', 3))).toEqual([
      ['over90', 91, 3],
      ['61-90', 90, 2],
      ['61-90', 61, 1],
    ])
  })

  test('credit is set against the oldest debts first, and any excess is listed separately', () => {
    expect(ages(owed('2026-08-01', 500), owed('2026-11-10', 300), owed('2026-11-20', -600, null))).toEqual([
      ['1-30', 20, 200],
    ])
    expect(ages(owed('2026-08-01', 500), owed('2026-11-20', -600, null))).toEqual([['credit', 0, -100]])
  })

  test('aged debts always add up to the account balances', () => {
    const one = fc.record({
      customer: fc.integer({ min: 1, max: 3 }),
      currency: fc.constantFrom('GBP' as const, 'EUR' as const),
      invoice: fc.option(fc.integer({ min: 1, max: 9 })),
      dueOn: fc
        .integer({ min: 0, max: 400 })
        .map((n) => Temporal.PlainDate.from('2026-01-01').add({ days: n }).toString()),
      amount: fc.integer({ min: -100_000, max: 100_000 }).filter((n) => n !== 0),
    })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), (all) => {
        const aged = ageDebts(all, '2026-11-30')
        const key = ({ customer, currency }: ReceivableItem) => `${customer} ${currency}`
        const sums = (of: readonly ReceivableItem[]) => {
          const by = new Map<string, number>()
          for (const each of of) by.set(key(each), (by.get(key(each)) ?? 0) + each.amount)
          return [...by].filter(([, sum]) => sum !== 0).toSorted()
        }
        expect(sums(aged)).toEqual(sums(all))
        expect(Object.values(sumDebtsByAge(aged)).reduce((a, b) => a + b, 0)).toBe(
          all.reduce((a, b) => a + b.amount, 0),
        )
        expect(aged.every(({ age, amount }) => (age === 'credit') === amount < 0 && amount !== 0)).toBe(true)
        // No customer has both debts and credit.
        for (const of of Map.groupBy(aged, key).values())
          expect(new Set(of.map(({ amount }) => amount > 0)).size).toBe(1)
      }),
    )
  })
})
