import type { Currency } from '#kernel/money.ts'
import type { LineTotal } from '#kernel/money-totals.ts'
import { type CouponTerms, couponWords } from '../catalogue/coupon-rules.ts'
import { LIST_NAMES, type ListName, type SentLine, sumLine } from '../lines/lines.ts'
import { everyWords, type QuoteTotals, quoteTotals } from '../lines/sum.ts'

/** A quote as a customer sees it: on the screen, in the builder's preview, and in print. Amounts are in pence. */
export interface Paper {
  readonly reference: string
  readonly state: string
  readonly company: string
  readonly contactName: string
  readonly currency: Currency
  readonly lines: readonly PaperLine[]
  readonly totals: Omit<QuoteTotals, 'lines'>
  /** `10 % off for 3 periods` */
  readonly discountWords: string | null
  readonly sentAt: string | null
  readonly expiresAt: string | null
  readonly terms: string
  readonly message: string
  readonly owner: { readonly name: string; readonly email: string; readonly telephone: string } | null
}

export interface PaperLine extends LineTotal {
  readonly list: ListName
  readonly description: string
  readonly quantity: number
  readonly unitAmount: number
  /** `every month` */
  readonly every: string | null
}

/** What of a quote is drawn on paper: the record as the API sends it, or as it is being typed. */
export interface PaperSource extends Readonly<Record<ListName, readonly SentLine[]>> {
  readonly reference?: string | null
  readonly state?: string | null
  readonly company?: string | null
  readonly customer?: unknown
  readonly currency: string | null
  readonly taxPercent: number | string | null
  readonly sentAt?: string | null
  readonly expiresAt?: string | null
  readonly terms?: string | null
  readonly message?: string | null
  readonly owner?: unknown
}

/** Throws a MoneyError for lines that can't be summed. */
export function paperOf(q: PaperSource, coupon: CouponTerms | null): Paper {
  const currency = (q.currency ?? 'GBP') as Currency
  const lines = LIST_NAMES.flatMap((list) => q[list].map((line) => ({ list, line })))
  const { lines: sums, ...totals } = quoteTotals({
    currency,
    taxPercent: q.taxPercent ?? 0,
    lines: lines.map(({ line }) => sumLine(line)),
    coupon,
  })
  return {
    reference: q.reference ?? 'New quote',
    state: q.state ?? 'draft',
    company: q.company ?? '',
    contactName: (q.customer as { contactName?: string | null } | null)?.contactName ?? '',
    currency,
    lines: lines.map(({ list, line }, i) => ({
      ...(sums[i] as LineTotal),
      list,
      description: line.description,
      quantity: line.quantity,
      unitAmount: line.unitAmount,
      every: line.interval ? everyWords(line.interval, line.intervalCount) : null,
    })),
    totals,
    discountWords: coupon ? couponWords(coupon) : null,
    sentAt: q.sentAt ?? null,
    expiresAt: q.expiresAt ?? null,
    terms: q.terms ?? '',
    message: q.message ?? '',
    owner: (q.owner as Paper['owner']) ?? null,
  }
}
