import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { guard } from '#server/engine/guard.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { getPaymentGateway } from '../cards/card.server.ts'
import { emitTestGatewayEvents } from '../cards/test-payments.server.ts'
import { customer } from '../customers/customer.ts'
import { INVOICING_PACK } from '../rights.ts'
import { charge, paymentSettings, refund, webhookEvent } from './charge.ts'
import { applyGatewayPayment } from './gateway-payment.server.ts'
import { reconcileRefund, refundBehaviour, sendQueuedRefund } from './refund.server.ts'
import { paymentRoutes, processWebhookEvent, storeWebhookEvent, webhookEventBehaviour } from './routes.server.ts'
import {
  applyChargeState,
  failCharge,
  lockCharge,
  NOT_CHARGED_MESSAGE,
  paidAfterFailureNotification,
} from './settle.server.ts'

/** Minutes after which a payment or refund request is treated as abandoned. */
const REQUEST_TIMEOUT_MINUTES = 2

/** Reconciles abandoned payments and refunds with the payment service. An outcome is never assumed. */
const followUp = schedule({
  name: 'payments-follow-up',
  every: { minutes: 5 },
  run: async (engine) =>
    followAll(engine, [
      ...(await left(engine, 'charge')).map((one) => ({ ...one, table: 'charge', follow: followUpCharge })),
      ...(await left(engine, 'refund')).map((one) => ({ ...one, table: 'refund', follow: reconcileRefund })),
    ]),
})

/** Queries collections by Direct Debit once a day, because banks take days to pay them. */
const debitsFollowUp = schedule({
  name: 'debits-follow-up',
  every: { daily: '06:10' },
  run: async (engine) =>
    followAll(
      engine,
      (await left(engine, 'charge', true)).map((one) => ({ ...one, table: 'charge', follow: followUpCharge })),
    ),
})

interface FollowedRow {
  readonly client: number
  readonly id: number
  readonly table: string
  readonly follow: (engine: Engine, clientId: number, id: number) => Promise<void>
}

async function followAll(engine: Engine, rows: readonly FollowedRow[]): Promise<void> {
  const failed: Error[] = []
  for (const { client, id, table, follow } of rows)
    await follow(engine, client, id).catch((e: Error) =>
      failed.push(new Error(`${table} ${id}: ${e.message}`, { cause: e })),
    )
  if (failed[0])
    throw new Error(
      `${failed.length} payments or refunds could not be updated; the first error was: ${failed[0].message}`,
      { cause: failed[0] },
    )
}

const left = (engine: Engine, table: 'charge' | 'refund', isDebit = false) =>
  engine.db.tx('system', (tx) =>
    tx.rows<{ client: number; id: number }>(
      `SELECT client_id::int AS client, id::int AS id FROM ${table} WHERE state = 'pending' AND updated_at <= $1::timestamptz${table === 'charge' ? ` AND ${isDebit ? '' : 'NOT '}(method = 'debit' AND gateway_ref IS NOT NULL)` : ''} ORDER BY client_id, id`,
      [engine.clock.now().subtract({ minutes: REQUEST_TIMEOUT_MINUTES }).toString()],
    ),
  )

/**
 * Follows up a pending payment. A payment without a gateway reference was never charged, so it fails. A payment that
 * was only registered is cancelled at the gateway, unless it has been paid.
 */
async function followUpCharge(engine: Engine, clientId: number, id: number): Promise<void> {
  const actor = createSystemActor(clientId, 'update a payment from the payment service')
  const change = { actor, requestId: `charge ${id}` }
  const ref = await engine.inTenant(clientId, change, async (c) => {
    const row = await lockCharge(c, id)
    // If the payment's request is still saving the reference, that request will find the payment abandoned and never
    // confirm it.
    if (row.state === 'pending' && row.gatewayRef === null)
      await failCharge(c, row, NOT_CHARGED_MESSAGE, { asked: false })
    return () => (row.state === 'pending' ? row.gatewayRef : null)
  })
  if (ref === null) return
  const gateway = await getPaymentGateway(engine)
  const said = await gateway.look(ref)
  if (said.payment.state !== 'ordered') return applyGatewayPayment(engine, clientId, id, said)
  const ended = await gateway.cancel(ref)
  await engine.inTenant(clientId, change, async (c) => {
    await applyChargeState(c, await lockCharge(c, id), ended)
    return () => undefined
  })
}

/** Emits the test gateway's webhooks in installations that use the test gateway. */
const testWebhooks = schedule({
  name: 'test-gateway-events',
  every: { minutes: 15 },
  run: async (engine) => {
    const name = await getPaymentGateway(engine).then(
      (g) => g.name,
      () => undefined,
    )
    if (name === 'test')
      await emitTestGatewayEvents(engine.db, async (event) => void (await storeWebhookEvent(engine, 'test', event)))
  },
})

const paymentSchedules = [followUp, debitsFollowUp, testWebhooks]

/** Default payment settings; the provider can change them. */
const paymentReference: ReferenceData = {
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
      `A payment of ${formatMoney(paying.amount, paying.currency)} by this customer is pending. Wait until the payment has finished before ${before}.`,
      'in_use',
    )
  const [back] = await c.find(refund, { customer: id, state: ['waiting', 'pending'] })
  if (back)
    throw problem.conflict(
      `A refund of ${formatMoney(back.amount, back.currency)} to this customer is pending or waiting for approval. Wait until the refund has finished before ${before}.`,
      'in_use',
    )
}

/** A customer with a pending payment or refund can't be retired, and their currency can't be changed. */
const customerGuard = guard(customer, {
  retire: (c, { id }) => assertSettled(c, id, 'retiring the customer'),
  change: { currency: (c, { id }) => assertSettled(c, id, 'changing the currency') },
})

export const payments = feature({
  pack: INVOICING_PACK,
  resources: [charge, refund, webhookEvent, paymentSettings],
  behaviours: [refundBehaviour, webhookEventBehaviour],
  guards: [customerGuard],
  routes: paymentRoutes,
  handlers: [sendQueuedRefund, processWebhookEvent],
  notifications: [paidAfterFailureNotification],
  schedules: paymentSchedules,
  referenceData: [paymentReference],
  seeds: () => import('./demo.server.ts'),
})
