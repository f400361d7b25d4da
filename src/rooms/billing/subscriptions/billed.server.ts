import type { Context } from '#server/engine/context.ts'
import { invoice } from '../invoices/invoice.ts'
import { type Draft, draftInvoice, issueProblems, issueReady, readyDraft } from '../invoices/issue.server.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'

export interface Billing {
  readonly fits?: (ready: InvoiceRow) => boolean
  /** Goes to the customer by e-mail, unless said otherwise. */
  readonly letter?: boolean
}

/**
 * Makes an invoice and issues it. Where it lacks what an invoice must say, or its books are closed, it stays a draft, which those who look
 * after money find among the drafts: what was agreed or has begun is not undone by it. `fits` may keep it a draft too.
 */
export async function bill(
  c: Context,
  draft: Draft,
  { fits = () => true, letter = true }: Billing = {},
): Promise<InvoiceRow> {
  const ready = await readyDraft(c, await draftInvoice(c, draft), {})
  if (issueProblems(ready).length || !fits(ready)) return ready
  const issued = await c.attempt(() => issueReady(c, ready, { letter }))
  return 'value' in issued ? issued.value : c.byRight('a draft waits for finance').lock(invoice, ready.id)
}
