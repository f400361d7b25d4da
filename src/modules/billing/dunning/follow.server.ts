import { formatMoney } from '#kernel/money.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { type ComposedEmail, composeEmail } from '#kernel/system-email.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { isEmail } from '#kernel/validate.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { card } from '../cards/card.ts'
import { mandate } from '../cards/mandate.ts'
import { customer } from '../customers/customer.ts'
import type { InvoiceMailFacts } from '../invoices/emails.ts'
import { invoiceStateChanged } from '../invoices/events.ts'
import { loadInvoiceBuyer } from '../invoices/invoice.server.ts'
import { invoice } from '../invoices/invoice.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { toInvoiceMailFacts } from '../invoices/lines.server.ts'
import { invoicePaymentSecretLink } from '../pay-links/routes.server.ts'
import { charge } from '../payments/charge.ts'
import { chargeFailed } from '../payments/events.ts'
import { describeAccount, describeCard } from '../payments/names.ts'
import { customerMailSender } from '../print/financial-document.server.ts'
import { subscriptionsChanged } from '../subscriptions/events.ts'
import type { SubscriptionRow, SubscriptionValues } from '../subscriptions/periods.server.ts'
import { RENEWABLE_STATUSES } from '../subscriptions/renewal.server.ts'
import type { SubscriptionChangeKind } from '../subscriptions/subscription.ts'
import { subscription, subscriptionChange } from '../subscriptions/subscription.ts'
import type { DunningStepKind } from './dunning.ts'
import { dunning, dunningStep } from './dunning.ts'
import { cardDeclinedEmail, paymentConfirmationEmail } from './emails.ts'
import {
  currentLondonDate,
  DUNNING_REASON,
  type DunningRow,
  loadDunningRules,
  loadDunningSituation,
  nextDunningStep,
} from './situation.server.ts'

/**
 * Due date of a subscription's oldest unpaid invoice, and the last day before the subscription's modules become
 * read-only.
 */
interface Overdue {
  readonly due: string
  readonly until: string
}

/**
 * Overdue subscriptions. For reopened invoices, days are counted from the reopening. Access is not restricted before a
 * date on which the customer has promised to pay.
 */
const OVERDUE = `SELECT x.subscription_id AS id, min(d.due)::text AS due, min(greatest(d.due + $3::int, d.paused_until))::text AS until
  FROM subscription_change x JOIN invoice i ON i.client_id = x.client_id AND i.id = x.invoice_id
  CROSS JOIN LATERAL (SELECT greatest(i.due_on, u.due_on) AS due, u.paused_until
    FROM (SELECT 1) one LEFT JOIN dunning u ON u.client_id = i.client_id AND u.invoice_id = i.id) d
  WHERE x.client_id = $1 AND d.due < $2::date AND i.state IN ('open', 'uncollectible') AND ($4::bigint[] IS NULL OR x.subscription_id = ANY ($4))
  GROUP BY x.subscription_id`

/**
 * Updates subscriptions according to their payments. Unpaid subscriptions become past due and then lapse; paid ones are
 * restored. Covers the subscriptions in `ids` or, by default, all of them.
 */
async function updatePastDue(c: Context, ids?: readonly number[]): Promise<void> {
  const { lapseDays } = await loadDunningRules(c)
  await c.work.flush()
  const rows = await c.work.tx.rows<Overdue & { readonly id: string }>(OVERDUE, [
    c.clientId,
    londonDate(c.now).toString(),
    lapseDays,
    ids ?? null,
  ])
  const overdue = new Map(rows.map(({ id, ...since }) => [Number(id), since]))
  const late = [...overdue.keys()]
  const found = late.length ? await c.lockAll(subscription, { id: late, status: [...RENEWABLE_STATUSES] }) : []
  const paid = await c.lockAll(subscription, { status: 'past_due', ...(ids ? { id: [...ids] } : {}) })
  for (const row of [...found, ...paid.filter(({ id }) => !overdue.has(id))]) await follow(c, row, overdue.get(row.id))
}

export const pastDueSchedule = schedule({
  name: 'subscriptions-past-due',
  every: { daily: '06:30' },
  perClient: (c) => updatePastDue(c),
})

async function follow(c: Context, row: SubscriptionRow, overdue: Overdue | undefined): Promise<void> {
  const day = londonDate(c.now).toString()
  if (!overdue) {
    if (row.pastDueOn !== null)
      await move(
        c,
        row,
        'recovered',
        { status: 'active', pastDueOn: null, lapsedOn: null, ...goesOnFrom(row, day) },
        'Paid. The subscription is active again.',
      )
    return
  }
  const lapses = day > overdue.until && row.lapsedOn === null
  const was = `An invoice was due on ${formatIsoDateAsUk(overdue.due)}`
  if (row.pastDueOn === null)
    await move(
      c,
      row,
      'pastDue',
      { status: 'past_due', pastDueOn: day, ...(lapses ? { lapsedOn: day } : {}) },
      `${was}.`,
    )
  else if (lapses)
    await move(
      c,
      row,
      'lapsed',
      { lapsedOn: day },
      `${was} and is still unpaid, so the subscription’s modules are now read-only.`,
    )
}

