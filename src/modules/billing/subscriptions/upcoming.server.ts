import type { Context } from '#server/engine/types.ts'
import { type CouponTerms, discountOf } from '../catalogue/coupon-rules.ts'
import { invoiceTotals } from '../invoices/amounts.ts'
import { type DraftLine, isDiscounted } from '../invoices/issue.server.ts'
import type { Catalogue } from '../lines/catalogue.server.ts'
import { NEXT, type NextInvoice, type NextInvoices } from '../lines/next-invoices.ts'
import type { QuoteRow } from '../quotes/quote.ts'
import { type ItemRow, type Kept, type SubscriptionRow, todayOf } from './facts.server.ts'
import { groupsOf, nextOf } from './renewal.server.ts'
import { anchorOf, begunAs, byRhythm, firstLines, itemOfLine, shareOf, signedLines } from './signed.server.ts'

/** Offered prices are assumed; future ones are unknown. */
const AS_OFFERED: Catalogue = { plan: new Map(), sku: new Map() }
/** Maximum periods searched, as some are free of charge. */
const FURTHEST = 60

type Virtual = { readonly row: SubscriptionRow; readonly items: readonly ItemRow[] }

/** First invoices of a quote, as acceptance today and the following billing runs would create them. */
export function nextInvoices(c: Pick<Context, 'now'>, row: QuoteRow): NextInvoices {
  const start = todayOf(c)
  const anchor = anchorOf(row, start)
  const isLater = anchor > start
  const signed = signedLines(row)
  const now = signed.filter(({ line }) => !(isLater && line.interval))
  const coupon = isLater ? shareOf(row.couponTerms, now) : row.couponTerms
  const first = now.length ? [invoiceOf(row, start, firstLines(row, now, anchor), coupon)] : []
  let subscriptions = byRhythm(signed).map((lines, n): Virtual => {
    const items = lines.map(({ line }) => itemOfLine(line, row, null))
    return {
      row: {
        ...begunAs(row, items, lines, { start, anchor, isLater }),
        id: n,
        cancelAtPeriodEnd: false,
        poNumber: '',
      } as SubscriptionRow,
      items: items.map((item) => ({ ...item, id: n, subscription: n, from: start, until: null }) as unknown as ItemRow),
    }
  })
  const later: NextInvoice[] = []
  for (let n = 0; n < FURTHEST && subscriptions.length && first.length + later.length < NEXT; n++) {
    const [day] = subscriptions.map((one) => one.row.renewsOn).toSorted()
    if (!day) break
    const due = subscriptions.filter((one) => one.row.renewsOn === day)
    const next = due.map((one) => nextOf(c, one.row, one.items, AS_OFFERED))
    for (const together of groupsOf(next)) {
      const lines = together.flatMap((one) => one.lines)
      if (lines.length) later.push(invoiceOf(row, day, lines, together.find((one) => one.coupon)?.coupon ?? null))
    }
    subscriptions = subscriptions.map((one) => {
      const moved = next.find((of) => of.row === one.row)
      return moved ? { row: { ...one.row, ...moved.set } as SubscriptionRow, items: moved.after.map(asRow) } : one
    })
  }
  return { accepted: start, invoices: [...first, ...later].slice(0, NEXT) }
}

const asRow = (kept: Kept) => kept as unknown as ItemRow

function invoiceOf(
  { currency }: QuoteRow,
  day: string,
  lines: readonly DraftLine[],
  coupon: CouponTerms | null,
): NextInvoice {
  const off = coupon ? discountOf(coupon) : {}
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
