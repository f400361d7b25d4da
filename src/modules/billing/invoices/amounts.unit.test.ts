import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CreditAmounts,
  type CreditableLine,
  computeCreditByNet,
  computeCreditByQuantity,
  computeCreditPreview,
  computeEarnedAmount,
  computeInvoiceTotals,
  computeRemainingCredit,
  convertTaxToSterling,
  recalculateInvoiceBalance,
  remainingCreditableAmounts,
} from './amounts.ts'

const add = (of: readonly number[]) => of.reduce((a, b) => a + b, 0)
const lineOf = (quantity: number, unitAmount: number, percent: number, percentOff = 0): CreditableLine => {
  const line = { quantity, unitAmount, taxPercent: percent, taxCode: 'standard' as const }
  const [only] = computeInvoiceTotals({ currency: 'GBP', percentOff }, [line]).lines
  return { quantity, net: only?.net ?? 0, tax: only?.tax ?? 0, credited: [] }
}
const credited = (line: CreditableLine, credit: CreditAmounts): CreditableLine => ({
  ...line,
  credited: [...line.credited, credit],
})

describe('partial credits for an invoice line', () => {
  test("the VAT on three partial credits adds up to the line's VAT: 53p for 3 at £1.01, not 54p", () => {
    let line = lineOf(3, 101, 17.5)
    expect([line.net, line.tax]).toEqual([303, 53])
    const parts = [1, 1, 1].map((n) => {
      const credit = computeCreditByQuantity(line, n)
      line = credited(line, credit)
      return [credit.net, credit.tax]
    })
    expect(parts).toEqual([
      [101, 18],
      [101, 17],
      [101, 18],
    ])
  })

  test('crediting a quantity credits the price paid after the discount', () => {
    const line = lineOf(3, 333.3333, 20, 10)
    expect(line.net).toBe(900)
    expect(computeCreditByQuantity(line, 1)).toEqual({ quantity: 1, net: 300, tax: 60 })
  })

  test('crediting a net amount also credits its VAT', () => {
    const line = lineOf(1, 10_000, 20)
    const part = computeCreditByNet(line, 2500)
    expect(part).toEqual({ quantity: null, net: 2500, tax: 500 })
    expect(remainingCreditableAmounts(credited(line, part))).toEqual({ net: 7500, tax: 1500 })
  })

  test("partial credits for a line, in any sequence, never exceed the line's amount and finally equal it", () => {
    const cut = fc.oneof(
      fc.record({ by: fc.constant('quantity' as const), of: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ by: fc.constant('net' as const), of: fc.integer({ min: 1, max: 5000 }) }),
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 100),
        fc.constantFrom(0, 5, 17.5, 20, 100),
        fc.integer({ min: 0, max: 100 }),
        fc.array(cut, { maxLength: 20 }),
        (quantity, unitAmount, percent, percentOff, cuts) => {
          let line = lineOf(quantity, unitAmount, percent, percentOff)
          for (const { by, of } of cuts) {
            const credit = by === 'net' ? computeCreditByNet(line, of) : computeCreditByQuantity(line, of)
            // Excessive credits are skipped, because callers reject them.
            if (credit.net < 0 || credit.net > remainingCreditableAmounts(line).net) continue
            line = credited(line, credit)
            const left = remainingCreditableAmounts(line)
            expect(left.net).toBeGreaterThanOrEqual(0)
            expect(left.tax).toBeGreaterThanOrEqual(0)
          }
          line = credited(line, computeRemainingCredit(line))
          expect([add(line.credited.map((c) => c.net)), add(line.credited.map((c) => c.tax))]).toEqual([
            line.net,
            line.tax,
          ])
        },
      ),
    )
  })
})

