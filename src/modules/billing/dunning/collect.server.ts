import { z } from 'zod'
import { Problem, problem } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { composeEmail, PORTAL_NAME_PLACEHOLDER } from '#kernel/system-email.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { isEmail } from '#kernel/validate.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { billingUrls } from '../billing-urls.ts'
import { mandate, mandateChanged, mandateSigned } from '../cards/mandate.ts'
import { customer } from '../customers/customer.ts'
import { loadInvoiceBuyer } from '../invoices/invoice.server.ts'
import { invoice } from '../invoices/invoice.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { writeOffOrRequest } from '../invoices/settle.server.ts'
import { describeAccount } from '../payments/names.ts'
import { takePayment } from '../payments/take-payment.server.ts'
import { customerMailSender } from '../print/financial-document.server.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { subscription, subscriptionChange } from '../subscriptions/subscription.ts'
import { dunningStep } from './dunning.ts'
import {
  debitNoticeEmail,
  dunningEndedEmail,
  invoiceDueEmail,
  invoiceOverdueEmail,
  mandateConfirmationEmail,
} from './emails.ts'
import { queueDunningMail, recordDunningStep, updateDunning } from './follow.server.ts'
import { describeLateInterest } from './late-interest.server.ts'
import type { FinalDunningStep, UpcomingDunningStep } from './plan.ts'
import {
  currentLondonDate,
  DUNNING_REASON,
  type DunningRow,
  type DunningSituation,
  loadDunningRules,
  loadDunningSituation,
  loadDunningSituations,
  lockOrCreateDunning,
  nextDunningStep,
} from './situation.server.ts'

/** Takes the final step for an unpaid invoice: applies the configured outcome and sends the last e-mail. */
async function endDunning(c: Context, owed: InvoiceRow, d: DunningRow, final: FinalDunningStep): Promise<void> {
  const sentTo = await queueDunningMail(c, owed, (facts) => composeEmail(dunningEndedEmail, { invoice: facts, final }))
  const did = await ENDS[final](c, owed)
  const description = `${formatMoney(owed.amountDue, owed.currency)} was not paid. ${did}`
  await recordDunningStep(c, d, { kind: 'ended', description, sentTo })
  await updateDunning(c, d, { state: 'ended', endedOn: currentLondonDate(c), outcome: final }, 'end')
}

const ENDS: Readonly<Record<FinalDunningStep, (c: Context, owed: InvoiceRow) => Promise<string>>> = {
  keep: async () => 'Reminders stop; the invoice stays overdue.',
  uncollectible: async (c, owed) => {
    // Nothing can be posted if the books are closed for today. In that case, staff write the invoice off.
    const tried = await c.attempt(() => writeOffOrRequest(c, owed, 'Not paid after all reminders'))
    if ('refused' in tried) return `The invoice could not be written off: ${tried.refused.message}`
    return tried.value
      ? 'The invoice was written off.'
      : 'The write-off is above the limit and is waiting for approval.'
  },
  cancel: async (c, owed) => {
    const told: string[] = []
    for (const id of await subscriptionsOf(c, owed.id)) {
      const tried = await c.attempt(() =>
        c.withoutPermissionCheck(DUNNING_REASON).act(subscription, 'cancel', id, { reason: 'unpaid' }),
      )
      told.push(
        'value' in tried
          ? `Subscription ${id} was cancelled.`
          : `Subscription ${id} could not be cancelled: ${tried.refused.message}`,
      )
    }
    return told.join(' ') || 'There was no subscription left to cancel.'
  },
}

/** Locks the subscriptions on an invoice and returns the IDs of those that are not cancelled. */
async function subscriptionsOf(c: Context, id: number): Promise<number[]> {
  const changes = await c.find(subscriptionChange, { invoice: id })
  const ids = [...new Set(changes.map((one) => one.subscription))]
  if (!ids.length) return []
  const rows = await c.lockAll(subscription, { id: ids })
  return rows.filter(({ status }) => status !== 'cancelled').map((row) => row.id)
}

/** Emitted when an invoice's collection step is due today. */
const dunningDue = defineEvent({
  kind: 'dunning.due',
  version: 1,
  payload: z.object({ invoice: z.int() }),
})

const WHO = 'collect payments due'

