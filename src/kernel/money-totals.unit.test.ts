import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MoneyError } from './money.ts'
import {
  calculateLineAmount,
  calculateTotals,
  type Discount,
  describeLineDiscount,
  type TotalsInput,
  type TotalsLine,
} from './money-totals.ts'

const line = (unitAmount: TotalsLine['unitAmount'], more: Partial<TotalsLine> = {}): TotalsLine => ({
  quantity: 1,
  unitAmount,
  ...more,
})
const gbp = (lines: readonly TotalsLine[], discount?: Discount, taxPercent: TotalsInput['taxPercent'] = 20) =>
  calculateTotals({ currency: 'GBP', lines, taxPercent, ...(discount ? { discount } : {}) })

describe('document totals', () => {
  test('the total of a document without lines is zero', () => {
    expect(gbp([])).toMatchObject({ lines: [], subtotal: 0, discount: 0, net: 0, tax: 0, gross: 0, taxByRate: [] })
  })

  test('tax is rounded to the nearest penny on each line', () => {
    // On each of two lines, 86.76p of VAT becomes 87p (the example in VAT Notice 700, section 17.5.1).
    const t = gbp([line('433.8'), line('433.8')])
    expect(t.lines.map((l) => [l.net, l.tax])).toEqual([
      [434, 87],
      [434, 87],
    ])
    expect([t.net, t.tax, t.gross]).toEqual([868, 174, 1042])
  })

  test('a price with fractions of a penny is rounded after it is multiplied by its quantity, not before', () => {
    expect(gbp([line('0.3333', { quantity: 3000 })]).net).toBe(1000)
    expect(gbp([line('0.4')]).net).toBe(0)
    expect(gbp([line(999, { quantity: '1.5' })]).net).toBe(1499)
  })

  test('lines can be taxed at 0% and at 100%', () => {
    expect(gbp([line(1000)], undefined, 0).gross).toBe(1000)
    expect(gbp([line(1000)], undefined, 100).gross).toBe(2000)
    expect(gbp([line(1000)], undefined, '17.5').tax).toBe(175)
  })

  test('lines can have their own tax rates', () => {
    expect(gbp([line(1000, { taxPercent: 5 }), line(1000), line(1000, { taxPercent: 0 })]).taxByRate).toEqual([
      { code: 'standard', percent: 20, net: 1000, tax: 200 },
      { code: 'reduced', percent: 5, net: 1000, tax: 50 },
      { code: 'zero', percent: 0, net: 1000, tax: 0 },
    ])
  })

  test('the four VAT treatments with a tax rate of 0% charge no VAT', () => {
    const none = (['reverse', 'exempt', 'outside', 'zero'] as const).map((taxCode) =>
      line(1000, { taxCode, taxPercent: 20 }),
    )
    expect(gbp(none).taxByRate).toEqual(
      ['zero', 'exempt', 'outside', 'reverse'].map((code) => ({ code, percent: 0, net: 1000, tax: 0 })),
    )
  })

  test('a percentage discount is rounded once for the document, not on every line', () => {
    const t = gbp(
      Array.from({ length: 500 }, () => line(5)),
      { percentOff: 10 },
    )
    expect([t.subtotal, t.discount, t.net]).toEqual([2500, 250, 2250])
  })

  test('the odd pence of a discount are allocated to the lines with the largest remainders', () => {
    const t = gbp([line(100), line(100), line(100)], { amountOff: 100 })
    expect(t.lines.map((l) => l.discount)).toEqual([34, 33, 33])
  })

  test('a discount does not apply to credits or to non-discountable lines', () => {
    const t = gbp([line(1000), line(1000, { discountable: false }), line(-500)], { percentOff: 50 })
    expect(t.lines.map((l) => l.discount)).toEqual([500, 0, 0])
  })

  test('a discount never makes the total of a document negative', () => {
    expect(gbp([line(1000), line(-800)], { amountOff: 500 })).toMatchObject({ discount: 200, net: 0 })
    expect(gbp([line(-800)], { amountOff: 500 })).toMatchObject({ discount: 0, net: -800 })
    expect(gbp([line(1000)], { percentOff: 100 })).toMatchObject({ discount: 1000, net: 0, tax: 0, gross: 0 })
  })

  test('a credit for the full charge brings the total to exactly zero', () => {
    expect(gbp([line(-433), line(433)])).toMatchObject({ net: 0, tax: 0, gross: 0 })
  })

  test.each<[string, TotalsInput, string, number | undefined]>([
    [
      'a line in another currency',
      { currency: 'GBP', lines: [line(1), line(1, { currency: 'EUR' })], taxPercent: 20 },
      'EUR',
      1,
    ],
    [
      'a discount in another currency',
      { currency: 'GBP', lines: [line(1)], taxPercent: 20, discount: { amountOff: 1, currency: 'USD' } },
      'USD',
      undefined,
    ],
    [
      'an amount above the maximum',
      { currency: 'GBP', lines: [line('999999999999999', { quantity: 99 })], taxPercent: 20 },
      'too large to calculate',
      0,
    ],
    ['a tax rate above 100%', { currency: 'GBP', lines: [line(1)], taxPercent: 101 }, 'from 0 to 100', undefined],
    [
      'a discount below zero',
      { currency: 'GBP', lines: [line(1)], taxPercent: 0, discount: { amountOff: -1 } },
      'whole number',
      undefined,
    ],
    [
      'a discount above 100%',
      { currency: 'GBP', lines: [line(1)], taxPercent: 0, discount: { percentOff: 101 } },
      'from 0 to 100',
      undefined,
    ],
    [
      'an amount that is not a number',
      { currency: 'GBP', lines: [line(Number.NaN)], taxPercent: 20 },
      'must be a number',
      0,
    ],
  ])('calculating the totals of a document throws an error for %s', (_, input, words, at) => {
    const refused = () => calculateTotals(input)
    expect(refused).toThrow(MoneyError)
    expect(refused).toThrow(words)
    expect(caught(refused)?.line).toBe(at)
  })
})

