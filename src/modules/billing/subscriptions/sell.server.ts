import { ukDay } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { plan } from '../catalogue/plan.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import type { QuoteRow } from '../quotes/quote.ts'
import { bill } from './billed.server.ts'
import { subscriptionChange } from './change.ts'
import { subscriptionsMoved } from './events.ts'
import { daysOfAll, todayOf } from './facts.server.ts'
import {
  anchorOf,
  type Begin,
  begunAs,
  byRhythm,
  firstLines,
  itemOfLine,
  type Signed,
  shareOf,
  signedLines,
} from './signed.server.ts'
import { subscription } from './subscription.ts'
import type { Item } from './timeline.ts'

const WHY = 'bill an accepted quote'

export interface Sale {
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
  for (const lines of byRhythm(signed))
    await begin(c, row, lines, { start, anchor, isLater, invoice, poNumber: sale.poNumber })
  await c.emit(subscriptionsMoved, { customer: row.customer })
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
  const lines = firstLines(row, signed, anchor)
  const draft = {
    customer: row.customer,
    currency: row.currency,
    origin: 'quote',
    quote: row.id,
    ...daysOfAll(lines),
    coupon: isAll ? row.couponTerms : shareOf(row.couponTerms, signed),
    poNumber,
  } as const
  // Signed amounts are binding: an invoice with another total waits as a draft for review.
  const fits = ({ total }: InvoiceRow) => !isAll || total === row.total
  const made = await c.attempt(() => bill(c, { ...draft, lines }, { fits, letter }))
  if ('value' in made) return made.value
  // A plan's VAT has changed since: the current one is used, and the invoice waits as a draft.
  return bill(
    c,
    { ...draft, lines: lines.map((line) => ({ ...line, taxCode: null, taxPercent: null })) },
    { fits: () => false },
  )
}

interface Beginning extends Begin {
  readonly invoice: InvoiceRow | undefined
  readonly poNumber: string
}

async function begin(c: Context, row: QuoteRow, lines: readonly Signed[], b: Beginning): Promise<void> {
  const items: Item[] = []
  for (const { line } of lines) {
    const of = line.plan === null ? undefined : await c.get(plan, line.plan)
    items.push(itemOfLine(line, row, of?.product ?? null))
  }
  const made = await c.withoutPermissionCheck(WHY).create(subscription, {
    ...begunAs(row, items, lines, b),
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
