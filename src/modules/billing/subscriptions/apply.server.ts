import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { hasRole } from '#kernel/roles.ts'
import type { Context } from '#server/engine/types.ts'
import { creditNote } from '../credits/credit-note.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { createAndIssueInvoice } from './billed.server.ts'
import { subscriptionChange } from './change.ts'
import { subscriptionsChanged } from './events.ts'
import {
  combinedPeriodOf,
  periodAmountOf,
  type SubscriptionRow,
  type SubscriptionValues,
  saveItems,
} from './facts.server.ts'
import type { SubscriptionChangePlan } from './planned.server.ts'
import type { ChangeAmounts } from './reckoned.server.ts'

const WHY = 'apply a previewed change of a subscription'

/** Only finance staff give credit. Throws 403. */
export function requireCreditPermission(c: Context, { net }: ChangeAmounts): void {
  if (net < 0 && c.actor.kind !== 'system' && !hasRole(c.actor, FINANCE_ROLES))
    throw problem.forbidden(
      'This change gives a credit, which only finance staff can do. You can cancel at the end of the period instead.',
    )
}

/**
 * Applies a planned change: items, credit notes, invoice and history. Returns the changed values of the subscription.
 */
export async function applySubscriptionChange(
  c: Context,
  row: SubscriptionRow,
  planned: SubscriptionChangePlan,
  reckoned: ChangeAmounts,
): Promise<SubscriptionValues> {
  await saveItems(c, row, planned.before, planned.after)
  const credited = await credit(c, reckoned, planned.sentence)
  const billed = reckoned.drafted.length ? await charge(c, row, reckoned) : undefined
  await c.withoutPermissionCheck(WHY).create(subscriptionChange, {
    subscription: row.id,
    kind: planned.way,
    day: planned.day,
    description: planned.sentence,
    lines: reckoned.lines,
    net: reckoned.net,
    tax: reckoned.tax,
    invoice: billed?.id ?? null,
    creditNotes: credited.join(', '),
  })
  await c.emit(subscriptionsChanged, { customer: row.customer })
  const isOver = planned.way === 'cancelNow' || planned.way === 'pause'
  return { ...planned.set, ...(isOver ? {} : { amount: periodAmountOf(planned.after) }) }
}

async function charge(c: Context, row: SubscriptionRow, { drafted, invoiced }: ChangeAmounts): Promise<InvoiceRow> {
  return createAndIssueInvoice(
    c,
    {
      customer: row.customer,
      currency: row.currency,
      origin: 'subscription',
      subscription: row.id,
      poNumber: row.poNumber,
      lines: drafted,
      ...combinedPeriodOf(drafted),
    },
    {
      fits: ({ total, currency }) => {
        if (total === invoiced) return true
        throw new Error(
          `The invoice total is ${formatMoney(total, currency)}, but its preview was ${formatMoney(invoiced, currency)}`,
        )
      },
    },
  )
}

/** Creates one credit note for each credited invoice and returns their numbers. */
async function credit(c: Context, { credits }: ChangeAmounts, reason: string): Promise<string[]> {
  const numbers: string[] = []
  for (const [invoice, lines] of Map.groupBy(credits, (one) => one.invoice)) {
    const made = await c.withoutPermissionCheck(WHY).create(creditNote, {
      invoice,
      reason,
      to: 'balance',
      lines: lines.map(({ line, net }) => ({ line, net })),
    })
    const { id } = await made.saved()
    numbers.push((await c.get(creditNote, id))?.number ?? '')
  }
  return numbers
}
