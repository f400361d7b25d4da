import { isEmail } from '#kernel/email.ts'
import { iriOf } from '#kernel/resource.ts'
import { letter, PORTAL } from '#modules/portal/mail/letter.ts'
import { remind } from '#server/jobs/remind.ts'
import { card } from '../cards/card.ts'
import { customer } from '../customers/customer.ts'
import { buyerOf } from '../invoices/buyer.server.ts'
import { cardName } from '../payments/names.ts'
import { supplierOf } from '../print/supplier.server.ts'
import { GOING_ON } from '../subscriptions/renewal.server.ts'
import { subscription } from '../subscriptions/subscription.ts'
import { expiryMail } from './mail.ts'

/** Days before a card ends on which its holder is written to. */
const AHEAD = 21

/** Who pays a subscription by a card hears in time that it ends. */
export const expiryReminder = remind({
  name: 'card.expires',
  of: card,
  on: 'expiresOn',
  daily: '08:15',
  daysBefore: [AHEAD],
  where: { default: true, retired: false },
  send: async (c, row, { day, late }) => {
    const of = await c.get(customer, row.customer)
    if (late || !of || of.retired) return
    if (!(await c.exists(subscription, { customer: of.id, status: [...GOING_ON] }))) return
    const buyer = await buyerOf(c, of)
    if (!isEmail(buyer.email)) return
    const mail = expiryMail(
      { buyer, supplier: await supplierOf(c, c), provider: PORTAL },
      { card: cardName(row), on: day.toString() },
    )
    await c.emit(letter, { to: buyer.email, ...mail, template: 'card-expires', about: iriOf(customer, of.id) })
  },
})
