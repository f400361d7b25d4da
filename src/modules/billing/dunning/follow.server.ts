import { formatMoney } from '#kernel/money.ts'
import { ukDay } from '#kernel/time.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Context } from '#server/engine/types.ts'
import { card } from '../cards/card.ts'
import { invoiceStateChanged } from '../invoices/events.ts'
import { invoice } from '../invoices/invoice.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { charge } from '../payments/charge.ts'
import { chargeFailed } from '../payments/events.ts'
import { describeCard } from '../payments/names.ts'
import { subscriptionChange } from '../subscriptions/change.ts'
import { subscription } from '../subscriptions/subscription.ts'
import { dunning, dunningStep } from './dunning.ts'
import { collectedMail, declinedMail } from './mail.ts'
import { updatePastDue } from './past-due.server.ts'
import { queueDunningMail, recordDunningStep, setDunning } from './record.server.ts'
import { type DunningRow, dunningSituationOf, todayOf } from './situation.server.ts'

async function dunningOf(c: Context, id: number): Promise<DunningRow | undefined> {
  const [row] = await c.lockAll(dunning, { invoice: id })
  return row
}

async function nameOfCard(c: Context, id: number | null): Promise<string> {
  const kept = id === null ? undefined : await c.get(card, id)
  return kept ? describeCard(kept) : ''
}

/** An automatic charge has failed: the customer is notified and the card retried by the rules. */
export const chargeFailedHandler = eventHandler(chargeFailed, {
  name: 'dunning.charge-failed',
  queue: 'events',
  run: async (c, { charge: id, asked }) => {
    const row = await c.get(charge, id)
    if (!row || row.invoice === null) return
    const owed = await c.lock(invoice, row.invoice)
    const d = await dunningOf(c, owed.id)
    if (!d || d.charge !== id) return
    // Not declined: it can still be charged, today if requested again.
    if (!asked) return void (await setDunning(c, d, { chargedOn: null }, 'try again'))
    await declined(c, owed, d, { id, message: row.failure, hard: row.hard })
  },
})

/** Payments reversed by a bank are collected again, with days counted from now; earlier attempts still count. */
const again = (c: Context) => ({ state: 'collecting' as const, dueOn: todayOf(c), reminded: null })

interface Failure {
  readonly id: number
  readonly message: string
  readonly hard: boolean
}

async function declined(c: Context, owed: InvoiceRow, d: DunningRow, { id, message, hard }: Failure): Promise<void> {
  const today = todayOf(c)
  const after = await setDunning(
    c,
    d,
    {
      ...(d.state === 'collected' ? again(c) : {}),
      failures: d.failures + 1,
      firstFailedOn: d.firstFailedOn ?? today,
      failure: message,
      hard,
    },
    'decline',
  )
  const next = (await dunningSituationOf(c, owed))?.next ?? []
  const retryOn = next.find(({ kind }) => kind === 'charge')?.on ?? null
  const lapsesOn = next.find(({ kind }) => kind === 'lapse')?.on ?? null
  const name = await nameOfCard(c, d.card)
  const sentTo = await queueDunningMail(c, owed, 'payment-failed', (f) =>
    declinedMail(f, {
      card: name,
      why: message,
      hard,
      retryOn,
      lapsesOn: lapsesOn && lapsesOn > today ? lapsesOn : null,
    }),
  )
  await recordDunningStep(c, after, {
    kind: 'declined',
    description: `${name || 'The card'} was declined: ${message}${retryOn ? ` It will be charged again on ${ukDay(retryOn)}.` : ''}`,
    charge: id,
    sentTo,
  })
}

/** An invoice was paid or reopened: updates its reminders and its subscriptions at once. */
export const invoiceMovedHandler = eventHandler(invoiceStateChanged, {
  name: 'dunning.invoice-moved',
  queue: 'events',
  run: async (c, { invoice: id }) => {
    const owed = await c.lock(invoice, id)
    const ids = [...new Set((await c.find(subscriptionChange, { invoice: id })).map((one) => one.subscription))]
    const opens = ids.length > 0 && (await c.exists(subscription, { id: ids, status: 'past_due' }))
    const d = await dunningOf(c, id)
    if (d) await stand(c, owed, d, opens)
    if (ids.length) await updatePastDue(c, ids)
  },
})

/** `opens`: the payment restores access to the subscription's modules. */
async function stand(c: Context, owed: InvoiceRow, d: DunningRow, opens: boolean): Promise<void> {
  if (owed.state === 'paid' && d.state !== 'collected') await collected(c, owed, d, opens)
  else if (owed.state === 'void' && d.state !== 'ended')
    await setDunning(c, d, { state: 'ended', endedOn: todayOf(c), outcome: 'void' }, 'end')
  else if (owed.state === 'uncollectible' && d.state !== 'ended')
    await setDunning(c, d, { state: 'ended', endedOn: todayOf(c), outcome: 'uncollectible' }, 'end')
  else if (owed.state === 'open' && d.state === 'collected') await reopened(c, owed, d)
}

async function collected(c: Context, owed: InvoiceRow, d: DunningRow, opens: boolean): Promise<void> {
  const paying = d.charge === null ? undefined : await c.get(charge, d.charge)
  // A refunded payment may have been made another way since.
  const byItself =
    paying?.state === 'succeeded' && !(await c.exists(dunningStep, { charge: paying.id, kind: 'charged' }))
  const wasLate = d.failures > 0 || d.dueOn < todayOf(c)
  const name = byItself ? await nameOfCard(c, d.card) : ''
  // Credits already have their own e-mail.
  const isTold = owed.amountPaid > 0 && (byItself || wasLate)
  const sentTo = isTold
    ? await queueDunningMail(c, owed, 'payment-received', (f) => collectedMail(f, { card: name, opens }))
    : ''
  await recordDunningStep(c, d, {
    kind: byItself ? 'charged' : 'collected',
    description: byItself
      ? `${formatMoney(paying.amount, paying.currency)} was charged to ${name}.`
      : 'Paid: no further reminders.',
    ...(byItself ? { charge: paying.id } : {}),
    sentTo,
  })
  const over = {
    state: 'collected',
    endedOn: null,
    outcome: null,
    pausedUntil: null,
    pauseReason: '',
    pausedBy: '',
  } as const
  await setDunning(c, d, over, 'collect')
}

/** Refunded or disputed payments are not collected again automatically; those reversed by a bank are. */
async function reopened(c: Context, owed: InvoiceRow, d: DunningRow): Promise<void> {
  const charges = await c.find(charge, { invoice: owed.id })
  const isHeld = charges.some((one) => one.state === 'disputed' || one.amountRefunded > 0)
  await recordDunningStep(c, d, {
    kind: isHeld ? 'held' : 'reopened',
    description: isHeld
      ? 'A payment was refunded or is disputed: reminders are on hold until somebody resumes them.'
      : 'A payment has failed after all.',
  })
  await setDunning(c, d, { ...again(c), ...(isHeld ? { state: 'held' as const } : {}) }, 'reopen')
}
