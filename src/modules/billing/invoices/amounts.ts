import { nextInstalment, prorate } from '#kernel/money/prorate.ts'
import { type Currency, DECIMAL_SCALE, penceToNumber, roundHalfUp, scaleDecimal } from '#kernel/money.ts'
import { calculateTotals, type Discount, type DocumentTotals, NO_DOCUMENT_TAX } from '#kernel/money-totals.ts'
import type { LineVat } from '../lines/line-vat.ts'

/** VAT at one rate that the customer accounts for. It is not part of any total. */
export interface ReverseChargeTotal {
  readonly percent: number
  readonly net: number
  readonly tax: number
}

/** Totals stored with an invoice. */
export interface InvoiceTotals extends Omit<DocumentTotals, 'lines'> {
  /** Omitted if the reverse charge applies to no line. */
  readonly reverseCharge?: readonly ReverseChargeTotal[]
}
export type CreditNoteTotals = Pick<InvoiceTotals, 'currency' | 'net' | 'taxByRate' | 'tax' | 'gross' | 'reverseCharge'>

/** A line with the rate at which its customer accounts for VAT; the rate is null if it is not a UK rate. */
export interface ReverseChargeLine extends Partial<LineVat> {
  readonly net: number | null
  readonly reversePercent?: number | null
}

/** Calculates the VAT that the customer accounts for, line by line, and totals it by rate. Empty if there is none. */
export function computeReverseCharge(lines: readonly ReverseChargeLine[]): { reverseCharge?: ReverseChargeTotal[] } {
  const charged = lines.flatMap(({ taxCode, reversePercent, net }) =>
    taxCode === 'reverse' && reversePercent ? [{ percent: reversePercent, net: net ?? 0 }] : [],
  )
  const alike = Map.groupBy(charged, (line) => line.percent)
  const totals = [...alike].map(([percent, same]) => ({
    percent,
    net: sum(same.map((line) => line.net)),
    tax: sum(
      same.map((line) =>
        penceToNumber(
          roundHalfUp(BigInt(line.net) * scaleDecimal(percent, 'The tax percentage'), 100n * DECIMAL_SCALE),
        ),
      ),
    ),
  }))
  return totals.length ? { reverseCharge: totals.toSorted((a, b) => b.percent - a.percent) } : {}
}

export interface PricedLine extends Partial<LineVat> {
  readonly quantity: number
  readonly unitAmount: number
  readonly discountPercent?: number | null
  readonly discountable?: boolean
}

interface Discounted {
  readonly currency: Currency
  readonly percentOff?: number | null | undefined
  readonly amountOff?: number | null | undefined
}

const discountOf = ({ currency, percentOff, amountOff }: Discounted): Discount | null =>
  percentOff ? { percentOff } : amountOff ? { amountOff, currency } : null

/** Calculates invoice totals with the VAT for each line. Throws a MoneyError if the amounts can't be summed. */
export const computeInvoiceTotals = (of: Discounted, lines: readonly PricedLine[]): DocumentTotals =>
  calculateTotals({ ...NO_DOCUMENT_TAX, currency: of.currency, discount: discountOf(of), lines })

/** Days after the supply within which the invoice's day becomes the tax point (VAT Act 1994, section 6(5)). */
const TAX_POINT_DAYS = 14
/** Days after the supply within which a VAT invoice must be issued (VAT Regulations 1995, regulation 13(5)). */
const MAX_DAYS_TO_INVOICE = 30

const daysBetween = (from: string, to: string) => Temporal.PlainDate.from(from).until(to).days

/**
 * Returns the tax point of a supply invoiced on a day: that day if it is within 14 days of the supply, unless the seller
 * has elected to use the day of the supply.
 */
export function computeTaxPoint(supplied: string, invoiced: string, usesSupply: boolean): string {
  const days = daysBetween(supplied, invoiced)
  return !usesSupply && days > 0 && days <= TAX_POINT_DAYS ? invoiced : supplied
}

/** Returns a warning for an invoice that is issued too late after the supply; `undefined` if it is in time. */
export function findLateInvoiceWarning(supplied: string, invoiced: string): string | undefined {
  const days = daysBetween(supplied, invoiced)
  return days > MAX_DAYS_TO_INVOICE
    ? `This invoice is issued ${days} days after the supply. A VAT invoice must be issued within ${MAX_DAYS_TO_INVOICE} days (VAT Regulations 1995, regulation 13(5))`
    : undefined
}

/** Converts VAT into pence sterling; `rate` is the number of invoice currency units per pound. */
export const convertTaxToSterling = (tax: number, rate: number): number =>
  penceToNumber(roundHalfUp(BigInt(tax) * DECIMAL_SCALE, scaleDecimal(rate, 'The exchange rate')))

/** Total of an invoice, and the amounts paid, credited and written off, in pence. */
export interface InvoiceBalance {
  readonly total: number
  readonly amountPaid: number
  readonly amountCredited: number
  readonly amountWrittenOff: number
}

/**
 * Applies further payments, credits or write-offs. Returns the new amounts, including the amount due, and the new
 * state.
 */
