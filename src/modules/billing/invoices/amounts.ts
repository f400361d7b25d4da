import { nextShare, prorate } from '#kernel/money/prorate.ts'
import type { TaxCode } from '#kernel/money/tax-codes.ts'
import { type Currency, pence, roundHalfUp, SCALE, scaleDecimal } from '#kernel/money.ts'
import { type Discount, type Totals, totals } from '#kernel/money-totals.ts'

/** What an invoice keeps of its sums. */
export type InvoiceSums = Omit<Totals, 'lines'>
export type CreditSums = Pick<InvoiceSums, 'currency' | 'net' | 'taxByRate' | 'tax' | 'gross'>

/** A line as it is priced. */
export interface PricedLine {
  readonly quantity: number
  readonly unitAmount: number
  readonly taxCode?: TaxCode | null
  readonly taxPercent?: number | null
  readonly discountable?: boolean
}

interface Discounted {
  readonly currency: Currency
  readonly percentOff?: number | null | undefined
  readonly amountOff?: number | null | undefined
}

const discountOf = ({ currency, percentOff, amountOff }: Discounted): Discount | null =>
  percentOff ? { percentOff } : amountOff ? { amountOff, currency } : null

/** What an invoice comes to, with its VAT line by line. Throws a MoneyError for what can't be summed. */
export const invoiceTotals = (of: Discounted, lines: readonly PricedLine[]): Totals =>
  totals({ currency: of.currency, taxPercent: 0, discount: discountOf(of), lines })

/** VAT in pence sterling, of an invoice in a currency of which a pound is `rate` units. */
export const inSterling = (tax: number, rate: number): number =>
  pence(roundHalfUp(BigInt(tax) * SCALE, scaleDecimal(rate, 'The exchange rate')))

/** What has become of an invoice's money. */
export interface Standing {
  readonly total: number
  readonly amountPaid: number
  readonly amountCredited: number
  readonly amountWrittenOff: number
}

/** The invoice with so much more paid, credited or written off: what is still to pay, and the state that it is in by that. */
export function standingAfter(of: Standing, more: Partial<Record<'paid' | 'credited' | 'writtenOff', number>>) {
  const amountPaid = of.amountPaid + (more.paid ?? 0)
  const amountCredited = of.amountCredited + (more.credited ?? 0)
  const amountWrittenOff = of.amountWrittenOff + (more.writtenOff ?? 0)
  const amountDue = Math.max(0, of.total - amountPaid - amountCredited - amountWrittenOff)
  const state: 'open' | 'uncollectible' | 'paid' =
    amountDue > 0 ? 'open' : amountWrittenOff > 0 ? 'uncollectible' : 'paid'
  return { amountPaid, amountCredited, amountWrittenOff, amountDue, state }
}

/** A line of an issued invoice, and what was credited of it so far. */
export interface CreditableLine {
  readonly quantity: number
  readonly net: number
  readonly tax: number
  readonly credited: readonly { readonly quantity: number | null; readonly net: number; readonly tax: number }[]
}

export interface CreditAmounts {
  /** How many of the line; none where it was credited by an amount. */
  readonly quantity: number | null
  readonly net: number
  readonly tax: number
}

const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0)

/** What is left of a line to credit, in pence without VAT and in VAT. */
export const leftOf = ({ net, tax, credited }: CreditableLine) => ({
  net: net - sum(credited.map((one) => one.net)),
  tax: tax - sum(credited.map((one) => one.tax)),
})

/**
 * A credit of so many of a line, after its discount: the share of all that were credited so far, less what was credited for them. However a
 * line is cut, its parts come to the whole to the penny, and never to more.
 */
export function creditByQuantity(line: CreditableLine, quantity: number): CreditAmounts {
  const before = line.credited.filter((one) => one.quantity !== null)
  const units = (n: number) => scaleDecimal(n, 'The quantity')
  const done = before.reduce((all, one) => all + units(one.quantity as number), units(quantity))
  const net = nextShare(BigInt(line.net), done, units(line.quantity), BigInt(sum(before.map((one) => one.net))))
  return { ...creditByNet(line, pence(net)), quantity }
}

/** How many of a line can still be credited: what an amount has taken is not asked. */
export const quantityLeft = ({ quantity, credited }: CreditableLine): number =>
  Number(
    scaleDecimal(quantity, 'The quantity') -
      credited.reduce((all, one) => all + (one.quantity === null ? 0n : scaleDecimal(one.quantity, 'It')), 0n),
  ) / Number(SCALE)

/** A credit of so many pence without VAT: with them goes the VAT of the share that was credited so far, less what was credited of it. */
export function creditByNet(line: CreditableLine, net: number): CreditAmounts {
  const left = leftOf(line)
  const done = line.net - left.net + net
  const tax =
    line.net === 0
      ? left.tax
      : pence(nextShare(BigInt(line.tax), BigInt(done), BigInt(line.net), BigInt(line.tax - left.tax)))
  return { quantity: null, net, tax }
}

/** All that is left of a line. */
export const creditWhole = (line: CreditableLine): CreditAmounts => {
  const quantity = quantityLeft(line)
  return { quantity: quantity > 0 ? quantity : null, ...leftOf(line) }
}

/** The days of a service, the last one included. */
export interface ServiceDays {
  readonly from: string
  readonly to: string
}

const day = (iso: string) => Temporal.PlainDate.from(iso)
const daysFrom = (from: string, to: string) => day(from).until(day(to), { largestUnit: 'days' }).days

/** What of a net amount is earned by the end of a day, in pence: a share for each day of the service. */
export function earnedBy(net: number, { from, to }: ServiceDays, on: string): number {
  const whole = daysFrom(from, to) + 1
  const passed = Math.min(whole, Math.max(0, daysFrom(from, on) + 1))
  return pence(prorate(BigInt(net), passed, whole))
}
