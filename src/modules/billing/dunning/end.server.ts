import { formatMoney } from '#kernel/money.ts'
import type { Context } from '#server/engine/types.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { writeOff } from '../invoices/settle.server.ts'
import { subscriptionChange } from '../subscriptions/change.ts'
import { subscription } from '../subscriptions/subscription.ts'
import { endedMail } from './mail.ts'
import { note, setDunning, write } from './record.server.ts'
import type { Final } from './settings.ts'
import { type DunningRow, todayOf, WHY } from './situation.server.ts'

/** Nobody has paid by the last day: what the rules say becomes of it, and the last letter. */
export async function endCollecting(c: Context, owed: InvoiceRow, d: DunningRow, final: Final): Promise<void> {
  const sentTo = await write(c, owed, 'invoice-unpaid', (f) => endedMail(f, final))
  const did = await ENDS[final](c, owed)
  const description = `${formatMoney(owed.amountDue, owed.currency)} was not paid. ${did}`
  await note(c, d, { kind: 'ended', description, sentTo })
  await setDunning(c, d, { state: 'ended', endedOn: todayOf(c), outcome: final }, 'end')
}

const ENDS: Readonly<Record<Final, (c: Context, owed: InvoiceRow) => Promise<string>>> = {
  keep: async () => 'Nothing more is done by itself: it stays past due.',
  uncollectible: async (c, owed) => {
    // In books that are closed for today nothing can be posted: somebody writes it off by hand.
    const tried = await c.attempt(() => writeOff(c, owed, 'Not paid, after all reminders'))
    return 'value' in tried ? 'It was written off.' : `It could not be written off: ${tried.refused.message}`
  },
  cancel: async (c, owed) => {
    const told: string[] = []
    for (const id of await subscriptionsOf(c, owed.id)) {
      const tried = await c.attempt(() => c.withoutPermissionCheck(WHY).act(subscription, 'cancel', id, {}))
      told.push('value' in tried ? `Subscription ${id} was cancelled.` : `Subscription ${id}: ${tried.refused.message}`)
    }
    return told.join(' ') || 'There was no subscription left to cancel.'
  },
}

/** The subscriptions that an invoice is for, and that are not over. */
async function subscriptionsOf(c: Context, id: number): Promise<number[]> {
  const changes = await c.find(subscriptionChange, { invoice: id })
  const ids = [...new Set(changes.map((one) => one.subscription))]
  if (!ids.length) return []
  const rows = await c.lockAll(subscription, { id: ids })
  return rows.filter(({ status }) => status !== 'cancelled').map((row) => row.id)
}