/**
 * Returns the dates of the new period if the subscription lapsed before its renewal. The new period starts today,
 * because read-only time is not charged.
 */
const goesOnFrom = (row: SubscriptionRow, day: string): SubscriptionValues =>
  row.lapsedOn !== null && row.renewsOn < day && !row.cancelAtPeriodEnd ? { anchor: day, renewsOn: day } : {}

async function move(
  c: Context,
  row: SubscriptionRow,
  kind: SubscriptionChangeKind,
  set: SubscriptionValues,
  description: string,
): Promise<void> {
  const right = c.withoutPermissionCheck('update a subscription from its payments')
  const day = londonDate(c.now).toString()
  await right.create(subscriptionChange, { subscription: row.id, kind, day, description, lines: [] })
  await right.set(subscription, row, set, kind)
  await c.emit(subscriptionsChanged, { customer: row.customer })
}

/**
 * Queues an e-mail about an invoice to the customer's current invoice address. Returns the address, or an empty string
 * if there is none.
 */
export async function queueDunningMail(
  c: Context,
  owed: InvoiceRow,
  compose: (facts: InvoiceMailFacts) => ComposedEmail,
): Promise<string> {
  const of = await c.get(customer, owed.customer)
  const to = of ? (await loadInvoiceBuyer(c, of)).email : ''
  if (!isEmail(to)) return ''
  await c.emit(emailRequested, {
    to,
    ...compose(toInvoiceMailFacts(owed)),
    ...customerMailSender(c.clientId, owed.supplier),
    link: { kind: invoicePaymentSecretLink.kind, about: { invoice: owed.id } },
    about: iriOf(invoice, owed.id),
  })
  return to
}

interface DunningStepInput {
  readonly kind: DunningStepKind
  readonly description: string
  readonly charge?: number
  readonly sentTo?: string
}

export const recordDunningStep = (
  c: Context,
  d: DunningRow,
  { kind, description, charge, sentTo = '' }: DunningStepInput,
): Promise<unknown> =>
  c.withoutPermissionCheck(DUNNING_REASON).create(dunningStep, {
    dunning: d.id,
    invoice: d.invoice,
    kind,
    day: currentLondonDate(c),
    description: description.slice(0, 1000),
    charge: charge ?? null,
    sentTo,
  })

/** Updates the dunning record, including its stored next step. */
export async function updateDunning(
  c: Context,
  d: DunningRow,
  set: Partial<Omit<DunningRow, 'id' | 'clientId'>>,
  verb: string,
): Promise<DunningRow> {
  const right = c.withoutPermissionCheck(DUNNING_REASON)
  await right.set(dunning, d, set, verb)
  const now = await right.lock(dunning, d.id)
  const next = nextDunningStep(await loadDunningSituation(c, { id: d.invoice }))
  if (next.nextOn !== now.nextOn || next.nextStep !== now.nextStep) await right.set(dunning, now, next, verb)
  return right.lock(dunning, d.id)
}

async function dunningOf(c: Context, id: number): Promise<DunningRow | undefined> {
  const [row] = await c.lockAll(dunning, { invoice: id })
  return row
}

/** Returns the names of a charge's card and bank account. One of the two is empty. */
async function nameOfSource(c: Context, of: RowOf<typeof charge> | undefined) {
  const kept = of && of.card !== null ? await c.get(card, of.card) : undefined
  const held = of && of.mandate !== null ? await c.get(mandate, of.mandate) : undefined
  return { card: kept ? describeCard(kept) : '', account: held && describeAccount(held) }
}

/**
 * Handles a failed automatic charge. If the card was declined, the customer is notified, and the card is retried
 * according to the dunning rules. If the payment service was never called, the charge becomes due again.
 */
export const chargeFailedHandler = eventHandler(chargeFailed, {
  name: 'dunning.charge-failed',
  queue: 'events',
  run: async (c, { charge: id, asked }) => {
    const row = await c.get(charge, id)
    if (!row || row.invoice === null) return
    const owed = await c.lock(invoice, row.invoice)
    const d = await dunningOf(c, owed.id)
    if (!d || d.charge !== id) return
    // The card was never charged, so the charge can still be made, even today.
    if (!asked) return void (await updateDunning(c, d, { chargedOn: null }, 'try again'))
    await declined(c, owed, d, { id, message: row.failure, hard: row.hard })
  },
})

/**
 * Returns the values that restart collection after a bank has reversed a payment. Days are counted from today, but
 * earlier attempts still count.
 */
const again = (c: Context) => ({ state: 'collecting' as const, dueOn: currentLondonDate(c), reminded: null })

interface Failure {
  readonly id: number
  readonly message: string
  readonly hard: boolean
}

