import type { TaxCode } from '#kernel/money/tax-codes.ts'
import type { Entry } from '../ledger/post.server.ts'

/** What of an invoice's line is posted, in pence. */
export interface PostedLine {
  readonly net: number
  readonly tax: number
  /** What of the net is not earned yet. */
  readonly deferred: number
  readonly taxCode: TaxCode | null
  readonly taxPercent: number | null
  readonly product: number | null
}

/**
 * The entries of an invoice, or of a credit of it where `sign` is −1: what the customer owes, against sales and what is not earned yet, by
 * product, and VAT by its code. The code stands with the net too: what is taxed at nothing is in the VAT return as well.
 */
export function entriesOf(lines: readonly PostedLine[], invoice: number, sign: 1 | -1): Entry[] {
  const owed = lines.reduce((all, l) => all + l.net + l.tax, 0)
  const credits = lines.flatMap(({ net, tax, deferred, taxCode, taxPercent, product }): Entry[] => [
    { account: 'sales', amount: net - deferred, product, taxCode, taxPercent },
    { account: 'deferred', amount: deferred, product, taxCode, taxPercent },
    { account: 'vat', amount: tax, taxCode, taxPercent },
  ])
  const alike = Map.groupBy(credits, (e) => [e.account, e.product, e.taxCode, e.taxPercent].join())
  return [
    { account: 'receivable', amount: sign * owed, invoice },
    ...[...alike.values()].flatMap(([first, ...rest]): Entry[] =>
      first ? [{ ...first, invoice, amount: -sign * (first.amount + rest.reduce((all, e) => all + e.amount, 0)) }] : [],
    ),
  ]
}
