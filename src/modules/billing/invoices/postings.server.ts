import type { TaxCode } from '#kernel/money/tax-codes.ts'
import type { LedgerEntryInput } from '../ledger/post.server.ts'

/** Amounts of an invoice line to post, in pence. */
export interface PostedInvoiceLine {
  readonly net: number
  readonly tax: number
  /** Deferred part of the net amount. */
  readonly deferred: number
  readonly taxCode: TaxCode | null
  readonly taxPercent: number | null
  readonly product: number | null
}

/**
 * Ledger entries of an invoice, or of its credit if `sign` is −1: trade debtors against sales and deferred income by
 * product, and VAT by code. Net entries have the code too, as zero-rated sales are part of the VAT return.
 */
export function invoiceLedgerEntries(
  lines: readonly PostedInvoiceLine[],
  invoice: number,
  sign: 1 | -1,
): LedgerEntryInput[] {
  const owed = lines.reduce((all, l) => all + l.net + l.tax, 0)
  const credits = lines.flatMap(({ net, tax, deferred, taxCode, taxPercent, product }): LedgerEntryInput[] => [
    { account: 'sales', amount: net - deferred, product, taxCode, taxPercent },
    { account: 'deferred', amount: deferred, product, taxCode, taxPercent },
    { account: 'vat', amount: tax, taxCode, taxPercent },
  ])
  const alike = Map.groupBy(credits, (e) => [e.account, e.product, e.taxCode, e.taxPercent].join())
  return [
    { account: 'receivable', amount: sign * owed, invoice },
    ...[...alike.values()].flatMap(([first, ...rest]): LedgerEntryInput[] =>
      first ? [{ ...first, invoice, amount: -sign * (first.amount + rest.reduce((all, e) => all + e.amount, 0)) }] : [],
    ),
  ]
}
