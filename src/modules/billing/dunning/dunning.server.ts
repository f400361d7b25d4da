import { isEmail } from '#kernel/email.ts'
import { iriOf } from '#kernel/resource.ts'
import { emailRequested, PORTAL_NAME_PLACEHOLDER } from '#modules/portal/mail/letter.ts'
import { feature } from '#server/engine/module.ts'
import { remind } from '#server/jobs/remind.ts'
import { card } from '../cards/card.ts'
import { customer } from '../customers/customer.ts'
import { buyerOf } from '../invoices/buyer.server.ts'
import { describeCard } from '../payments/names.ts'
import { loadSupplier } from '../print/supplier.server.ts'
import { INVOICING_PACK } from '../rights.ts'
import { RENEWING_STATUSES } from '../subscriptions/renewal.server.ts'
import { subscription } from '../subscriptions/subscription.ts'
import { collectDue, dunningDaily } from './collect.server.ts'
import { dunning, dunningStep } from './dunning.ts'
import { chargeFailedHandler, invoiceMovedHandler } from './follow.server.ts'
import { cardExpiryMail } from './mail.ts'
import { pastDueDaily } from './past-due.server.ts'
import { dunningRoutes } from './routes.server.ts'
import { sendAgain, sendIssued } from './send-invoice.server.ts'
import { dunningReference, dunningSettingsBehaviour } from './settings.server.ts'
import { dunningSettings } from './settings.ts'

/** Days before a card expires on which its holder is e-mailed. */
const AHEAD = 21

/** Reminds subscription payers that their card expires. */
const expiryReminder = remind({
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
    const buyer = await buyerOf(c, of)
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
  handlers: [sendIssued, sendAgain, collectDue, chargeFailedHandler, invoiceMovedHandler],
  schedules: [pastDueDaily, dunningDaily, expiryReminder],
  referenceData: [dunningReference],
  seeds: () => import('./demo.server.ts'),
})