describe("an invoice's balance", () => {
  const fresh = { total: 1200, amountPaid: 0, amountCredited: 0, amountWrittenOff: 0 }
  test("an invoice's balance reflects its payments, credits and write-offs", () => {
    expect(recalculateInvoiceBalance(fresh, { paid: 200 })).toMatchObject({ amountDue: 1000, state: 'open' })
    expect(recalculateInvoiceBalance(fresh, { paid: 1200 })).toMatchObject({ amountDue: 0, state: 'paid' })
    expect(recalculateInvoiceBalance(fresh, { credited: 1200 })).toMatchObject({ amountDue: 0, state: 'paid' })
    expect(recalculateInvoiceBalance({ ...fresh, amountPaid: 1200 }, { credited: 300 })).toMatchObject({
      amountDue: 0,
      state: 'paid',
    })
    expect(recalculateInvoiceBalance({ ...fresh, amountPaid: 200 }, { writtenOff: 1000 })).toMatchObject({
      amountDue: 0,
      state: 'uncollectible',
    })
    expect(recalculateInvoiceBalance({ ...fresh, amountPaid: 1200 }, { paid: -500 })).toMatchObject({
      amountDue: 500,
      state: 'open',
    })
  })
})

describe('earned income', () => {
  const january = { from: '2026-01-01', to: '2026-01-31' }
  test('deferred income is earned day by day, and in full on the last day', () => {
    expect(computeEarnedAmount(3100, january, '2025-12-31')).toBe(0)
    expect(computeEarnedAmount(3100, january, '2026-01-01')).toBe(100)
    expect(computeEarnedAmount(3100, january, '2026-01-31')).toBe(3100)
    expect(computeEarnedAmount(3100, january, '2027-01-01')).toBe(3100)
    expect(computeEarnedAmount(-3100, january, '2026-01-10')).toBe(-1000)
  })

  test('earned income never decreases and never exceeds the total', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 400 }), (net, length) => {
        const from = Temporal.PlainDate.from('2027-12-15')
        const days = { from: from.toString(), to: from.add({ days: length }).toString() }
        let last = 0
        for (let n = -1; n <= length + 1; n++) {
          const now = computeEarnedAmount(net, days, from.add({ days: n }).toString())
          expect(now).toBeGreaterThanOrEqual(last)
          last = now
        }
        expect(last).toBe(net)
      }),
      { numRuns: 20 },
    )
  })
})

test("VAT in another currency is converted to sterling at the invoice's rate", () => {
  expect(convertTaxToSterling(2000, 1.1624)).toBe(1721)
  expect(convertTaxToSterling(0, 1.1624)).toBe(0)
})

describe('previewing a credit', () => {
  const lines = [lineOf(2, 5000, 20), lineOf(1, 3333, 20)]
  const open = { total: 16_000, amountPaid: 0, amountCredited: 0, amountWrittenOff: 0, amountDue: 16_000 }

  test("a partial credit of two lines has each line's VAT and leaves the rest payable", () => {
    expect(computeCreditPreview(open, lines, [5000, 333])).toEqual({
      net: 5333,
      tax: 1067,
      gross: 6400,
      due: 9600,
      paid: 0,
    })
    expect(computeCreditPreview(open, lines, [null, undefined])).toEqual({
      net: 0,
      tax: 0,
      gross: 0,
      due: 16_000,
      paid: 0,
    })
  })

  test('crediting all lines credits the whole remainder, negative lines included', () => {
    const [first, second] = lines as [CreditableLine, CreditableLine]
    const partly = credited(first, computeCreditByNet(first, 2500))
    const negative: CreditableLine = { quantity: 1, net: -1000, tax: -200, credited: [] }
    expect(computeCreditPreview(open, [partly, second, negative], 'all')).toMatchObject({
      net: 7500 + 3333 - 1000,
      tax: 1500 + 667 - 200,
    })
  })

  test('only the part of a credit that exceeds the amount due counts as already paid', () => {
    const paid = { ...open, amountPaid: 10_000, amountDue: 6000 }
    expect(computeCreditPreview(paid, lines, [5000, 1666])).toMatchObject({ gross: 7999, due: 0, paid: 1999 })
    const writtenOff = { ...open, amountWrittenOff: 16_000, amountDue: 0 }
    expect(computeCreditPreview(writtenOff, lines, [5000, null])).toMatchObject({ due: 0, paid: 0 })
  })
})