export function recalculateInvoiceBalance(
  of: InvoiceBalance,
  more: Partial<Record<'paid' | 'credited' | 'writtenOff', number>>,
) {
  const amountPaid = of.amountPaid + (more.paid ?? 0)
  const amountCredited = of.amountCredited + (more.credited ?? 0)
  const amountWrittenOff = of.amountWrittenOff + (more.writtenOff ?? 0)
  const amountDue = Math.max(0, of.total - amountPaid - amountCredited - amountWrittenOff)
  const state: 'open' | 'uncollectible' | 'paid' =
    amountDue > 0 ? 'open' : amountWrittenOff > 0 ? 'uncollectible' : 'paid'
  return { amountPaid, amountCredited, amountWrittenOff, amountDue, state }
}

/** A line of an issued invoice and its credits so far. */
export interface CreditableLine {
  readonly quantity: number
  readonly net: number
  readonly tax: number
  readonly credited: readonly { readonly quantity: number | null; readonly net: number; readonly tax: number }[]
}

export interface CreditAmounts {
  /** Credited quantity; null for a credit by amount. */
  readonly quantity: number | null
  readonly net: number
  readonly tax: number
}

const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0)

/** Returns the amounts of a line that can still be credited: net and VAT, in pence. */
export const remainingCreditableAmounts = ({ net, tax, credited }: CreditableLine) => ({
  net: net - sum(credited.map((one) => one.net)),
  tax: tax - sum(credited.map((one) => one.tax)),
})

/**
 * Calculates the credit for a quantity of a line, after its discount. The credit is calculated on the total quantity
 * credited so far, minus earlier credits. Partial credits therefore add up to the line to the penny and never exceed
 * it.
 */
export function computeCreditByQuantity(line: CreditableLine, quantity: number): CreditAmounts {
  const before = line.credited.filter((one) => one.quantity !== null)
  const units = (n: number) => scaleDecimal(n, 'The quantity')
  const done = before.reduce((all, one) => all + units(one.quantity as number), units(quantity))
  const net = nextInstalment(BigInt(line.net), done, units(line.quantity), BigInt(sum(before.map((one) => one.net))))
  return { ...computeCreditByNet(line, penceToNumber(net)), quantity }
}

/** Returns the quantity of a line that can still be credited, regardless of credits by amount. */
export const remainingCreditableQuantity = ({ quantity, credited }: CreditableLine): number =>
  Number(
    scaleDecimal(quantity, 'The quantity') -
      credited.reduce((all, one) => all + (one.quantity === null ? 0n : scaleDecimal(one.quantity, 'It')), 0n),
  ) / Number(DECIMAL_SCALE)

/**
 * Calculates the credit for a net amount in pence, with its VAT. The VAT is calculated on the total net amount credited
 * so far, minus the VAT on earlier credits. For a line with a net amount of zero, it is the remaining VAT.
 */
export function computeCreditByNet(line: CreditableLine, net: number): CreditAmounts {
  const left = remainingCreditableAmounts(line)
  const done = line.net - left.net + net
  const tax =
    line.net === 0
      ? left.tax
      : penceToNumber(nextInstalment(BigInt(line.tax), BigInt(done), BigInt(line.net), BigInt(line.tax - left.tax)))
  return { quantity: null, net, tax }
}

/** Calculates the credit for the entire remainder of a line. */
export const computeRemainingCredit = (line: CreditableLine): CreditAmounts => {
  const quantity = remainingCreditableQuantity(line)
  return { quantity: quantity > 0 ? quantity : null, ...remainingCreditableAmounts(line) }
}

/** A credit before it is created: its amounts, the remaining amount due, and the part that was already paid. */
interface CreditPreview {
  readonly net: number
  readonly tax: number
  readonly gross: number
  readonly due: number
  readonly paid: number
}

/**
 * Calculates a credit for the given net amounts, by line, or for the entire remainder of all lines. Lines without an
 * amount are not credited.
 */
export function computeCreditPreview(
  of: InvoiceBalance & { readonly amountDue: number },
  lines: readonly CreditableLine[],
  nets: readonly (number | null | undefined)[] | 'all',
): CreditPreview {
  const credits = lines.flatMap((line, n) => {
    if (nets === 'all') return [computeRemainingCredit(line)]
    const net = nets[n]
    return net ? [computeCreditByNet(line, net)] : []
  })
  const [net, tax] = [sum(credits.map((one) => one.net)), sum(credits.map((one) => one.tax))]
  const gross = net + tax
  return {
    net,
    tax,
    gross,
    due: Math.max(0, of.amountDue - gross),
    paid: Math.max(0, Math.min(of.amountPaid, gross - of.amountDue - of.amountWrittenOff)),
  }
}

/** Service period, including the last day. */
export interface ServicePeriod {
  readonly from: string
  readonly to: string
}

const day = (iso: string) => Temporal.PlainDate.from(iso)
const daysFrom = (from: string, to: string) => day(from).until(day(to), { largestUnit: 'days' }).days

/** Returns the net amount earned by the end of a day, in pence. Each day of the service period earns an equal share. */
export function computeEarnedAmount(net: number, { from, to }: ServicePeriod, on: string): number {
  const whole = daysFrom(from, to) + 1
  const passed = Math.min(whole, Math.max(0, daysFrom(from, on) + 1))
  return penceToNumber(prorate(BigInt(net), passed, whole))
}
