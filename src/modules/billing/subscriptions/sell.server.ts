import { ukDay } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { plan } from '../catalogue/plan.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import type { QuoteRow } from '../quotes/quote.ts'
import { createAndIssueInvoice } from './billed.server.ts'
import { subscriptionChange } from './change.ts'
import { subscriptionsChanged } from './events.ts'
import { combinedPeriodOf, todayIso } from './facts.server.ts'
import {
  billingAnchorOf,
  couponShareOf,
  firstInvoiceLines,
  groupByInterval,
  initialSubscriptionValues,
  type SignedLine,
  type SubscriptionStart,
  signedLinesOf,
  toSubscriptionItem,
} from './signed.server.ts'
import { subscription } from './subscription.ts'
import type { RecurringItem } from './timeline.ts'

const WHY = 'bill an accepted quote'

export interface QuoteSaleOptions {
  /** First day of the first period, `2026-02-28`; defaults to today. */
  readonly start?: string
  /** The first period and all items were invoiced elsewhere. */
  readonly invoiced: boolean
  readonly poNumber: string
  /** E-mail the invoice to the customer; defaults to true. */
  readonly letter?: boolean
}

/**
 * Creates the first invoice of an accepted quote, exactly as signed, and a subscription for each billing interval. With
 * a later start of billing, plans are left to that day's billing run, with the days before if they are charged. An
 * invoice that can't be issued waits as a draft.
 */
export async function billAcceptedQuote(c: Context, row: QuoteRow, sale: QuoteSaleOptions): Promise<void> {
  const today = todayIso(c)
  const start = sale.start ?? today
  const anchor = billingAnchorOf(row, start)
  const isLater = anchor > start
  const signed = signedLinesOf(row)
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
  for (const lines of groupByInterval(signed))
    await begin(c, row, lines, { start, anchor, isLater, invoice, poNumber: sale.poNumber })
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
    ...combinedPeriodOf(lines),
    coupon: isAll ? row.couponTerms : couponShareOf(row.couponTerms, signed),
    poNumber,
  } as const
  // Signed amounts are binding: an invoice with another total waits as a draft for review.
  const fits = ({ total }: InvoiceRow) => !isAll || total === row.total
  const made = await c.attempt(() => createAndIssueInvoice(c, { ...draft, lines }, { fits, letter }))
  if ('value' in made) return made.value
  // A plan's VAT has changed since: the current one is used, and the invoice waits as a draft.
  return createAndIssueInvoice(
    c,
    { ...draft, lines: lines.map((line) => ({ ...line, taxCode: null, taxPercent: null })) },
    { fits: () => false },
  )
}

interface Beginning extends SubscriptionStart {
  readonly invoice: InvoiceRow | undefined
  readonly poNumber: string
}

async function begin(c: Context, row: QuoteRow, lines: readonly SignedLine[], b: Beginning): Promise<void> {
  const items: RecurringItem[] = []
  for (const { line } of lines) {
    const of = line.plan === null ? undefined : await c.get(plan, line.plan)
    items.push(toSubscriptionItem(line, row, of?.product ?? null))
  }
  const made = await c.withoutPermissionCheck(WHY).create(subscription, {
    ...initialSubscriptionValues(row, items, lines, b),
    poNumber: b.poNumber,
    items: items.map((item) => ({ ...item, from: b.start, until: null })),
  })
  const { id } = await made.saved()
  await c.withoutPermissionCheck(WHY).create(subscriptionChange, {
    subscription: id,
    kind: 'started',
    day: b.start,
    description: b.isLater
      ? `Started from ${row.reference}; billing starts on ${ukDay(b.anchor)}.`
      : `Started from ${row.reference}.`,
    lines: [],
    invoice: b.isLater ? null : (b.invoice?.id ?? null),
  })
}
