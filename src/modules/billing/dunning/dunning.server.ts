import { iriOf } from '#kernel/resource.ts'
import { systemActor } from '#kernel/roles.ts'
import { isEmail } from '#kernel/validate.ts'
import { emailRequested, PORTAL_NAME_PLACEHOLDER } from '#modules/portal/mail/letter.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { reminderSchedule } from '#server/jobs/remind.ts'
import { card } from '../cards/card.ts'
import { customer } from '../customers/customer.ts'
import { invoiceIssued, invoiceSendRequested } from '../invoices/events.ts'
import { loadInvoiceBuyer } from '../invoices/invoice.server.ts'
import { invoice } from '../invoices/invoice.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { queueDocumentMail, toInvoiceFacts } from '../invoices/lines.server.ts'
import { buildInvoiceDocument, invoiceMail, proFormaMail } from '../invoices/paper.ts'
import { describeCard } from '../payments/names.ts'
import { loadSupplier } from '../print/supplier.server.ts'
import { INVOICING_PACK } from '../rights.ts'
import { RENEWING_STATUSES } from '../subscriptions/renewal.server.ts'
import { subscription } from '../subscriptions/subscription.ts'
import { collectDue, dunningDaily } from './collect.server.ts'
import { dunning, dunningStep } from './dunning.ts'
import { chargeFailedHandler, invoiceStateChangedHandler, pastDueDaily } from './follow.server.ts'
import { cardExpiryMail, dunningSettings } from './mail.ts'
import { dunningRoutes } from './routes.server.ts'
import { dunningReference, dunningSettingsBehaviour, dunningSituationOf } from './situation.server.ts'

/** Name of the card that is charged for an invoice, and the day; `undefined` if the customer pays it themselves. */
async function automaticChargeDate(
  c: Context,
  owed: InvoiceRow,
): Promise<{ readonly card: string; readonly on: string } | undefined> {
  const found = owed.state === 'open' ? await dunningSituationOf(c, owed) : undefined
  const next = found?.next.find(({ kind }) => kind === 'charge')
  const kept = next && found && found.card !== null ? await c.get(card, found.card) : undefined
  return next && kept ? { card: describeCard(kept), on: next.on } : undefined
}

/** Sends an invoice to its customer, with the day on which their card will be charged. */
async function sendInvoice(engine: Engine, clientId: number, id: number, { again }: { again: boolean }): Promise<void> {
  const why = { actor: systemActor(clientId, 'e-mail an invoice to its customer'), requestId: 'letter' }
  const found = await engine.inTenant(clientId, why, async (c) => {
    const row = await c.get(invoice, id)
    const charged = row && (await automaticChargeDate(c, row))
    return () => row && { row, charged }
  })
  // Already sent, if this is a retry after a crash.
  if (!found || found.row.state === 'void' || (found.row.sentAt !== null && !again)) return
  const { row, charged } = found
  const isDraft = row.state === 'draft'
  await queueDocumentMail(engine, clientId, {
    to: row.buyer?.email ?? '',
    mail: isDraft ? proFormaMail(toInvoiceFacts(row)) : invoiceMail({ ...toInvoiceFacts(row), charged }),
    sheet: buildInvoiceDocument(row),
    from: row.supplier,
    about: { r: invoice, id },
    template: isDraft ? 'pro-forma' : 'invoice',
    kept: !isDraft,
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

/** Days before a card expires on which its holder is e-mailed. */
const AHEAD = 21

/** Reminds subscription payers that their card will expire. */
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
    if (!(await c.exists(subscription, { customer: of.id, status: [...RENEWING_STATUSES] }))) return
    const buyer = await loadInvoiceBuyer(c, of)
    if (!isEmail(buyer.email)) return
    const mail = cardExpiryMail(
      { buyer, supplier: await loadSupplier(c, c), provider: PORTAL_NAME_PLACEHOLDER },
      { card: describeCard(row), on: day.toString() },
    )
    await c.emit(emailRequested, { to: buyer.email, ...mail, template: 'card-expires', about: iriOf(customer, of.id) })
  },
})

export const dunningFeature = feature({
  pack: INVOICING_PACK,
  resources: [dunning, dunningStep, dunningSettings],
  behaviours: [dunningSettingsBehaviour],
  routes: dunningRoutes,
  handlers: [sendIssued, sendAgain, collectDue, chargeFailedHandler, invoiceStateChangedHandler],
  schedules: [pastDueDaily, dunningDaily, expiryReminder],
  referenceData: [dunningReference],
  seeds: () => import('./demo.server.ts'),
})
