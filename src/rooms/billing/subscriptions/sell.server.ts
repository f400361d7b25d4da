import { nthPeriod, type Rhythm } from '#kernel/money/periods.ts'
import { codeOfPercent } from '#kernel/money/tax-codes.ts'
import { formatMoney } from '#kernel/money.ts'
import { londonDate, ukDay } from '#kernel/time.ts'
import type { Context } from '#server/engine/context.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import type { DraftLine } from '../invoices/issue.server.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import type { LineRow } from '../lines/line.ts'
import { allLines } from '../lines/lines.ts'
import { quoteTotals } from '../lines/sum.ts'
import type { Sale } from '../quotes/decide.server.ts'
import type { QuoteRow } from '../quotes/facts.server.ts'
import { bill } from './billed.server.ts'
import { subscriptionChange } from './change.ts'
import { subscriptionsMoved } from './events.ts'
import { daysOfAll, todayOf } from './facts.server.ts'
import { subscription } from './subscription.ts'
import type { Item } from './timeline.ts'

const WHY = 'what was accepted is sold'

/** A line of a quote with what it comes to, its share of the discount taken off. */
interface Signed {
  readonly line: LineRow
  readonly discount: number
}

/**
 * Makes of an accepted quote its first invoice, just as it was signed, and a subscription for each rhythm in which its plans are paid.
 * Billing that starts later leaves the plans to the run of that day, with the days before it where they are charged by the day. An invoice
 * that can't be issued waits as a draft.
 */
export async function sellQuote(c: Context, row: QuoteRow, sale: Sale): Promise<void> {
  const today = todayOf(c)
  const start = sale.start ?? today
  const anchor = anchorOf(row, start)
  const isLater = anchor > start
  const signed = signedLines(row)
  const now = signed.filter(({ line }) => !(isLater && line.interval))
  const invoice =
    sale.invoiced || !now.length
      ? undefined
      : await firstInvoice(c, row, now, {
          isAll: !isLater,
          anchor,
          poNumber: sale.poNumber,
          letter: sale.letter ?? true,
        })
  const rhythms = Map.groupBy(
    signed.filter(({ line }) => line.interval),
    ({ line }) => `${line.interval} ${line.intervalCount ?? 1}`,
  )
  for (const lines of rhythms.values())
    await begin(c, row, lines, { start, anchor, isLater, invoice, poNumber: sale.poNumber })
  await c.after(subscriptionsMoved, { customer: row.customer })
}

function anchorOf({ billingCycleAnchor: at }: QuoteRow, start: string): string {
  const day = at === null ? start : londonDate(Temporal.Instant.fromEpochMilliseconds(at * 1000)).toString()
  return day > start ? day : start
}

function signedLines(row: QuoteRow): Signed[] {
  const lines = allLines(row)
  const sums = quoteTotals({ currency: row.currency, taxPercent: row.taxPercent, lines, coupon: row.couponTerms })
  return lines.map((line, n) => ({ line, discount: sums.lines[n]?.discount ?? 0 }))
}

/** The terms of a coupon for some of the lines: of an amount, the share that they have of it. */
function shareOf(terms: CouponTerms | null, lines: readonly Signed[]): CouponTerms | null {
  const share = lines.reduce((sum, { discount }) => sum + discount, 0)
  if (!terms || share === 0) return null
  return terms.percentOff === null ? { ...terms, amountOff: share } : terms
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
  signed: readonly Signed[],
  { isAll, anchor, poNumber, letter }: First,
): Promise<InvoiceRow> {
  const lines = signed.map(({ line }): DraftLine => {
    const cycle = {
      anchor: Temporal.PlainDate.from(anchor),
      rhythm: line.interval as Rhythm,
      count: line.intervalCount ?? 1,
    }
    return {
      plan: line.plan,
      sku: line.sku,
      description: line.description,
      quantity: line.quantity,
      unitAmount: line.unitAmount,
      taxCode: codeOf(line, row),
      taxPercent: line.taxPercent ?? row.taxPercent,
      discountable: line.discountable,
      ...(line.interval ? { period: nthPeriod(cycle, 0) } : {}),
    }
  })
  const draft = {
    customer: row.customer,
    currency: row.currency,
    origin: 'quote',
    quote: row.id,
    ...daysOfAll(lines),
    coupon: isAll ? row.couponTerms : shareOf(row.couponTerms, signed),
    poNumber,
  } as const
  // What was signed holds: an invoice that comes to something else waits for somebody to look at it.
  const fits = ({ total }: InvoiceRow) => !isAll || total === row.total
  const made = await c.attempt(() => bill(c, { ...draft, lines }, { fits, letter }))
  if ('value' in made) return made.value
  // The VAT of a plan has become another one since: it is asked of the catalogue, and the invoice waits as a draft.
  return bill(
    c,
    { ...draft, lines: lines.map((line) => ({ ...line, taxCode: null, taxPercent: null })) },
    { fits: () => false },
  )
}

