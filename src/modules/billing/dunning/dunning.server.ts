import { problem } from '#kernel/errors.ts'
import { date, text } from '#kernel/fields.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { authorOf, createSystemActor } from '#kernel/roles.ts'
import { composeEmail, PORTAL_NAME_PLACEHOLDER, SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { isEmail } from '#kernel/validate.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { hydraCollection, subListRoute } from '#server/http/list-route.ts'
import { reminderSchedule } from '#server/jobs/remind.ts'
import { card } from '../cards/card.ts'
import { mandate } from '../cards/mandate.ts'
import { customer } from '../customers/customer.ts'
import { type InvoiceMailFacts, invoiceEmail, proFormaEmail } from '../invoices/emails.ts'
import { invoiceIssued, invoiceSendRequested } from '../invoices/events.ts'
import { loadInvoiceBuyer } from '../invoices/invoice.server.ts'
import { invoice } from '../invoices/invoice.ts'
import { type InvoiceRow, queueFinancialDocumentMail, toInvoiceMailFacts } from '../invoices/lines.server.ts'
import { buildInvoiceDocument } from '../invoices/paper.ts'
import { canPayByCard, ensurePayLink, isPayable, withPaymentLink } from '../invoices/pay-link.server.ts'
import { invoicePaymentSecretLink } from '../pay-links/routes.server.ts'
import { charge } from '../payments/charge.ts'
import { describeAccount, describeCard } from '../payments/names.ts'
import { loadSupplier } from '../print/financial-document.server.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { RENEWABLE_STATUSES } from '../subscriptions/renewal.server.ts'
import { subscription } from '../subscriptions/subscription.ts'
import {
  dunningDueHandler,
  dunningSchedule,
  mandateChangedHandler,
  mandateEndedNotification,
  mandateSignedHandler,
} from './collect.server.ts'
import type { DunningPlan, DunningSilence, PromiseState } from './dunning.ts'
import { COLLECTIONS_URL, dunning, dunningStep } from './dunning.ts'
import {
  cardDeclinedEmail,
  cardExpiryEmail,
  debitNoticeEmail,
  dunningEndedEmail,
  invoiceDueEmail,
  invoiceOverdueEmail,
  mandateConfirmationEmail,
  paymentConfirmationEmail,
} from './emails.ts'
import {
  chargeFailedHandler,
  invoiceStateChangedHandler,
  pastDueSchedule,
  recordDunningStep,
  updateDunning,
} from './follow.server.ts'
import { baseRateBehaviour, lateInterestRoutes } from './late-interest.server.ts'
import { baseRate, lateClaim } from './late-interest.ts'
import {
  assertPauseDay,
  lockChased,
  overdueBehaviour,
  promiseBrokenNotification,
  promiseSchedule,
} from './overdue.server.ts'
import { overdueInvoice, PROMISE_SQL } from './overdue.ts'
import { type DunningRules, dunningSettings } from './plan.ts'
import {
  currentLondonDate,
  type DunningSituation,
  dunningReferenceData,
  dunningSettingsBehaviour,
  findStepsWithEmails,
  loadCollections,
  loadDunningRules,
  loadDunningSituation,
} from './situation.server.ts'

const AT = `${invoice.url}/{id}/dunning`

async function planOf(c: Context, id: number): Promise<DunningPlan> {
  const [d] = await c.find(dunning, { invoice: id })
  const situation = await loadDunningSituation(c, { id })
  const rules = await loadDunningRules(c)
  const owed = await c.get(invoice, id)
  const pausedUntil = d && d.pausedUntil !== null && d.pausedUntil >= currentLondonDate(c) ? d.pausedUntil : null
  const [promised] =
    d?.promisedOn && d.promisedAmount !== null
      ? await c.work.tx.rows<{ state: PromiseState }>(PROMISE, [c.clientId, id])
      : []
  return {
    '@id': AT.replace('{id}', String(id)),
    '@type': 'DunningPlan',
    state: d?.state ?? null,
    pausedUntil,
    pauseReason: d?.pauseReason ?? '',
    pausedBy: d?.pausedBy ?? '',
    underWay: situation?.underWay ?? false,
    final: rules.final,
    steps: (await findStepsWithEmails(c, id)).toReversed().map(({ email, ...one }) => ({
      id: one.id,
      kind: one.kind,
      day: one.day,
      description: one.description,
      sentTo: one.sentTo ?? '',
      email,
      charge: one.charge === null ? null : iriOf(charge, one.charge),
      author: one.author,
    })),
    next: situation?.next ?? [],
    silent:
      owed?.state === 'open' ? await silenceOf(c, owed, { state: d?.state, pausedUntil, situation, rules }) : null,
    promise:
      promised && d?.promisedOn ? { on: d.promisedOn, amount: d.promisedAmount ?? 0, state: promised.state } : null,
    notes: d?.notes ?? '',
  }
}

const PROMISE = `SELECT ${PROMISE_SQL} AS state FROM invoice t WHERE t.client_id = $1 AND t.id = $2`

interface SilenceFacts {
  readonly state: DunningPlan['state'] | undefined
  readonly pausedUntil: string | null
  readonly situation: DunningSituation | undefined
  readonly rules: DunningRules
}

/** Returns why an open invoice gets no automatic reminder now; null if one will be sent. */
async function silenceOf(
  c: Context,
  owed: InvoiceRow,
  { state, pausedUntil, situation, rules }: SilenceFacts,
): Promise<DunningSilence | null> {
  if (state === 'held' || state === 'ended') return state
  if (pausedUntil !== null) return 'paused'
  if (situation?.underWay) return 'payment'
  if (situation?.next.some(({ kind }) => kind === 'charge')) return null
  if (!situation?.ofSubscription && !rules.remindAll) return 'off'
  if (situation?.mailRefused) return 'mail'
  const buyer = await c.get(customer, owed.customer)
  if (!isEmail(buyer ? (await loadInvoiceBuyer(c, buyer)).email : '')) return 'address'
  return situation?.next.some(({ kind }) => kind === 'reminder') ? null : 'done'
}

/** Runs the work in the caller's tenant, for an invoice that the caller can access, and returns the dunning plan. */
async function answer(c: RouteContext, work: (unit: Context, id: number) => Promise<void> = async () => {}) {
  const id = await c.engine.idOf(invoice, c.actor, c.params.id)
  await c.engine.one(invoice, c.actor, id)
  return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
    await work(unit, id)
    const plan = await planOf(unit, id)
    return () => ({ ...plan })
  })
}