/** Runs each morning. Queues the step due for each invoice and updates the next step shown in lists. */
export const dunningSchedule = schedule({
  name: 'dunning',
  every: { daily: '08:00' },
  perClient: async (c) => {
    const today = currentLondonDate(c)
    const all = await loadDunningSituations(c)
    await keepNext(c, all)
    for (const one of all) if (!one.underWay && dueStep(one, today)) await c.emit(dunningDue, { invoice: one.invoice })
  },
})

const KEEP_NEXT = `UPDATE dunning d SET next_on = n.next_on, next_step = n.next_step
  FROM unnest($2::bigint[], $3::date[], $4::text[]) AS n (id, next_on, next_step)
  WHERE d.client_id = $1 AND d.id = n.id AND (d.next_on, d.next_step) IS DISTINCT FROM (n.next_on, n.next_step)`

/** Updates the stored next steps each day, because settings, cards or dates may have changed. */
async function keepNext(c: Context, all: readonly DunningSituation[]): Promise<void> {
  const known = all.filter(({ dunning }) => dunning !== null)
  if (!known.length) return
  const next = known.map(nextDunningStep)
  await c.work.tx.rows(KEEP_NEXT, [
    c.clientId,
    known.map(({ dunning }) => dunning),
    next.map(({ nextOn }) => nextOn),
    next.map(({ nextStep }) => nextStep),
  ])
  c.work.touched.add('dunning')
}

/**
 * Returns the step due today. Lapse steps are excluded, because lapsing is handled with the subscription. A collection
 * waits until the bank has accepted the Direct Debit Instruction.
 */
function dueStep({ next, isMandatePending }: DunningSituation, today: string): UpcomingDunningStep | undefined {
  const due = next.find(({ kind, on }) => kind !== 'lapse' && on <= today)
  return due?.kind === 'charge' && isMandatePending ? undefined : due
}

/** Handles the step due for an invoice, at most once. If a card is charged, this happens between two transactions. */
export const dunningDueHandler = eventHandler(dunningDue, {
  name: 'dunning.collect',
  queue: 'payments',
  send: ({ engine, clientId }, { invoice: id }) => runDueDunningStep(engine, clientId, id),
})

interface Charging {
  readonly customer: number
  readonly card: number | null
  /** Direct Debit Instruction; if the customer has one, no card is charged. */
  readonly mandate: number | null
  readonly amount: number
  readonly attempt: number
}

/** Runs the collection step due today for an invoice. Does nothing if no step is due or a payment is in progress. */
export async function runDueDunningStep(engine: Engine, clientId: number, id: number): Promise<void> {
  const change = { actor: createSystemActor(clientId, WHO), requestId: `dunning ${id}` }
  const charging = await engine.inTenant(clientId, change, async (c) => {
    const done = await step(c, await c.lock(invoice, id))
    return () => done
  })
  if (!charging) return
  const { customer, amount, attempt } = charging
  await takePayment(
    { engine, ...change, change, finish: change },
    {
      customer,
      invoice: id,
      card: charging.card,
      mandate: charging.mandate,
      method: charging.mandate === null ? 'card' : 'debit',
      amount,
      amountDue: amount,
      currency: null,
      reference: '',
      receivedAt: null,
      notes: attempt ? `Collected automatically, retry ${attempt}` : 'Collected automatically',
      keepBoth: false,
      begun: (c, charge) => begun(c, id, charge),
    },
  ).catch((e: unknown) => {
    // The charge was declined, or the invoice has since been paid. The handlers of the charge events process the
    // outcome, and the next daily run checks again.
    if (!(e instanceof Problem) || e.status >= 500) throw e
  })
}

/** Takes a step that needs no card, or returns the charge if one is due. */
async function step(c: Context, owed: InvoiceRow): Promise<Charging | undefined> {
  const found = await loadDunningSituation(c, owed)
  if (!found || found.underWay) return undefined
  const today = currentLondonDate(c)
  const due = dueStep(found, today)
  if (due?.kind === 'notice') await giveNotice(c, owed, found, due.collectOn)
  if (due?.kind === 'reminder') await remind(c, owed, found, due.days)
  if (due?.kind === 'end')
    await endDunning(c, owed, await lockOrCreateDunning(c, owed), (await loadDunningRules(c)).final)
  const { card, mandate } = found
  return due?.kind === 'charge' && (card !== null || mandate !== null)
    ? { customer: owed.customer, card, mandate, amount: owed.amountDue, attempt: due.attempt }
    : undefined
}

