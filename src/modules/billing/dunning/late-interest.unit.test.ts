import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  computeLateInterest,
  type DebtMovement,
  KNOWN_BASE_RATES,
  referenceRateDay,
  remainingLateInterest,
} from './late-interest.ts'

const debt = (dueOn: string, ...movements: DebtMovement[]) => ({ dueOn, currency: 'GBP' as const, movements })
const owed = (amount: number, day = '2024-01-01') => ({ day, amount })
const rates = KNOWN_BASE_RATES

test('the reference rate is the one in force before the half-year in which the debt became overdue', () => {
  // A debt due on the last day of a half-year becomes overdue in the next one.
  expect(
    ['2024-06-29', '2024-06-30', '2024-12-30', '2024-12-31', '2025-01-15', '2026-11-16'].map(referenceRateDay),
  ).toEqual(['2023-12-31', '2024-06-30', '2024-06-30', '2024-12-31', '2024-12-31', '2026-06-30'])
})

test('the base rates have exactly one row for each half-year, without gaps', () => {
  const days = KNOWN_BASE_RATES.map(({ day }) => day)
  expect(days).toEqual(days.map((_, n) => `${2009 + Math.floor(n / 2)}-${n % 2 ? '12-31' : '06-30'}`))
})

describe('statutory interest', () => {
  test('a debt of £1,000.00 that is 41 days late at 13.25% bears £14.88 and a fixed sum of £70.00', () => {
    // 100,000p × 41 × 13.25 / 36,500 = 1,488.36p
    expect(computeLateInterest(debt('2024-03-31', owed(100_000)), rates, '2024-05-11')).toEqual({
      from: '2024-04-01',
      to: '2024-05-11',
      rateDay: '2023-12-31',
      percent: 13.25,
      interest: 1488,
      fixedSum: 7000,
      perDay: 36,
    })
  })

  test('no interest and no fixed sum is due on the due date', () => {
    expect(computeLateInterest(debt('2024-03-31', owed(100_000)), rates, '2024-03-31')).toMatchObject({
      interest: 0,
      fixedSum: 0,
    })
  })

  test("a debt's rate does not change if the base rate changes in the same half-year or the next", () => {
    // The rate was 5.25% on 31 December 2023 and 30 June 2024, 5% from 1 August and 4.75% on 31 December.
    const later = computeLateInterest(debt('2024-03-31', owed(100_000)), rates, '2025-03-31')
    expect([later.percent, later.interest]).toEqual([13.25, 13_250])
  })

  test('interest on a partly paid or credited debt follows the amount outstanding on each day', () => {
    // £1,200 for 10 days, £700 for 10 days, £600 for 10 days: 25,000 pound-days at 12.75%.
    const all = debt(
      '2025-03-31',
      owed(120_000, '2025-03-01'),
      owed(-50_000, '2025-04-10'),
      owed(-10_000, '2025-04-20'),
    )
    expect(computeLateInterest(all, rates, '2025-04-30')).toMatchObject({
      percent: 12.75,
      interest: 873,
      fixedSum: 7000,
    })
  })

  test('the fixed sum follows the debt when it became overdue: £40, £70 from £1,000 and £100 from £10,000', () => {
    const sumOf = (...all: DebtMovement[]) =>
      computeLateInterest(debt('2024-03-31', ...all), rates, '2024-04-02').fixedSum
    expect([99_999, 100_000, 999_999, 1_000_000].map((amount) => sumOf(owed(amount)))).toEqual([
      4000, 7000, 7000, 10_000,
    ])
    expect(sumOf(owed(1_000_000), owed(-900_001, '2024-03-31'))).toBe(4000)
    expect(sumOf(owed(1_000_000), owed(-900_001, '2024-04-01'))).toBe(10_000)
  })

  test('fixed sums are in sterling, so a debt in another currency has none', () => {
    const euro = { ...debt('2024-03-31', owed(100_000)), currency: 'EUR' as const }
    expect(computeLateInterest(euro, rates, '2024-05-11')).toMatchObject({ interest: 1488, fixedSum: 0 })
  })

  test('interest is unknown, not zero, if the base rate of the half-year is unknown', () => {
    expect(computeLateInterest(debt('2030-03-31', owed(100_000)), rates, '2030-05-11')).toMatchObject({
      rateDay: '2029-12-31',
      percent: null,
      interest: null,
      perDay: null,
    })
  })

  test('interest added in parts adds up to the total, to the penny', () => {
    const of = debt('2024-03-31', owed(123_457))
    const parts: { interest: number; fixedSum: number }[] = []
    for (const to of ['2024-04-07', '2024-04-08', '2024-06-30', '2025-01-31']) {
      const { interest, fixedSum } = remainingLateInterest(computeLateInterest(of, rates, to), parts)
      parts.push({ interest: interest ?? 0, fixedSum })
    }
    const total = computeLateInterest(of, rates, '2025-01-31')
    expect(parts.reduce((sum, { interest }) => sum + interest, 0)).toBe(total.interest)
    expect(parts.map(({ fixedSum }) => fixedSum)).toEqual([7000, 0, 0, 0])
  })

  test('the interest equals an independently calculated sum of daily fractions', () => {
    const day = (n: number) => Temporal.PlainDate.from('2023-05-01').add({ days: n }).toString()
    const movement = fc.record({
      at: fc.integer({ min: 1, max: 500 }),
      amount: fc.integer({ min: -40_000, max: 20_000 }),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000_000 }),
        fc.integer({ min: 0, max: 250 }),
        fc.integer({ min: 0, max: 500 }),
        fc.array(movement, { maxLength: 6 }),
        (amount, due, until, moved) => {
          const movements = [owed(amount, day(0)), ...moved.map((one) => owed(one.amount, day(one.at)))]
          const answer = computeLateInterest(debt(day(due), ...movements), rates, day(until))
          // Uses a separate table of half-years, and calculates one day at a time in 1/36,500,000 of a penny.
          const starts = Temporal.PlainDate.from(day(due)).add({ days: 1 })
          const bases: Record<string, bigint> = { '2023 1': 3500n, '2023 2': 5000n, '2024 1': 5250n }
          const rate = (bases[`${starts.year} ${starts.month <= 6 ? 1 : 2}`] ?? 0n) + 8000n
          let fraction = 0n
          for (let n = due + 1; n <= until; n++) {
            const debtThen = [{ at: 0, amount }, ...moved]
              .filter(({ at }) => at < n)
              .reduce((s, one) => s + one.amount, 0)
            fraction += BigInt(Math.max(0, debtThen)) * rate
          }
          const whole = 36_500_000n
          expect(BigInt(answer.interest ?? -1)).toBe((fraction * 2n + whole) / (whole * 2n))
        },
      ),
      { numRuns: 60 },
    )
  })
})
