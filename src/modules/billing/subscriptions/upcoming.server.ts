import type { Context } from '#server/engine/types.ts'
import { type CouponTerms, couponDiscount } from '../catalogue/coupon-rules.ts'
import { invoiceTotals } from '../invoices/amounts.ts'
import { type InvoiceDraftLine, isDiscounted } from '../invoices/issue.server.ts'
import type { ArticleCatalogue } from '../lines/catalogue.server.ts'
import { UPCOMING_INVOICE_COUNT, type UpcomingInvoice, type UpcomingInvoices } from '../lines/next-invoices.ts'
import type { QuoteRow } from '../quotes/quote.ts'
import { type StoredSegment, type SubscriptionItemRow, type SubscriptionRow, todayIso } from './facts.server.ts'
import { groupByInvoice, nextRenewalOf } from './renewal.server.ts'
import {
  billingAnchorOf,
  couponShareOf,
  firstInvoiceLines,
  groupByInterval,
  initialSubscriptionValues,
  signedLinesOf,
  toSubscriptionItem,
} from './signed.server.ts'

/** Offered prices are assumed; future ones are unknown. */
const AS_OFFERED: ArticleCatalogue = { plan: new Map(), sku: new Map() }
/** Maximum periods searched, as some are free of charge. */
const FURTHEST = 60

type Virtual = { readonly row: SubscriptionRow; readonly items: readonly SubscriptionItemRow[] }

/** First invoices of a quote, as acceptance today and the following billing runs would create them. */
export function forecastInvoices(c: Pick<Context, 'now'>, row: QuoteRow): UpcomingInvoices {
  const start = todayIso(c)
  const anchor = billingAnchorOf(row, start)
  const isLater = anchor > start
  const signed = signedLinesOf(row)
  const now = signed.filter(({ line }) => !(isLater && line.interval))
  const coupon = isLater ? couponShareOf(row.couponTerms, now) : row.couponTerms
  const first = now.length ? [invoiceOf(row, start, firstInvoiceLines(row, now, anchor), coupon)] : []
  let subscriptions = groupByInterval(signed).map((lines, n): Virtual => {
    const items = lines.map(({ line }) => toSubscriptionItem(line, row, null))
    return {
      row: {
        ...initialSubscriptionValues(row, items, lines, { start, anchor, isLater }),
        id: n,
        cancelAtPeriodEnd: false,
        poNumber: '',
      } as SubscriptionRow,
      items: items.map(
        (item) => ({ ...item, id: n, subscription: n, from: start, until: null }) as unknown as SubscriptionItemRow,
      ),
    }
  })
  const later: UpcomingInvoice[] = []
  for (let n = 0; n < FURTHEST && subscriptions.length && first.length + later.length < UPCOMING_INVOICE_COUNT; n++) {
    const [day] = subscriptions.map((one) => one.row.renewsOn).toSorted()
    if (!day) break
    const due = subscriptions.filter((one) => one.row.renewsOn === day)
    const next = due.map((one) => nextRenewalOf(c, one.row, one.items, AS_OFFERED))
    for (const together of groupByInvoice(next)) {
      const lines = together.flatMap((one) => one.lines)
      if (lines.length) later.push(invoiceOf(row, day, lines, together.find((one) => one.coupon)?.coupon ?? null))
    }
    subscriptions = subscriptions.map((one) => {
      const moved = next.find((of) => of.row === one.row)
      return moved ? { row: { ...one.row, ...moved.set } as SubscriptionRow, items: moved.after.map(asRow) } : one
    })
  }
  return { accepted: start, invoices: [...first, ...later].slice(0, UPCOMING_INVOICE_COUNT) }
}

const asRow = (kept: StoredSegment) => kept as unknown as SubscriptionItemRow

function invoiceOf(
  { currency }: QuoteRow,
  day: string,
  lines: readonly InvoiceDraftLine[],
  coupon: CouponTerms | null,
): UpcomingInvoice {
  const off = coupon ? couponDiscount(coupon) : {}
  const { net, tax, gross } = invoiceTotals(
    {
      currency,
      percentOff: 'percentOff' in off ? Number(off.percentOff) || null : null,
      amountOff: 'amountOff' in off ? Number(off.amountOff) || null : null,
    },
    lines.map((line) => ({ ...line, discountable: isDiscounted({ coupon }, line) })),
  )
  const words = lines.map(({ description, quantity }) =>
    quantity === 1 ? description : `${description} × ${quantity}`,
  )
  return { day, words: words.join(', '), net, tax, total: gross }
}
