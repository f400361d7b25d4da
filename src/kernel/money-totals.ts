import { allocatePence } from './money/allocate.ts'
import { defaultTaxCode, isVatCharged, TAX_CODES, type TaxCode } from './money/tax-codes.ts'
import {
  type Currency,
  DECIMAL_SCALE,
  type Decimal,
  MoneyError,
  penceToNumber,
  roundHalfUp,
  scaleDecimal,
  scalePercent,
  unscaleDecimal,
} from './money.ts'

/**
 * Line of a quote or invoice, as used to calculate totals: any record, row or draft with these fields. A credit is a
 * line with a negative quantity or amount.
 */
export interface TotalsLine {
  /** Quantity with up to four decimal places, such as 1.5 days. */
  readonly quantity: Decimal
  /** Unit price in pence, with up to four decimal places. The line's amount is rounded; the price is not. */
  readonly unitAmount: Decimal
  /** Percentage that the line's own discount takes off, from 0 to 100. By default, none. */
  readonly discountPercent?: Decimal | null
  /** Currency, which must be the same as the document's. By default, the document's currency. */
  readonly currency?: string | null
  /** Tax rate for the line, from 0 to 100. By default, the document's rate. */
  readonly taxPercent?: Decimal | null
  /** VAT treatment. By default, derived from the percentage. */
  readonly taxCode?: TaxCode | null
  /** True if the discount applies to the line; true by default. */
  readonly discountable?: boolean
}

export type Discount =
  | { readonly percentOff: Decimal; readonly amountOff?: undefined }
  | { readonly amountOff: number; readonly currency?: string; readonly percentOff?: undefined }

export interface TotalsInput<L extends TotalsLine = TotalsLine> {
  readonly currency: Currency
  readonly lines: readonly L[]
  readonly discount?: Discount | null
  /** Tax rate for lines that have no rate of their own. */
  readonly taxPercent: Decimal
}

/** Tax setting for documents whose lines each state their own tax rate, or that are calculated without tax. */
export const NO_DOCUMENT_TAX = { taxPercent: 0 } as const

/** Amounts for a line in pence. `amount` is before the document's discount, `net` is after it. */
export interface LineTotal {
  /** Amount after the line's own discount. */
  readonly amount: number
  readonly discount: number
  readonly net: number
  readonly taxCode: TaxCode
  readonly taxPercent: number
  readonly tax: number
  readonly gross: number
}

/** Total for one tax rate or treatment in a document, in pence. */
export interface TaxTotal {
  /** Tax code; `undefined` in totals calculated before tax codes existed. */
  readonly code?: TaxCode
  readonly percent: number
  readonly net: number
  readonly tax: number
}

export interface DocumentTotals {
  readonly currency: Currency
  readonly lines: readonly LineTotal[]
  /** Sum of the lines before the document's discount. */
  readonly subtotal: number
  readonly discount: number
  /** Sum of the lines' own discounts, which the subtotal does not contain. Omitted if no line has one. */
  readonly lineDiscount?: number
  readonly net: number
  /** Totals by tax rate, highest first. Zero rates are separated by VAT treatment. */
  readonly taxByRate: readonly TaxTotal[]
  readonly tax: number
  readonly gross: number
}

/** One hundred per cent, as a scaled percentage. */
const ALL_PERCENT = 100n * DECIMAL_SCALE

interface ScaledLine {
  readonly amount: bigint
  readonly lineDiscount: bigint
  readonly code: TaxCode
  readonly rate: bigint
  readonly discountable: boolean
}

/**
 * Calculates the totals of a document. Pure, and used by both the server and the browser. Throws a MoneyError for
 * amounts that can't be calculated.
 *
 * The amount of a line is quantity × unit amount less the line's own discount, rounded to the penny. The document's
 * discount is deducted from these amounts before tax. VAT is calculated for each line and rounded to the nearest penny,
 * half a penny up (HMRC, The VAT guide, VAT Notice 700, section 17.5.1). For calculation by line, the guide allows
 * rounding down to the nearest 0.1p, or rounding to the nearest 1p or 0.5p, always in the same way (HMRC's manual,
 * VATREC12010). The total is the sum of the lines. The concession in section 17.5 to round the total down is not used,
 * because nothing is left to round.
 */
export function calculateTotals(input: TotalsInput): DocumentTotals {
  const common = scalePercent(input.taxPercent, 'The tax percentage')
  const lines = input.lines.map((l, n) => read(l, n, input.currency, common))
  const off = spread(lines, input)
  const each = lines.map((l, n) => {
    const discount = off[n] ?? 0n
    const net = l.amount - discount
    const { amount, code, rate } = l
    return { amount, discount, net, code, rate, tax: roundHalfUp(net * rate, ALL_PERCENT) }
  })
  const sum = (of: readonly bigint[]) => penceToNumber(of.reduce((a, b) => a + b, 0n))
  const alike = Map.groupBy(each, (l) => `${l.code} ${l.rate}`)
  return {
    currency: input.currency,
    lines: each.map((l, n) => ({
      amount: penceToNumber(l.amount, n),
      discount: penceToNumber(l.discount, n),
      net: penceToNumber(l.net, n),
      taxCode: l.code,
      taxPercent: unscaleDecimal(l.rate),
      tax: penceToNumber(l.tax, n),
      gross: penceToNumber(l.net + l.tax, n),
    })),
    subtotal: sum(each.map((l) => l.amount)),
    discount: sum(each.map((l) => l.discount)),
    ...(lines.some((l) => l.lineDiscount) ? { lineDiscount: sum(lines.map((l) => l.lineDiscount)) } : {}),
    net: sum(each.map((l) => l.net)),
    taxByRate: [...alike.values()]
      .map((same) => ({ first: same[0] as (typeof each)[number], same }))
      .sort(
        (a, b) =>
          compare(b.first.rate, a.first.rate) || TAX_CODES.indexOf(a.first.code) - TAX_CODES.indexOf(b.first.code),
      )
      .map(({ first, same }) => ({
        code: first.code,
        percent: unscaleDecimal(first.rate),
        net: sum(same.map((l) => l.net)),
        tax: sum(same.map((l) => l.tax)),
      })),
    tax: sum(each.map((l) => l.tax)),
    gross: sum(each.map((l) => l.net + l.tax)),
  }
}