const caught = (run: () => unknown): MoneyError | undefined => {
  try {
    run()
    return undefined
  } catch (e) {
    return e as MoneyError
  }
}

const rate = fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000)
const amount = fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map((n) => n / 100)
const anyLine: fc.Arbitrary<TotalsLine> = fc.record(
  {
    quantity: fc.integer({ min: -50, max: 1000 }),
    unitAmount: amount,
    taxPercent: fc.constantFrom(0, 5, 20, 17.5, 100),
    discountable: fc.boolean(),
    discountPercent: rate,
  },
  { requiredKeys: ['quantity', 'unitAmount'] },
)
const anyDiscount: fc.Arbitrary<Discount | undefined> = fc.oneof(
  fc.constant(undefined),
  rate.map((percentOff) => ({ percentOff })),
  fc.integer({ min: 0, max: 10 ** 12 }).map((amountOff) => ({ amountOff })),
)
const anyInput = fc.tuple(fc.array(anyLine, { maxLength: 30 }), anyDiscount, rate)
const add = (ns: readonly number[]) => ns.reduce((a, b) => a + b, 0)

describe('line discounts', () => {
  const less = (discountPercent: number, unitAmount: TotalsLine['unitAmount'], quantity = 1) =>
    line(unitAmount, { quantity, discountPercent })

  test("a line's own discount is part of its amount, which is rounded once", () => {
    // 3 × £24.99 × 87.5% = £65.59875, but three units at the rounded price of £21.87 would cost £65.61.
    expect(gbp([less(12.5, 2499, 3)])).toMatchObject({ subtotal: 6560, lineDiscount: 937, discount: 0, net: 6560 })
    // 30% of 1.5p is 0.45p; of the price rounded to 2p, it would be 0.6p.
    expect(gbp([less(70, '1.5')])).toMatchObject({ net: 0, lineDiscount: 2 })
    expect(gbp([less(33.3333, '0.0001', 1_000_000)]).net).toBe(67)
    expect(gbp([less(100, 2499, 3)])).toMatchObject({ subtotal: 0, lineDiscount: 7497, tax: 0, gross: 0 })
    expect(gbp([less(12.5, -2499, 3)])).toMatchObject({ subtotal: -6560, lineDiscount: -937 })
  })

  test('a document’s discount applies to its amount after line discounts and before VAT', () => {
    const t = gbp([less(12.5, 2499, 3), line(1000, { discountable: false })], { percentOff: 10 })
    expect(t).toMatchObject({ subtotal: 7560, lineDiscount: 937, discount: 656, net: 6904, tax: 1381, gross: 8285 })
    expect(gbp([less(90, 1000)], { amountOff: 500 })).toMatchObject({ subtotal: 100, discount: 100, net: 0 })
  })

  test('the totals of a document without line discounts do not mention line discounts', () => {
    expect(gbp([line(1000), less(0, 500)])).not.toHaveProperty('lineDiscount')
    expect(['', '', 'less 12.5%']).toEqual(
      [null, 0, 12.5].map((discountPercent) => describeLineDiscount({ discountPercent })),
    )
  })

  test.each([
    [-1, 'The discount percentage must be from 0 to 100.'],
    [100.0001, 'The discount percentage must be from 0 to 100.'],
    [12.34567, 'The discount percentage can have at most four decimal places.'],
  ])("a line's discount of %s %% is refused", (discountPercent, message) => {
    expect(() => gbp([line(100), less(discountPercent, 100)])).toThrow(new MoneyError(message, 1))
  })

  test('the amount of any line, or part of a line, is the exact fraction, rounded once', () => {
    const units = fc.integer({ min: -(10 ** 9), max: 10 ** 9 })
    const percent = fc.integer({ min: 0, max: 1_000_000 })
    const part = fc.tuple(fc.integer({ min: 0, max: 366 }), fc.integer({ min: 1, max: 366 }))
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 9 }),
        units,
        percent,
        part,
        (quantity, price, off, [days, ofDays]) => {
          const given = { quantity: quantity / 10_000, unitAmount: price / 10_000, discountPercent: off / 10_000 }
          const exact = BigInt(quantity) * BigInt(price) * (1_000_000n - BigInt(off)) * BigInt(days)
          const bottom = 10n ** 14n * BigInt(ofDays)
          const twice = 2n * (BigInt(calculateLineAmount(given, days, ofDays)) * bottom - exact)
          expect(twice <= bottom && twice >= -bottom).toBe(true)
          if (twice === bottom || twice === -bottom) expect(twice > 0n).toBe(exact > 0n)
        },
      ),
    )
  })
})