async function pause(c: Context, id: number, until: string, reason: string): Promise<void> {
  assertPauseDay(c, 'until', until)
  const { d } = await lockChased(c, id)
  if (d.state !== 'collecting') throw problem.conflict('This invoice has no reminders to pause.', 'wrong_state')
  await recordDunningStep(c, d, { kind: 'paused', description: `Paused until ${formatIsoDateAsUk(until)}: ${reason}` })
  await updateDunning(c, d, { pausedUntil: until, pauseReason: reason, pausedBy: authorOf(c.actor).username }, 'pause')
}

async function resume(c: Context, id: number): Promise<void> {
  const owed = await c.lock(invoice, id)
  const [d] = await c.lockAll(dunning, { invoice: id })
  if (owed.state !== 'open' || !d || (d.state !== 'held' && d.pausedUntil === null))
    throw problem.conflict('Reminders for this invoice are not paused or on hold.', 'wrong_state')
  const money = formatMoney(owed.amountDue, owed.currency)
  await recordDunningStep(c, d, { kind: 'resumed', description: `Reminders for ${money} resumed.` })
  const anew = d.state === 'held' ? { state: 'collecting' as const, dueOn: currentLondonDate(c) } : {}
  await updateDunning(c, d, { ...anew, pausedUntil: null, pauseReason: '', pausedBy: '' }, 'resume')
}

const dunningRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: COLLECTIONS_URL,
    title: 'List the invoices that are charged by card or Direct Debit in the next two weeks, by date',
    allow: FINANCE_ROLES,
    listOf: 'objects',
    handle: async (c) =>
      hydraCollection(
        await c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
          const found = await loadCollections(unit)
          return () => found
        }),
      ),
  },
  {
    method: 'GET',
    path: AT,
    title: 'List an invoice’s past reminders and upcoming steps',
    allow: SELLING_ROLES,
    handle: (c) => answer(c),
  },
  routeWithInput(
    {
      until: date({ required: 'Please enter a date', label: 'Until' }),
      reason: text({ required: 'Please enter a reason', max: 500, label: 'Reason' }),
    },
    {
      method: 'POST',
      path: `${AT}/pause`,
      title: 'Pause an invoice’s reminders until a date, for example after a promise to pay',
      allow: FINANCE_ROLES,
      refuses: [409],
      of: invoice,
      handle: (c) => answer(c, (unit, id) => pause(unit, id, c.input.until, c.input.reason)),
    },
  ),
  {
    method: 'POST',
    path: `${AT}/resume`,
    title: 'Resume reminders that are paused or on hold',
    allow: FINANCE_ROLES,
    refuses: [409],
    handle: (c) => answer(c, resume),
  },
  subListRoute({
    path: '/api/financial/customers/{id}/dunnings',
    title: 'List a customer’s overdue invoices, oldest first',
    of: customer,
    r: dunning,
    where: (id) => `t.customer_id = ${id}`,
    allow: SELLING_ROLES,
  }),
]

/**
 * Returns the card or bank account that will be charged for an invoice, and the date; `undefined` if the customer pays
 * the invoice by other means.
 */
