import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { guard } from '#server/engine/guard.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import type { Reference } from '#server/engine/world.ts'
import { customer } from '../customers/customer.ts'
import { INVOICING_PACK } from '../rights.ts'
import { charge } from './charge.ts'
import { paymentSchedules } from './jobs.server.ts'
import { refundBehaviour, sendQueuedRefund } from './refund.server.ts'
import { refund } from './refund.ts'
import { paymentRoutes } from './routes.server.ts'
import { paymentSettings } from './settings.ts'
import { webhookEvent } from './webhook-event.ts'
import { processWebhookEvent, webhookBehaviour } from './webhooks.server.ts'

/** Default payment settings; the provider can change them. */
const paymentReference: Reference = {
  name: 'payments',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const [settled] = await c.find(paymentSettings, {})
    if (!settled) await c.withoutPermissionCheck('add the default payment settings').create(paymentSettings, {})
  },
}

/** Throws 409 while the customer has a pending payment or refund. */
async function assertSettled(c: Context, id: number, before: string): Promise<void> {
  const [paying] = await c.find(charge, { customer: id, state: 'pending' })
  if (paying)
    throw problem.conflict(
      `A payment of ${formatMoney(paying.amount, paying.currency)} by this customer is pending. Wait until it has finished before ${before}.`,
      'in_use',
    )
  const [back] = await c.find(refund, { customer: id, state: ['waiting', 'pending'] })
  if (back)
    throw problem.conflict(
      `A refund of ${formatMoney(back.amount, back.currency)} to this customer is pending. Wait until it has finished before ${before}.`,
      'in_use',
    )
}

/** A customer stays, in their currency, while their money is on its way. */
const customerGuard = guard(customer, {
  retire: (c, { id }) => assertSettled(c, id, 'retiring the customer'),
  change: { currency: (c, { id }) => assertSettled(c, id, 'changing the currency') },
})

export const payments = feature({
  pack: INVOICING_PACK,
  resources: [charge, refund, webhookEvent, paymentSettings],
  behaviours: [refundBehaviour, webhookBehaviour],
  guards: [customerGuard],
  routes: paymentRoutes,
  handlers: [sendQueuedRefund, processWebhookEvent],
  schedules: paymentSchedules,
  referenceData: [paymentReference],
  seeds: () => import('./demo.server.ts'),
})