describe('totals of any document', () => {
  test('the lines, taxes and totals of any document add up to the penny', () => {
    fc.assert(
      fc.property(anyInput, ([lines, discount, tax]) => {
        const t = gbp(lines, discount, tax)
        for (const l of t.lines) {
          expect(l.net).toBe(l.amount - l.discount)
          expect(l.gross).toBe(l.net + l.tax)
        }
        for (const key of ['discount', 'net', 'tax', 'gross'] as const)
          expect(add(t.lines.map((l) => l[key]))).toBe(t[key])
        expect(t.subtotal - t.discount).toBe(t.net)
        expect(t.net + t.tax).toBe(t.gross)
        expect(add(t.taxByRate.map((r) => r.net))).toBe(t.net)
        expect(add(t.taxByRate.map((r) => r.tax))).toBe(t.tax)
      }),
    )
  })

  test("the order of a document's lines does not affect its totals", () => {
    const shuffled = anyInput.chain(([lines, discount, tax]) =>
      fc.tuple(
        fc.constant(lines),
        fc.shuffledSubarray(lines, { minLength: lines.length, maxLength: lines.length }),
        fc.constant(discount),
        fc.constant(tax),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([lines, other, discount, tax]) => {
        const { lines: _, ...a } = gbp(lines, discount, tax)
        const { lines: __, ...b } = gbp(other, discount, tax)
        expect(a).toEqual(b)
      }),
    )
  })

  test('a discount never exceeds the charges it applies to, per line and in total', () => {
    fc.assert(
      fc.property(anyInput, ([lines, discount, tax]) => {
        const t = gbp(lines, discount, tax)
        for (const l of t.lines) expect(l.discount >= 0 && l.discount <= Math.max(0, l.amount)).toBe(true)
        expect(t.discount).toBeLessThanOrEqual(Math.max(0, t.subtotal))
        if (discount?.amountOff !== undefined) expect(t.discount).toBeLessThanOrEqual(discount.amountOff)
      }),
    )
  })

  test('a higher tax rate never reduces the tax', () => {
    const charges = fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { maxLength: 20 })
    fc.assert(
      fc.property(charges, rate, rate, (amounts, a, b) => {
        const tax = (percent: number) =>
          gbp(
            amounts.map((n) => line(n)),
            undefined,
            percent,
          ).tax
        expect(tax(Math.min(a, b))).toBeLessThanOrEqual(tax(Math.max(a, b)))
      }),
    )
  })

  test('the tax of each line is within half a penny of the exact amount', () => {
    fc.assert(
      fc.property(anyInput, ([lines, discount, tax]) => {
        for (const l of gbp(lines, discount, tax).lines)
          expect(Math.abs(l.tax * 100 - l.net * l.taxPercent)).toBeLessThanOrEqual(50.001 + Math.abs(l.net) * 1e-9)
      }),
    )
  })

  test('the totals of a credit are the negated totals of its charge', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 20 }), rate, (lines, tax) => {
        const t = gbp(lines, undefined, tax)
        const back = gbp(
          lines.map((l) => ({ ...l, quantity: -Number(l.quantity) })),
          undefined,
          tax,
        )
        // Adding 0 turns −0 into 0.
        expect([0 - back.net + 0, 0 - back.tax + 0, 0 - back.gross + 0]).toEqual([t.net + 0, t.tax + 0, t.gross + 0])
      }),
    )
  })
})
