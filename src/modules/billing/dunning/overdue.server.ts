import { problem, violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { authorOf } from '#kernel/roles.ts'
import { formatIsoDateAsUk, formatUkDateTime } from '#kernel/time.ts'
import { isEmail } from '#kernel/validate.ts'
import type { MailState } from '#modules/crm/mail/message.ts'
import { user } from '#modules/identity/people/user.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { billingUrls } from '../billing-urls.ts'
import { customer } from '../customers/customer.ts'
import { refuseEmailRequestedSince } from '../emails/emails.server.ts'
import { loadInvoiceBuyer } from '../invoices/invoice.server.ts'
import { describeInvoiceState, invoice } from '../invoices/invoice.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { countTowardsDailyMailLimit } from '../print/financial-document.server.ts'
import { quote } from '../quotes/quote.ts'
import { FINANCE_ROLES, SELLING_ROLES } from '../rights.ts'
import { remindCustomer } from './collect.server.ts'
import { recordDunningStep, updateDunning } from './follow.server.ts'
import { LONDON_TODAY_SQL, overdueInvoice, PROMISE_SQL } from './overdue.ts'
import { addDaysToDate } from './plan.ts'
import {
  currentLondonDate,
  DUNNING_REASON,
  type DunningRow,
  findStepsWithEmails,
  loadDunningSituation,
  lockOrCreateDunning,
} from './situation.server.ts'

/** Longest period, in days, for which reminders can be paused or a payment promised. */
const MAX_PAUSE_DAYS = 92

/** Throws 422 unless the day is from today to the last day of a pause. */
export function assertPauseDay(c: Context, field: string, day: string): void {
  const today = currentLondonDate(c)
  const last = addDaysToDate(today, MAX_PAUSE_DAYS)
  if (day < today) throw problem.invalid([violation(field, 'This date has passed')])
  if (day > last)
    throw problem.invalid([violation(field, `Choose a date until ${formatIsoDateAsUk(last)} at the latest`)])
}

/** Locks an invoice that can be chased, and its dunning record. Throws 409 for any other invoice. */
export async function lockChased(c: Context, id: number): Promise<{ owed: InvoiceRow; d: DunningRow }> {
  const owed = await c.withoutPermissionCheck(DUNNING_REASON).lock(invoice, id)
  if (owed.state !== 'open')
    throw problem.conflict(
      `${owed.number || 'This invoice'} is ${describeInvoiceState(owed.state)}, so there is nothing to chase.`,
      'wrong_state',
    )
  return { owed, d: await lockOrCreateDunning(c, owed) }
}

/** States of an e-mail that did not reach its recipient. */
const UNDELIVERED_STATES: ReadonlySet<string> = new Set<MailState>(['kept', 'failed', 'bounced', 'stopped'])

/**
 * Queues a reminder requested by a user. Throws 409 while reminders are paused or on hold, while a payment is in
 * progress, without an e-mail address, and for a second reminder on the same day, unless the first did not reach the
 * customer. `again`: true if the user knows that a reminder was requested a moment ago.
 */
async function remindByHand(c: Context, id: number, again: boolean): Promise<void> {
  const { owed, d } = await lockChased(c, id)
  const today = currentLondonDate(c)
  if (d.state === 'held')
    throw problem.conflict(
      `Reminders for ${owed.number} are on hold, because a payment was refunded or is disputed. Resume them first.`,
    )
  if (d.pausedUntil !== null && d.pausedUntil >= today)
    throw problem.conflict(
      `Reminders for ${owed.number} are paused until ${formatIsoDateAsUk(d.pausedUntil)}: ${d.pauseReason}. Resume them first.`,
    )
  const last = (await findStepsWithEmails(c, id)).findLast(({ kind, day }) => kind === 'reminder' && day === today)
  if (last && !UNDELIVERED_STATES.has(last.email?.state ?? ''))
    throw problem.conflict(
      `${owed.number} has already had a reminder today, at ${formatUkDateTime(Temporal.Instant.from(last.createdAt)).slice(-5)}. The next one can be sent tomorrow.`,
    )
  if ((await loadDunningSituation(c, owed))?.underWay)
    throw problem.conflict(`A payment for ${owed.number} is in progress. Wait for its result.`)
  const buyer = await c.get(customer, owed.customer)
  const to = buyer ? (await loadInvoiceBuyer(c, buyer)).email : ''
  if (!isEmail(to))
    throw problem.conflict(
      `${owed.company || 'This customer'} has no e-mail address for invoices. Enter one on the customer’s page.`,
    )
  // Without this check, simultaneous requests would each repeat a reminder as soon as it has failed.
  if (last?.sentTo === to && !again) refuseEmailRequestedSince(c, Temporal.Instant.from(last.createdAt))
  await countTowardsDailyMailLimit(c, to)
  await remindCustomer(c, owed, d)
}

async function promise(c: Context, id: number, on: string, given: number | null | undefined): Promise<void> {
  assertPauseDay(c, 'on', on)
  const { owed, d } = await lockChased(c, id)
  const amount = given ?? owed.amountDue
  const [promised, due] = [amount, owed.amountDue].map((pence) => formatMoney(pence, owed.currency))
  if (amount > owed.amountDue) throw problem.invalid([violation('amount', `Only ${due} is due`)])
  if (d.state !== 'collecting') throw problem.conflict('This invoice has no reminders to pause.', 'wrong_state')
  const words = `Promise to pay ${promised} by ${formatIsoDateAsUk(on)}`
  await recordDunningStep(c, d, { kind: 'promised', description: `${words}.` })
  await updateDunning(
    c,
    d,
    {
      promisedOn: on,
      promisedAmount: amount,
      paidBefore: owed.amountPaid,
      brokenTold: false,
      contactedAt: c.now.toString(),
      pausedUntil: on,
      pauseReason: words,
      pausedBy: authorOf(c.actor).username,
    },
    'promise',
  )
}

export const overdueBehaviour = behaviour(overdueInvoice, {
  extraFilters: () => [{ sql: () => `(t.state = 'open' AND t.due_on < ${LONDON_TODAY_SQL})` }],
  actions: {
    remind: async (c) => {
      await remindByHand(c, c.row.id, c.input.again === true)
      return {}
    },
    promise: async (c) => {
      await promise(c, c.row.id, c.input.on, c.input.amount)
      return {}
    },
    note: async (c) => {
      const { d } = await lockChased(c, c.row.id)
      const notes = c.input.notes ?? ''
      if (notes === d.notes) return {}
      if (notes) await recordDunningStep(c, d, { kind: 'note', description: notes })
      await updateDunning(c, d, { notes, contactedAt: c.now.toString() }, 'note')
      return {}
    },
  },
})

export const promiseBrokenNotification = declareNotificationType({
  kind: 'invoice.promise-broken',
  label: 'Promises to pay that were broken',
  for: SELLING_ROLES,
  icon: 'alert',
  of: overdueInvoice,
  words: ({ company, number, promisedAmount, currency, promisedOn }) =>
    `${company} has not paid ${promisedAmount === null ? 'as promised' : `the ${formatMoney(promisedAmount, currency)} promised`}${promisedOn ? ` by ${formatIsoDateAsUk(promisedOn)}` : ''}: ${number}`,
  path: ({ id }, _, { clientId }) => billingUrls(clientId).invoice(id),
  mail: true,
})

const BROKEN = `SELECT t.id::int FROM invoice t JOIN dunning p ON p.client_id = t.client_id AND p.invoice_id = t.id
  WHERE t.client_id = $1 AND p.promised_on < $2::date AND p.promised_on IS NOT NULL AND NOT p.broken_told AND t.state = 'open' AND ${PROMISE_SQL} = 'broken' ORDER BY t.id`

const FINANCE =
  'SELECT id::int FROM user_account WHERE client_id = $1 AND NOT is_retired AND roles && $2::text[] ORDER BY id'

/**
 * Records broken promises each morning, and notifies finance staff, the invoice's author and the owner of its quote.
 */
export const promiseSchedule = schedule({
  name: 'invoice-promises',
  every: { daily: '07:30' },
  perClient: async (c) => {
    await c.work.flush()
    const broken = await c.work.tx.rows<{ id: number }>(BROKEN, [c.clientId, currentLondonDate(c)])
    if (!broken.length) return
    const finance = await c.work.tx.rows<{ id: number }>(FINANCE, [c.clientId, [...FINANCE_ROLES]])
    for (const { id } of broken) {
      const { owed, d } = await lockChased(c, id)
      const sold = owed.quote === null ? undefined : await c.get(quote, owed.quote)
      const names = [owed.author, sold?.ownedBy ?? ''].filter(Boolean)
      const owners = names.length ? await c.find(user, { username: names, isRetired: false }) : []
      await notifyUsers(
        c,
        promiseBrokenNotification,
        [...new Set([...finance, ...owners].map((one) => one.id))].map((to) => ({ to, about: id })),
      )
      const money = formatMoney(d.promisedAmount ?? 0, owed.currency)
      await recordDunningStep(c, d, {
        kind: 'broken',
        description: `${money} was promised by ${formatIsoDateAsUk(d.promisedOn ?? '')} and not paid in full.`,
      })
      await updateDunning(c, d, { brokenTold: true }, 'break')
    }
  },
})