/** Queues the notice of a collection. Nothing is collected without an e-mail address for the notice. */
async function giveNotice(c: Context, owed: InvoiceRow, found: DunningSituation, on: string): Promise<void> {
  const { mandate: id, noNoticeTo } = found
  const held = id === null ? undefined : await c.get(mandate, id)
  if (!held) return
  const d = await lockOrCreateDunning(c, owed)
  const { serviceName, reference } = held
  const payer = await c.get(customer, owed.customer)
  const { stripe, smtpUrl } = c.engine.config
  const why =
    stripe && !smtpUrl
      ? 'this portal has no mail server'
      : noNoticeTo !== null && payer && (await loadInvoiceBuyer(c, payer)).email === noNoticeTo
        ? `the e-mail to ${noNoticeTo} was not delivered. Correct the address`
        : ''
  const sentTo = why
    ? ''
    : await queueDunningMail(c, owed, (facts) =>
        composeEmail(debitNoticeEmail, {
          invoice: facts,
          account: describeAccount(held),
          serviceName,
          reference,
          collectOn: on,
        }),
      )
  const what = `${formatMoney(owed.amountDue, owed.currency)} by Direct Debit from the ${describeAccount(held)} on ${formatIsoDateAsUk(on)}`
  if (!sentTo) {
    // Recorded once, although the portal tries to send the notice again each day.
    if (await c.exists(dunningStep, { dunning: d.id, kind: 'notSent' })) return
    const description = `No notice of ${what}: ${why || 'the customer has no e-mail address for invoices'}. Nothing is collected without notice.`
    return void (await recordDunningStep(c, d, { kind: 'notSent', description }))
  }
  await recordDunningStep(c, d, { kind: 'notice', description: `Notice of ${what}.`, sentTo })
  const notice = { mandate: held.id, noticedOn: currentLondonDate(c), noticeAmount: owed.amountDue, collectOn: on }
  await updateDunning(c, d, notice, 'notice')
}

/** E-mails a confirmation of a signed Direct Debit Instruction, and takes the next step for its invoice at once. */
export const mandateSignedHandler = eventHandler(mandateSigned, {
  name: 'dunning.mandate-signed',
  queue: 'events',
  run: async (c, { mandate: id, invoice: of }) => {
    const held = await c.get(mandate, id)
    const owed = await c.get(invoice, of)
    const payer = held && (await c.get(customer, held.customer))
    if (!held || !owed || !payer) return
    const buyer = await loadInvoiceBuyer(c, payer)
    if (isEmail(buyer.email))
      await c.emit(emailRequested, {
        to: buyer.email,
        ...composeEmail(mandateConfirmationEmail, {
          buyer,
          supplier: owed.supplier,
          provider: PORTAL_NAME_PLACEHOLDER,
          account: describeAccount(held),
          holder: held.holder,
          serviceName: held.serviceName,
          reference: held.reference,
          noticeDays: (await loadDunningRules(c)).noticeDays,
        }),
        ...customerMailSender(c.clientId, owed.supplier),
        about: iriOf(customer, payer.id),
      })
    await takeNextSteps(c, payer.id)
  },
})

/** Queues the steps that are due for a customer's invoices, and updates the next steps that lists show. */
async function takeNextSteps(c: Context, customerId: number): Promise<void> {
  const today = currentLondonDate(c)
  const ids = new Set((await c.find(invoice, { customer: customerId, state: 'open' })).map(({ id }) => id))
  const all = (await loadDunningSituations(c)).filter((one) => ids.has(one.invoice))
  await keepNext(c, all)
  for (const one of all)
    if (!one.underWay && ['notice', 'charge'].includes(dueStep(one, today)?.kind ?? ''))
      await c.emit(dunningDue, { invoice: one.invoice })
}

/** Collects due invoices once an instruction is active, and notifies finance staff once it has ended. */
export const mandateChangedHandler = eventHandler(mandateChanged, {
  name: 'dunning.mandate-changed',
  queue: 'events',
  run: async (c, { mandate: id }) => {
    const held = await c.get(mandate, id)
    if (!held) return
    if (held.state === 'cancelled' || held.state === 'failed') await notifyMandateEnded(c, held)
    await takeNextSteps(c, held.customer)
  },
})

