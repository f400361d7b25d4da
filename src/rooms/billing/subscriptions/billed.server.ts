import type { Context } from '#server/engine/context.ts'
import { invoice } from '../invoices/invoice.ts'
import { type Draft, draftReady, issueProblems, issueReady } from '../invoices/issue.server.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { isClosed } from '../ledger/post.server.ts'
import { todayOf } from './facts.server.ts'

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
  const ready = await draftReady(c, draft)
  const isKept = issueProblems(ready).length > 0 || !fits(ready) || (await isClosed(c, ready.taxPoint ?? todayOf(c)))
  if (isKept) return ready
  const issue = () => issueReady(c, ready, { letter })
  if (ready.lines.every(({ sku }) => sku === null)) return issue()
  // There may be less in stock than is asked for.
  const issued = await c.attempt(issue)
  return 'value' in issued ? issued.value : c.byRight('a draft waits for finance').lock(invoice, ready.id)
}