async function automaticChargeDate(
  c: Context,
  owed: InvoiceRow,
): Promise<Pick<InvoiceMailFacts, 'charged' | 'collected'>> {
  const found = owed.state === 'open' ? await loadDunningSituation(c, owed) : undefined
  const next = found?.next.find(({ kind }) => kind === 'charge')
  const held = next && found && found.mandate !== null ? await c.get(mandate, found.mandate) : undefined
  if (next && held) return { collected: { account: describeAccount(held), on: next.on } }
  const kept = next && found && found.card !== null ? await c.get(card, found.card) : undefined
  return next && kept ? { charged: { card: describeCard(kept), on: next.on } } : {}
}

/**
 * E-mails an invoice, or a draft as a pro forma invoice, to its customer. If a card will be charged, the e-mail states
 * the date. Void invoices are not sent.
 */
async function sendInvoice(engine: Engine, clientId: number, id: number, { again }: { again: boolean }): Promise<void> {
  const why = { actor: createSystemActor(clientId, 'e-mail an invoice to its customer'), requestId: 'letter' }
  const isCardAccepted = await canPayByCard(engine, clientId)
  const found = await engine.inTenant(clientId, why, async (c) => {
    const row = await c.get(invoice, id)
    const automatic = row ? await automaticChargeDate(c, row) : {}
    const isAutomatic = automatic.charged !== undefined || automatic.collected !== undefined
    const url = row && isCardAccepted && isPayable(row) && !isAutomatic ? await ensurePayLink(c, row.id) : undefined
    return () => row && { row, automatic, url }
  })
  // If this is a retry after a crash, the e-mail may already have been queued.
  if (!found || found.row.state === 'void' || (found.row.mailQueuedAt !== null && !again)) return
  const { row, automatic, url } = found
  const isDraft = row.state === 'draft'
  await queueFinancialDocumentMail(engine, clientId, {
    to: row.buyer?.email ?? '',
    email: composeEmail(isDraft ? proFormaEmail : invoiceEmail, {
      ...toInvoiceMailFacts(row),
      ...automatic,
      payUrl: url && SECRET_LINK_PLACEHOLDER,
    }),
    sheet: withPaymentLink(buildInvoiceDocument(row), url),
    from: row.supplier,
    about: { r: invoice, id },
    kept: !isDraft,
    ...(url ? { link: { kind: invoicePaymentSecretLink.kind, about: { invoice: id } } } : {}),
  })
}

const sendIssued = eventHandler(invoiceIssued, {
  name: 'invoice.send-issued',
  queue: 'events',
  send: ({ engine, clientId }, { invoice: id }) => sendInvoice(engine, clientId, id, { again: false }),
})

const sendAgain = eventHandler(invoiceSendRequested, {
  name: 'invoice.send-again',
  queue: 'events',
  send: ({ engine, clientId }, { invoice: id }) => sendInvoice(engine, clientId, id, { again: true }),
})

/** Number of days before a card's expiry at which its holder is e-mailed. */
const AHEAD = 21

/** Reminds customers who pay a subscription by card that the card will expire soon. */
const expiryReminder = reminderSchedule({
  name: 'card.expires',
  of: card,
  on: 'expiresOn',
  daily: '08:15',
  daysBefore: [AHEAD],
  where: { default: true, retired: false },
  send: async (c, row, { day, late }) => {
    const of = await c.get(customer, row.customer)
    if (late || !of || of.retired) return
    if (!(await c.exists(subscription, { customer: of.id, status: [...RENEWABLE_STATUSES] }))) return
    const buyer = await loadInvoiceBuyer(c, of)
    if (!isEmail(buyer.email)) return
    const email = composeEmail(cardExpiryEmail, {
      buyer,
      supplier: await loadSupplier(c, c),
      provider: PORTAL_NAME_PLACEHOLDER,
      card: describeCard(row),
      on: day.toString(),
    })
    await c.emit(emailRequested, { to: buyer.email, ...email, about: iriOf(customer, of.id) })
  },
})

export const dunningFeature = feature({
  pack: INVOICING_PACK,
  resources: [dunning, dunningStep, dunningSettings, overdueInvoice, baseRate, lateClaim],
  behaviours: [dunningSettingsBehaviour, overdueBehaviour, baseRateBehaviour],
  routes: [...dunningRoutes, ...lateInterestRoutes],
  notifications: [promiseBrokenNotification, mandateEndedNotification],
  handlers: [
    sendIssued,
    sendAgain,
    dunningDueHandler,
    chargeFailedHandler,
    invoiceStateChangedHandler,
    mandateSignedHandler,
    mandateChangedHandler,
  ],
  schedules: [pastDueSchedule, dunningSchedule, promiseSchedule, expiryReminder],
  emails: [
    invoiceDueEmail,
    invoiceOverdueEmail,
    cardDeclinedEmail,
    dunningEndedEmail,
    paymentConfirmationEmail,
    cardExpiryEmail,
    debitNoticeEmail,
    mandateConfirmationEmail,
  ],
  referenceData: [dunningReferenceData],
  seeds: () => import('./demo.server.ts'),
})
