import type { Context } from '#server/engine/types.ts'
import { invoice } from '../invoices/invoice.ts'
import {
  createReadyDrafts,
  type InvoiceDraft,
  issuePreparedDraft,
  issuePreparedDrafts,
  issueProblems,
} from '../invoices/issue.server.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { isBookDayClosed } from '../ledger/post.server.ts'
import { todayIso } from './facts.server.ts'

export interface BillingOptions {
  readonly fits?: (ready: InvoiceRow) => boolean
  /** E-mail the invoice to the customer; defaults to true. */
  readonly letter?: boolean
}

/**
 * Creates and issues an invoice. If required details are missing or the period is closed, it stays a draft for finance
 * staff; the agreement itself is not undone. `fits` can also keep it a draft.
 */
export async function createAndIssueInvoice(
  c: Context,
  draft: InvoiceDraft,
  how: BillingOptions = {},
): Promise<InvoiceRow> {
  const [billed] = await createAndIssueInvoices(c, [draft], how)
  return billed as InvoiceRow
}

export async function createAndIssueInvoices(
  c: Context,
  drafts: readonly InvoiceDraft[],
  { fits = () => true, letter = true }: BillingOptions = {},
): Promise<InvoiceRow[]> {
  const ready = await createReadyDrafts(c, drafts)
  const isClosedOn = new Map<string, boolean>()
  for (const on of new Set(ready.map((row) => row.taxPoint ?? todayIso(c))))
    isClosedOn.set(on, await isBookDayClosed(c, on))
  const isKept = (row: InvoiceRow) =>
    issueProblems(row).length > 0 || !fits(row) || isClosedOn.get(row.taxPoint ?? todayIso(c))
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
    // Stock may be too low.
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