export const mandateEndedNotification = declareNotificationType({
  kind: 'mandate.ended',
  label: 'Direct Debits that banks have cancelled or refused',
  for: FINANCE_ROLES,
  icon: 'alert',
  of: mandate,
  words: ({ company, last4, reason }) => `Direct Debit of ${company}, account ending ${last4}, has ended: ${reason}`,
  path: ({ customer: payer }, _, { clientId }) =>
    billingUrls(clientId).customer(Number(String(payer).split('/').at(-1))),
  mail: true,
})

/** Notifies finance staff, unless a user of the portal has cancelled the instruction. */
async function notifyMandateEnded(c: Context, { id, endedBy }: RowOf<typeof mandate>): Promise<void> {
  if (endedBy) return
  const finance = await c.work.tx.rows<{ id: number }>(
    'SELECT id::int FROM user_account WHERE client_id = $1 AND NOT is_retired AND roles && $2::text[] ORDER BY id',
    [c.clientId, [...FINANCE_ROLES]],
  )
  await notifyUsers(
    c,
    mandateEndedNotification,
    finance.map((one) => ({ to: one.id, about: id })),
  )
}

/**
 * Queues a reminder now, even after automatic reminders have ended. Earlier reminders that are due are no longer sent.
 */
export async function remindCustomer(
  c: Context,
  owed: InvoiceRow,
  { dueOn }: Pick<DunningRow, 'dueOn'>,
): Promise<void> {
  const found = (await loadDunningSituation(c, owed)) ?? { dueOn, ofSubscription: false, next: [] }
  const { days } = Temporal.PlainDate.from(found.dueOn).until(Temporal.PlainDate.from(currentLondonDate(c)), {
    largestUnit: 'days',
  })
  await remind(c, owed, found, days)
}

async function remind(
  c: Context,
  owed: InvoiceRow,
  { dueOn, ofSubscription, next }: Pick<DunningSituation, 'dueOn' | 'ofSubscription' | 'next'>,
  days: number,
): Promise<void> {
  const today = currentLondonDate(c)
  const d = await lockOrCreateDunning(c, owed)
  const { wording, reminderDays, interestInReminders } = await loadDunningRules(c)
  // A reminder sent by hand uses the wording of the latest step.
  const latest = reminderDays.findLast((one) => one <= days && one < 0 === days < 0)
  const own = wording.find((one) => one.days === latest)
  const interest = interestInReminders && days > 0 ? await describeLateInterest(c, owed) : undefined
  const lapsesOn = ofSubscription ? (next.find(({ kind }) => kind === 'lapse')?.on ?? null) : null
  const sentTo = await queueDunningMail(c, owed, (facts) =>
    composeEmail(days < 0 ? invoiceDueEmail : invoiceOverdueEmail, {
      invoice: facts,
      dueOn,
      today,
      lapsesOn: lapsesOn && lapsesOn > today ? lapsesOn : null,
      wording: own,
      interest,
    }),
  )
  const when =
    today < dueOn
      ? `due on ${formatIsoDateAsUk(dueOn)}`
      : today === dueOn
        ? 'due today'
        : `overdue since ${formatIsoDateAsUk(dueOn)}`
  const what = `${formatMoney(owed.amountDue, owed.currency)}, ${when}`
  // The e-mail is only queued here; its delivery status is read from the e-mail.
  await recordDunningStep(
    c,
    d,
    sentTo
      ? { kind: 'reminder', description: `Payment reminder for ${what}.`, sentTo }
      : { kind: 'notSent', description: `No reminder for ${what}: the customer has no e-mail address for invoices.` },
  )
  await updateDunning(c, d, { reminded: Math.max(days, d.reminded ?? days) }, 'remind')
}

/**
 * Records the charge in its own transaction, under the invoice lock. Throws 409 unless the charge is still due, so that
 * the card is charged at most once a day.
 */
async function begun(c: Context, id: number, charge: number): Promise<void> {
  const owed = await c.lock(invoice, id)
  const found = await loadDunningSituation(c, owed)
  const today = currentLondonDate(c)
  const due = found && dueStep(found, today)
  if (!found || due?.kind !== 'charge' || (found.card === null && found.mandate === null))
    throw problem.conflict('This invoice is not due to be charged today.')
  const d = await lockOrCreateDunning(c, owed)
  await updateDunning(c, d, { chargedOn: today, charge, card: found.mandate === null ? found.card : null }, 'charge')
}