async function declined(c: Context, owed: InvoiceRow, d: DunningRow, { id, message, hard }: Failure): Promise<void> {
  const today = currentLondonDate(c)
  const after = await updateDunning(
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
  const next = (await loadDunningSituation(c, owed))?.next ?? []
  const retryOn = next.find(({ kind }) => kind === 'charge')?.on ?? null
  const lapsesOn = next.find(({ kind }) => kind === 'lapse')?.on ?? null
  const { card: name, account } = await nameOfSource(c, await c.get(charge, id))
  const sentTo = await queueDunningMail(c, owed, (facts) =>
    composeEmail(cardDeclinedEmail, {
      invoice: facts,
      card: name,
      account,
      why: message,
      hard,
      retryOn,
      lapsesOn: lapsesOn && lapsesOn > today ? lapsesOn : null,
    }),
  )
  await recordDunningStep(c, after, {
    kind: 'declined',
    description: `${account ? `The Direct Debit from the ${account} failed` : `${name || 'The card'} was declined`}: ${message}${
      retryOn
        ? ` ${account ? 'It will be collected' : 'The card will be charged'} again on ${formatIsoDateAsUk(retryOn)}.`
        : ''
    }`,
    charge: id,
    sentTo,
  })
}

/** Updates an invoice's dunning record and subscriptions immediately after the invoice's state changes. */
export const invoiceStateChangedHandler = eventHandler(invoiceStateChanged, {
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

/**
 * Updates the dunning record to match the invoice's state. `opens` is true if the payment restores access to the
 * subscription's modules.
 */
async function stand(c: Context, owed: InvoiceRow, d: DunningRow, opens: boolean): Promise<void> {
  if (owed.state === 'paid' && d.state !== 'collected') await collected(c, owed, d, opens)
  else if (owed.state === 'void' && d.state !== 'ended')
    await updateDunning(c, d, { state: 'ended', endedOn: currentLondonDate(c), outcome: 'void' }, 'end')
  else if (owed.state === 'uncollectible' && d.state !== 'ended')
    await updateDunning(c, d, { state: 'ended', endedOn: currentLondonDate(c), outcome: 'uncollectible' }, 'end')
  else if (owed.state === 'open' && d.state === 'collected') await reopened(c, owed, d)
}

async function collected(c: Context, owed: InvoiceRow, d: DunningRow, opens: boolean): Promise<void> {
  const paying = d.charge === null ? undefined : await c.get(charge, d.charge)
  // A charge recorded earlier doesn't count, because it may have been refunded and the invoice has since been paid
  // another way.
  const byItself =
    paying?.state === 'succeeded' && !(await c.exists(dunningStep, { charge: paying.id, kind: 'charged' }))
  const wasLate = d.failures > 0 || d.dueOn < currentLondonDate(c)
  const { card: name, account } = await nameOfSource(c, byItself ? paying : undefined)
  // No e-mail is sent if nothing was paid, because credit notes have their own e-mail.
  const isTold = owed.amountPaid > 0 && (byItself || wasLate)
  const sentTo = isTold
    ? await queueDunningMail(c, owed, (facts) =>
        composeEmail(paymentConfirmationEmail, { invoice: facts, card: name, account, opens }),
      )
    : ''
  await recordDunningStep(c, d, {
    kind: byItself ? 'charged' : 'collected',
    description: byItself
      ? account
        ? `${formatMoney(paying.amount, paying.currency)} was collected from the ${account} by Direct Debit.`
        : `${formatMoney(paying.amount, paying.currency)} was charged to ${name}.`
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
  await updateDunning(c, d, over, 'collect')
}

/**
 * Reopens the dunning record. If a payment was refunded or is disputed, collection is put on hold; if a bank reversed
 * the payment, or the payment was recorded in error, collection continues automatically.
 */
async function reopened(c: Context, owed: InvoiceRow, d: DunningRow): Promise<void> {
  const isReturned = (one: RowOf<typeof charge>) => one.state === 'disputed' || one.amountRefunded > 0
  // A declined charge was never received; a payment that failed later was.
  const isUndone = (one: RowOf<typeof charge>) =>
    one.state === 'reversed' || (one.state === 'failed' && one.receivedAt !== null)
  const find = async (where: { invoice: number } | { customer: number }) =>
    (await c.find(charge, where))
      .filter((one) => isReturned(one) || isUndone(one))
      .toSorted((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt))
  const own = await find({ invoice: owed.id })
  // Otherwise the invoice had been paid from credit, which was returned with another payment.
  const causes = own.length ? own : (await find({ customer: owed.customer })).slice(-1)
  const isHeld = causes.some(isReturned)
  const last = causes.findLast(isUndone)
  await recordDunningStep(c, d, {
    kind: isHeld ? 'held' : 'reopened',
    description: isHeld
      ? 'A payment was refunded or is disputed: reminders are on hold until somebody resumes them.'
      : last?.state === 'failed'
        ? 'A payment that had been accepted has failed.'
        : 'A payment was recorded in error and has been undone.',
  })
  await updateDunning(c, d, { ...again(c), ...(isHeld ? { state: 'held' as const } : {}) }, 'reopen')
}
