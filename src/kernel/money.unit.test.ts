import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatMoney, MoneyError, parsePounds, roundHalfUp, scaleDecimal, scalePercent } from './money.ts'

describe('scaled decimals', () => {
  test.each([
    [17.5, 175_000n],
    ['17.50', 175_000n],
    [0, 0n],
    ['-0.0001', -1n],
    [0.1 + 0.2, undefined],
    ['1e3', undefined],
    [1e21, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ['', undefined],
    ['12,5', undefined],
    ['1.23456', undefined],
  ])('the decimal %s is scaled to %s ten-thousandths', (given, expected) => {
    if (expected === undefined) expect(() => scaleDecimal(given, 'It')).toThrow(MoneyError)
    else expect(scaleDecimal(given, 'It')).toBe(expected)
  })

  test('a percentage must be from 0 to 100', () => {
    expect(scalePercent(100)).toBe(1_000_000n)
    expect(scalePercent('0')).toBe(0n)
    expect(() => scalePercent(100.0001)).toThrow('must be from 0 to 100')
    expect(() => scalePercent(-1)).toThrow('must be from 0 to 100')
  })

  test('a decimal with four places is scaled to ten-thousandths exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), fc.integer({ min: 0, max: 9999 }), (n, d) => {
        expect(scaleDecimal(`${n}.${String(d).padStart(4, '0')}`, 'It')).toBe(
          BigInt(n) * 10_000n + BigInt(n < 0 ? -d : d),
        )
      }),
    )
  })
})

describe('rounding amounts', () => {
  test.each([
    [5n, 10n, 1n],
    [4n, 10n, 0n],
    [-5n, 10n, -1n],
    [-4n, 10n, 0n],
    [15n, 10n, 2n],
  ])('%s / %s rounds to %s', (n, d, expected) => expect(roundHalfUp(n, d)).toBe(expected))

  test('rounding is symmetrical for a charge and its credit, and at most half a penny off', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.bigInt(1n, 10n ** 9n), (n, d) => {
        expect(roundHalfUp(-n, d)).toBe(-roundHalfUp(n, d))
        const off = 2n * (roundHalfUp(n, d) * d - n)
        expect(off <= d && off >= -d).toBe(true)
      }),
    )
  })
})

describe('formatting and parsing amounts of money', () => {
  test.each([
    [123_456, 'GBP', '£1,234.56'],
    [-5, 'GBP', '-£0.05'],
    [0, 'EUR', '€0.00'],
    [45.1234, 'GBP', '£0.451234'],
    [Number.MAX_SAFE_INTEGER, 'GBP', '£90,071,992,547,409.91'],
  ])('the amount %s in %s is formatted as %s', (minor, currency, expected) =>
    expect(formatMoney(minor, currency)).toBe(expected),
  )

  test.each([
    ['12', 1200],
    ['£1,234.5', 123_450],
    ['-0.01', -1],
    ['-0', 0],
    ['12.345', undefined],
    ['1,23', undefined],
    ['a lot', undefined],
    ['', undefined],
  ])('the typed amount "%s" is parsed as %s pence', (typed, expected) => expect(parsePounds(typed)).toBe(expected))

  test('a unit price can include fractions of a penny', () => {
    expect(parsePounds('£0.451234', 6)).toBe(45.1234)
    expect(parsePounds('12.5', 6)).toBe(1250)
    expect(parsePounds('0.4512345', 6)).toBeUndefined()
  })

  test('formatted amounts are parsed back to the same amounts', () => {
    fc.assert(
      fc.property(fc.integer(), (n) => {
        expect(parsePounds(formatMoney(n, 'GBP'))).toBe(n)
      }),
    )
  })
})