function read(l: TotalsLine, n: number, currency: Currency, common: bigint): ScaledLine {
  try {
    sameCurrency(l.currency, currency, `Line ${n + 1}`)
    const given =
      l.taxPercent === undefined || l.taxPercent === null ? common : scalePercent(l.taxPercent, 'The tax percentage')
    const code = l.taxCode ?? defaultTaxCode(unscaleDecimal(given))
    const amount = lineAmount(l)
    return {
      amount,
      lineDiscount: l.discountPercent ? lineAmount({ ...l, discountPercent: null }) - amount : 0n,
      code,
      rate: isVatCharged(code) ? given : 0n,
      discountable: l.discountable !== false,
    }
  } catch (e) {
    throw e instanceof MoneyError ? new MoneyError(e.message, n) : e
  }
}

type DiscountedLine = Pick<TotalsLine, 'quantity' | 'unitAmount' | 'discountPercent'>

/** Returns quantity × unit amount, less the line's own discount, × part ÷ whole, rounded once. */
function lineAmount({ quantity, unitAmount, discountPercent }: DiscountedLine, part = 1n, whole = 1n): bigint {
  const full = scaleDecimal(quantity, 'The quantity') * scaleDecimal(unitAmount, 'The amount')
  const left = ALL_PERCENT - scalePercent(discountPercent ?? 0, 'The discount percentage')
  return roundHalfUp(full * left * part, DECIMAL_SCALE * DECIMAL_SCALE * ALL_PERCENT * whole)
}

/**
 * Returns the amount of a line after its own discount in pence, or of a part of it, such as 10 of 30 days. Rounded once,
 * half a penny away from zero. Throws a MoneyError for amounts that can't be calculated.
 */
export const calculateLineAmount = (line: DiscountedLine, part = 1, whole = 1): number =>
  penceToNumber(lineAmount(line, BigInt(part), BigInt(whole)))

/** Describes the discount of a line, such as `less 12.5%`; empty if the line has none. */
export const describeLineDiscount = ({ discountPercent }: Pick<TotalsLine, 'discountPercent'>): string =>
  Number(discountPercent ?? 0) ? `less ${discountPercent}%` : ''

function sameCurrency(given: string | null | undefined, wanted: Currency, what: string): void {
  if (given && given !== wanted)
    throw new MoneyError(`${what} is in ${given}, but the other amounts are in ${wanted}. Use one currency.`)
}

/**
 * Allocates the discount to the lines. The discount is rounded once and allocated in proportion; odd pence go to the
 * largest remainders. Only lines with a charge get a share, which never turns a charge into a credit.
 */
function spread(lines: readonly ScaledLine[], { discount, currency }: TotalsInput): bigint[] {
  const bases = lines.map((l) => (l.discountable && l.amount > 0n ? l.amount : 0n))
  const base = bases.reduce((a, b) => a + b, 0n)
  const all = lines.reduce((a, l) => a + l.amount, 0n)
  const most = least(all, base)
  if (!discount || most <= 0n) return bases.map(() => 0n)
  const off = least(worth(discount, base, currency), most)
  // Ranks equal remainders by amount and rate, so that the order of the lines does not affect any total.
  const rate = (n: number) => (lines[n] as ScaledLine).rate
  return allocatePence(off, bases, (x, y) => compare(rate(y), rate(x)))
}

function worth(discount: Discount, base: bigint, currency: Currency): bigint {
  if (discount.percentOff !== undefined)
    return roundHalfUp(base * scalePercent(discount.percentOff, 'The discount'), ALL_PERCENT)
  sameCurrency(discount.currency, currency, 'The discount')
  if (!Number.isSafeInteger(discount.amountOff) || discount.amountOff < 0)
    throw new MoneyError('The discount must be a whole number of pence, 0 or more.')
  return BigInt(discount.amountOff)
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)
const least = (a: bigint, b: bigint) => (compare(a, b) < 0 ? a : b)

/** Describes a tax total: `VAT 20% on £10.00` or, if no VAT is charged, the reason. */
export function describeTaxTotal({ code, percent, net }: TaxTotal, money: (pence: number) => string): string {
  const on = money(net)
  if (code === 'reverse') return `Reverse charge: the customer accounts for the VAT on ${on}`
  if (code === 'exempt') return `Exempt from VAT: ${on}`
  if (code === 'outside') return `Outside the scope of VAT: ${on}`
  return `VAT\u00a0${percent}% on ${on}`
}