const codeOf = (line: LineRow, row: QuoteRow) => line.taxCode ?? codeOfPercent(line.taxPercent ?? row.taxPercent)

interface Beginning {
  readonly start: string
  readonly anchor: string
  readonly isLater: boolean
  readonly invoice: InvoiceRow | undefined
  readonly poNumber: string
}

async function begin(c: Context, row: QuoteRow, lines: readonly Signed[], b: Beginning): Promise<void> {
  const { line: first } = lines[0] as Signed
  const [interval, intervalCount] = [first.interval as Rhythm, first.intervalCount ?? 1]
  const cycle = { anchor: Temporal.PlainDate.from(b.anchor), rhythm: interval, count: intervalCount }
  const terms = shareOf(row.couponTerms, lines)
  const items: Item[] = []
  for (const { line } of lines) items.push(await itemOfLine(c, line, row))
  const made = await c.byRight(WHY).create(subscription, {
    customer: row.customer,
    company: row.company ?? '',
    quote: row.id,
    // Days that cost nothing until billing starts are a trial.
    ...(b.isLater && !row.prorate ? { status: 'trialing', trialUntil: b.anchor } : { status: 'active' }),
    currency: row.currency,
    interval,
    intervalCount,
    amount: items.reduce((sum, item) => sum + item.amount * item.quantity, 0),
    anchor: b.anchor,
    startedOn: b.start,
    chargedFrom: b.isLater && !row.prorate ? b.anchor : b.start,
    currentFrom: b.start,
    renewsOn: b.isLater ? b.anchor : nthPeriod(cycle, 0).to.toString(),
    charged: !b.isLater,
    couponTerms: terms,
    couponPeriodsLeft: periodsLeft(terms, b.isLater),
    discounted: terms !== null,
    poNumber: b.poNumber,
    items: items.map((item) => ({ ...item, from: b.start, until: null })),
  })
  const { id } = await made.saved()
  await c.byRight(WHY).create(subscriptionChange, {
    subscription: id,
    kind: 'started',
    day: b.start,
    description: b.isLater
      ? `Begun by ${row.reference}; billing starts on ${ukDay(b.anchor)}.`
      : `Begun by ${row.reference}.`,
    lines: [],
    invoice: b.isLater ? null : (b.invoice?.id ?? null),
  })
}

/** How many periods after the current one have the discount; none is all of them. */
function periodsLeft(terms: CouponTerms | null, isLater: boolean): number | null {
  if (!terms || terms.duration === 'forever') return null
  const all = terms.duration === 'periods' ? (terms.durationPeriods ?? 1) : 1
  return isLater ? all : all - 1
}

/** A line as an item; what is no whole number is one of it. */
async function itemOfLine(c: Context, line: LineRow, row: QuoteRow): Promise<Item> {
  const isWhole = Number.isInteger(line.quantity) && Number.isInteger(line.unitAmount)
  const { lines } = quoteTotals({
    currency: row.currency,
    taxPercent: 0,
    lines: [{ ...line, taxPercent: 0, taxCode: null }],
  })
  const of = line.plan === null ? undefined : await c.get(plan, line.plan)
  return {
    plan: line.plan,
    product: of?.product ?? null,
    description: isWhole
      ? line.description
      : `${line.description} × ${line.quantity}, each ${formatMoney(line.unitAmount, row.currency)}`,
    amount: isWhole ? line.unitAmount : (lines[0]?.amount ?? 0),
    quantity: isWhole ? line.quantity : 1,
    taxCode: codeOf(line, row),
    taxPercent: line.taxPercent ?? row.taxPercent,
    discountable: line.discountable,
  }
}
