import { problem } from '#kernel/errors.ts'
import { type BillingInterval, nthBillingPeriod } from '#kernel/money/periods.ts'
import { defaultTaxCode } from '#kernel/money/tax-codes.ts'
import { formatMoney } from '#kernel/money.ts'
import { calculateLineAmount, describeLineDiscount } from '#kernel/money-totals.ts'
import { iriOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { type CouponTerms, couponCoversPlan } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import { findBuyerProblems } from '../customers/buyer.server.ts'
import { invoice } from '../invoices/invoice.ts'
import type { InvoiceDraftLine } from '../invoices/issue.server.ts'
import {
  createPreparedInvoiceDrafts,
  findInvoiceIssuingProblems,
  type InvoiceDraftInput,
  issuePreparedDraft,
  issuePreparedDrafts,
} from '../invoices/issue.server.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { isDayInClosedPeriod } from '../ledger/ledger.server.ts'
import { computeQuoteTotals, lineIntervalKey } from '../lines/line.ts'
import type { PricedLineRow } from '../lines/line-vat.ts'
import { type LineVat, UNSET_LINE_VAT } from '../lines/line-vat.ts'
import { allQuoteLines } from '../lines/lines.ts'
import type { QuoteRow } from '../quotes/quote.ts'
import { subscriptionsChanged } from './events.ts'
import type { SubscriptionValues } from './periods.server.ts'
import { currentLondonIsoDate } from './periods.server.ts'
import { subscription, subscriptionChange } from './subscription.ts'
import type { RecurringItem } from './timeline.ts'
import { combineLinePeriods, sumRecurringItems } from './timeline.ts'

/** A quote line with its share of the discount, in pence. */
interface SignedLine {
  readonly line: PricedLineRow
  readonly discount: number
}

export function billingAnchorFor({ billingCycleAnchor: at }: QuoteRow, start: string): string {
  const day = at === null ? start : londonDate(Temporal.Instant.fromEpochMilliseconds(at * 1000)).toString()
  return day > start ? day : start
}

/** Lines with the same billing interval, and their part of the coupon. */
export interface SignedInterval {
  readonly lines: readonly SignedLine[]
  /** Terms for periods that begin before the day, which belong to the first payment, and for later ones. */
  couponTerms(before: string): CouponTerms | null
}

export interface SignedQuote {
  readonly lines: readonly SignedLine[]
  readonly intervals: readonly SignedInterval[]
}

/** Returns the lines as signed, and by billing interval with their terms. */
export function readSignedQuote(row: QuoteRow): SignedQuote {
  const all = allQuoteLines(row)
  const coupon = row.couponTerms
  const { currency, taxPercent } = row
  const sums = computeQuoteTotals({ currency, taxPercent, lines: all, coupon })
  const lines = all.map((line, n) => ({ line, discount: sums.lines[n]?.discount ?? 0 }))
  const groups = Map.groupBy(lines, ({ line }) => lineIntervalKey(line))
  groups.delete(undefined)
  const intervals = [...groups.values()].map((group, i): SignedInterval => {
    const { amountOff, firstAmountOff = 0 } = sums.afterwards[i] ?? {}
    const isCovered = coupon !== null && group.some(({ line }) => isLineCovered(coupon, line))
    return {
      lines: group,
      couponTerms: (before) => {
        if (!isCovered) return null
        if (amountOff === undefined) return coupon
        if (amountOff === 0 && firstAmountOff === 0) return null
        return {
          ...coupon,
          amountOff,
          ...(firstAmountOff === amountOff ? {} : { first: { before, amountOff: firstAmountOff } }),
        }
      },
    }
  })
  return { lines, intervals }
}

const isLineCovered = (terms: CouponTerms, { plan: of, discountable }: PricedLineRow): boolean =>
  discountable && couponCoversPlan(terms, of === null ? undefined : iriOf(plan, of))

/**
 * Returns the coupon terms for an invoice with some of the signed lines. For a fixed discount, these are the lines'
 * share.
 */
export function couponTermsForLines(terms: CouponTerms | null, lines: readonly SignedLine[]): CouponTerms | null {
  const share = lines.reduce((sum, { discount }) => sum + discount, 0)
  if (!terms || share === 0) return null
  return terms.percentOff === null ? { ...terms, amountOff: share } : terms
}

export function firstInvoiceLines(row: QuoteRow, signed: readonly SignedLine[], anchor: string): InvoiceDraftLine[] {
  return signed.map(({ line }): InvoiceDraftLine => {
    const cycle = {
      anchor: Temporal.PlainDate.from(anchor),
      rhythm: line.interval as BillingInterval,
      count: line.intervalCount ?? 1,
    }
    return {
      plan: line.plan,
      sku: line.sku,
      description: line.description,
      quantity: line.quantity,
      unitAmount: line.unitAmount,
      discountPercent: line.discountPercent,
      ...signedVatOf(line, row),
      discountable: line.discountable,
      ...(line.interval ? { period: nthBillingPeriod(cycle, 0) } : {}),
    }
  })
}

/** Returns the VAT of a line as signed: the line's own or, if there is none, the quote's. */
function signedVatOf(line: PricedLineRow, row: QuoteRow): LineVat {
  const taxPercent = line.taxPercent ?? row.taxPercent
  return { taxCode: line.taxCode ?? defaultTaxCode(taxPercent), taxPercent }
}

interface SubscriptionStart {
  readonly start: string
  readonly anchor: string
  readonly isLater: boolean
}

/** Returns the initial values of a subscription for quote lines with the same interval. */
export function initialSubscriptionValues(
  row: QuoteRow,
  items: readonly RecurringItem[],
  signed: SignedInterval,
  b: SubscriptionStart,
): SubscriptionValues {
  const { line: first } = signed.lines[0] as SignedLine
  const [interval, intervalCount] = [first.interval as BillingInterval, first.intervalCount ?? 1]
  const cycle = { anchor: Temporal.PlainDate.from(b.anchor), rhythm: interval, count: intervalCount }
  const firstPeriodEnd = nthBillingPeriod(cycle, 0).to.toString()
  const terms = signed.couponTerms(firstPeriodEnd)
  return {
    customer: row.customer,
    company: row.company ?? '',
    quote: row.id,
    // If the days before billing starts are free, they are a trial.
    ...(b.isLater && !row.prorate ? { status: 'trialing', trialUntil: b.anchor } : { status: 'active' }),
    currency: row.currency,
    interval,
    intervalCount,
    amount: sumRecurringItems(items),
    anchor: b.anchor,
    startedOn: b.start,
    chargedFrom: b.isLater && !row.prorate ? b.anchor : b.start,
    currentFrom: b.start,
    renewsOn: b.isLater ? b.anchor : firstPeriodEnd,
    charged: !b.isLater,
    couponTerms: terms,
    couponPeriodsLeft: periodsLeft(terms, b.isLater),
    discounted: terms !== null,
  }
}

/** Returns the number of discounted periods after the current one; null if all are discounted. */
function periodsLeft(terms: CouponTerms | null, isLater: boolean): number | null {
  if (!terms || terms.duration === 'forever') return null
  const all = terms.duration === 'periods' ? (terms.durationPeriods ?? 1) : 1
  return isLater ? all : all - 1
}

/**
 * Converts a quote line into a subscription item. If the quantity or price is fractional, the item has a quantity of
 * one and the line's total, after its discount, as its price. It then has no plan, because renewals use a plan's price
 * for each unit.
 */
export function toSubscriptionItem(line: PricedLineRow, row: QuoteRow, product: number | null): RecurringItem {
  const isWhole = Number.isInteger(line.quantity) && Number.isInteger(line.unitAmount)
  return {
    plan: isWhole ? line.plan : null,
    product,
    description: isWhole
      ? line.description
      : `${line.description} × ${line.quantity} at ${formatMoney(line.unitAmount, row.currency)} ${describeLineDiscount(line)}`.trim(),
    amount: isWhole ? line.unitAmount : calculateLineAmount(line),
    quantity: isWhole ? line.quantity : 1,
    ...(isWhole && line.discountPercent ? { discountPercent: line.discountPercent } : {}),
    ...signedVatOf(line, row),
    discountable: line.discountable,
  }
}

interface BillingOptions {
  readonly fits?: (ready: InvoiceRow) => boolean
  /** True to e-mail the invoice to the customer; defaults to true. */
  readonly letter?: boolean
}

/**
 * Creates and issues an invoice. If required details are missing or the period is closed, the invoice stays a draft for
 * finance staff, and the sale itself is not undone. The invoice also stays a draft if `fits` returns false.
 */
export async function createAndIssueInvoice(
  c: Context,
  draft: InvoiceDraftInput,
  how: BillingOptions = {},
): Promise<InvoiceRow> {
  const [billed] = await createAndIssueInvoices(c, [draft], how)
  return billed as InvoiceRow
}

export async function createAndIssueInvoices(
  c: Context,
  drafts: readonly InvoiceDraftInput[],
  { fits = () => true, letter = true }: BillingOptions = {},
): Promise<InvoiceRow[]> {
  const ready = await createPreparedInvoiceDrafts(c, drafts)
  const isClosedOn = new Map<string, boolean>()
  for (const on of new Set(ready.map((row) => row.taxPoint ?? currentLondonIsoDate(c))))
    isClosedOn.set(on, await isDayInClosedPeriod(c, on))
  const isKept = (row: InvoiceRow) =>
    findInvoiceIssuingProblems(row).length > 0 || !fits(row) || isClosedOn.get(row.taxPoint ?? currentLondonIsoDate(c))
  const billed = new Map(ready.map((row) => [row.id, row]))
  const going = ready.filter((row) => !isKept(row))
  const isOfStock = ({ lines }: InvoiceRow) => lines.some(({ sku }) => sku !== null)
  for (const row of await issuePreparedDrafts(
    c,
    going.filter((one) => !isOfStock(one)),
    { letter },
  ))
    billed.set(row.id, row)
  for (const row of going.filter(isOfStock)) {
    // Issuing can fail, for example because stock is too low.
    const issued = await c.attempt(() => issuePreparedDraft(c, row, { letter }))
    billed.set(
      row.id,
      'value' in issued
        ? issued.value
        : await c.withoutPermissionCheck('flag a draft for finance staff').lock(invoice, row.id),
    )
  }
  return [...billed.values()]
}

const BILLING_REASON = 'bill an accepted quote'

export interface QuoteBillingOptions {
  /** First day of the first period, such as `2026-02-28`; defaults to today. */
  readonly start?: string
  /** True if the first period and all items have already been invoiced elsewhere. */
  readonly invoiced: boolean
  readonly poNumber: string
  /** True to e-mail the invoice to the customer; defaults to true. */
  readonly letter?: boolean
}

/**
 * Creates the first invoice of an accepted quote, exactly as signed, and a subscription for each billing interval. If
 * billing starts later, the billing run on that day invoices the plans, together with the days before the start if
 * these are charged. An invoice that can't be issued waits as a draft. Throws 422 if nothing can be sold to the
 * customer.
 */
export async function billAcceptedQuote(c: Context, row: QuoteRow, sale: QuoteBillingOptions): Promise<void> {
  const wrong = await findBuyerProblems(c, row)
  if (wrong.length) throw problem.invalid(wrong)
  const today = currentLondonIsoDate(c)
  const start = sale.start ?? today
  const anchor = billingAnchorFor(row, start)
  const isLater = anchor > start
  const signed = readSignedQuote(row)
  const now = signed.lines.filter(({ line }) => !(isLater && line.interval))
  const invoice =
    sale.invoiced || !now.length
      ? undefined
      : await firstInvoice(c, row, now, {
          isAll: !isLater,
          anchor,
          poNumber: sale.poNumber,
          letter: sale.letter ?? true,
        })
  for (const interval of signed.intervals)
    await begin(c, row, interval, { start, anchor, isLater, invoice, poNumber: sale.poNumber })
  await c.emit(subscriptionsChanged, { customer: row.customer })
}

interface First {
  readonly isAll: boolean
  readonly anchor: string
  readonly poNumber: string
  readonly letter: boolean
}

async function firstInvoice(
  c: Context,
  row: QuoteRow,
  signed: readonly SignedLine[],
  { isAll, anchor, poNumber, letter }: First,
): Promise<InvoiceRow> {
  const lines = firstInvoiceLines(row, signed, anchor)
  const draft = {
    customer: row.customer,
    currency: row.currency,
    origin: 'quote',
    quote: row.id,
    ...combineLinePeriods(lines),
    coupon: isAll ? row.couponTerms : couponTermsForLines(row.couponTerms, signed),
    poNumber,
  } as const
  // The signed amounts are binding, so an invoice with another total waits as a draft for review.
  const fits = ({ total }: InvoiceRow) => !isAll || total === row.total
  const made = await c.attempt(() => createAndIssueInvoice(c, { ...draft, lines }, { fits, letter }))
  if ('value' in made) return made.value
  // If a plan's VAT has changed since the quote was signed, the current rate is used and the invoice waits as a draft.
  return createAndIssueInvoice(
    c,
    { ...draft, lines: lines.map((line) => ({ ...line, ...UNSET_LINE_VAT })) },
    { fits: () => false },
  )
}

interface Beginning extends SubscriptionStart {
  readonly invoice: InvoiceRow | undefined
  readonly poNumber: string
}

async function begin(c: Context, row: QuoteRow, signed: SignedInterval, b: Beginning): Promise<void> {
  const items: RecurringItem[] = []
  for (const { line } of signed.lines) {
    const of = line.plan === null ? undefined : await c.get(plan, line.plan)
    items.push(toSubscriptionItem(line, row, of?.product ?? null))
  }
  const made = await c.withoutPermissionCheck(BILLING_REASON).create(subscription, {
    ...initialSubscriptionValues(row, items, signed, b),
    poNumber: b.poNumber,
    items: items.map((item) => ({ ...item, from: b.start, until: null })),
  })
  const { id } = await made.saved()
  await c.withoutPermissionCheck(BILLING_REASON).create(subscriptionChange, {
    subscription: id,
    kind: 'started',
    day: b.start,
    description: b.isLater
      ? `Started from ${row.reference}; billing starts on ${formatIsoDateAsUk(b.anchor)}.`
      : `Started from ${row.reference}.`,
    lines: [],
    invoice: b.isLater ? null : (b.invoice?.id ?? null),
  })
}
