/** Currencies for prices (ISO 4217), each with a hundred minor units. */
export const CURRENCIES = ['GBP', 'EUR', 'USD'] as const
export type Currency = (typeof CURRENCIES)[number]

/** A decimal as typed or stored: a number, or a string of digits. It has at most four decimal places. */
export type Decimal = number | string

/** Error for an amount that can't be calculated, with a message for the user. `line` counts from 0. */
export class MoneyError extends Error {
  readonly line: number | undefined
  constructor(message: string, line?: number) {
    super(message)
    this.line = line
  }
}

/** Scale for decimals. Calculations use integer ten-thousandths, which are exact, and never floating point. */
export const DECIMAL_SCALE = 10_000n

/**
 * Scales a decimal: `17.5` → `175000n`. Throws a MoneyError that names `what` if the value is not a decimal, or has
 * more than four decimal places or more than fifteen digits before the point.
 */
export function scaleDecimal(value: Decimal, what: string): bigint {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(String(value).trim()) ?? []
  const places = part.replace(/0+$/, '')
  if (!whole) throw new MoneyError(`${what} must be a number such as 12 or 17.5.`)
  if (places.length > 4) throw new MoneyError(`${what} can have at most four decimal places.`)
  const units = BigInt(whole) * DECIMAL_SCALE + BigInt(places.padEnd(4, '0'))
  return sign ? -units : units
}

/** Scales a percentage to integer ten-thousandths. Throws a MoneyError if the value is not from 0 to 100. */
export function scalePercent(value: Decimal, what = 'A percentage'): bigint {
  const units = scaleDecimal(value, what)
  if (units < 0n || units > 100n * DECIMAL_SCALE) throw new MoneyError(`${what} must be from 0 to 100.`)
  return units
}

/** Converts integer ten-thousandths to a number: `175000n` → `17.5`. */
export const unscaleDecimal = (units: bigint): number => Number(units) / Number(DECIMAL_SCALE)

/**
 * Rounds `n / d` to the nearest whole number. A half is rounded away from zero, so that a credit cancels its charge to
 * the penny.
 */
export function roundHalfUp(n: bigint, d: bigint): bigint {
  const size = n < 0n ? -n : n
  const whole = (2n * size + d) / (2n * d)
  return n < 0n ? -whole : whole
}

/** Converts pence to a number. Throws a MoneyError if the value is too large for an exact number. */
export function penceToNumber(value: bigint, line?: number): number {
  const n = Number(value)
  if (!Number.isSafeInteger(n)) throw new MoneyError('This amount is too large to calculate. Check the amounts.', line)
  return n
}

const formats = new Map<string, Intl.NumberFormat>()

/** Formats pence: `123456` → `£1,234.56`. Unit prices may include fractions of a penny: `45.12` → `£0.4512`. */
export function formatMoney(minor: number, currency: string): string {
  const places = Number.isInteger(minor) ? 2 : 6
  const key = `${currency}${places}`
  const format =
    formats.get(key) ?? new Intl.NumberFormat('en-GB', { style: 'currency', currency, maximumFractionDigits: places })
  formats.set(key, format)
  // Passes a decimal string, because converting a large amount to a number would lose digits.
  return format.format(`${minor}e-2` as Intl.StringNumericLiteral)
}

/** Formats pence: `£1,234.50`. */
export const formatPounds = (pence: number): string => formatMoney(pence, 'GBP')

/** Formats the sums of amounts, one for each currency, such as `£5.00 + €3.00`. Sums of zero are left out, unless all are. */
export const formatMoneyByCurrency = (amounts: readonly (readonly [minor: number, currency: Currency])[]): string =>
  [...Map.groupBy(amounts, ([, currency]) => currency)]
    .map(([currency, of]) => [of.reduce((sum, [minor]) => sum + minor, 0), currency] as const)
    .flatMap(([sum, currency]) => (sum === 0 ? [] : [formatMoney(sum, currency)]))
    .join(' + ') || formatMoney(0, 'GBP')

/**
 * Parses typed pounds to pence: `£1,234.5` → `123450`; `undefined` if the text is not an amount. With six `places`, for
 * unit prices, the last four are fractions of a penny.
 */
export function parsePounds(typed: string, places: 2 | 6 = 2): number | undefined {
  const [, sign, whole, part = ''] = /^(-?)£?\s*(\d{1,3}(?:,\d{3})+|\d{1,13})(?:\.(\d{1,6}))?$/.exec(typed.trim()) ?? []
  if (!whole || part.length > places) return undefined
  const n = Number(`${whole.replaceAll(',', '')}${part.padEnd(2, '0').slice(0, 2)}.${part.slice(2)}`)
  return sign && n ? -n : n
}
