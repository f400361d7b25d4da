import { problem } from '#kernel/errors.ts'
import { PROVIDER, systemActor } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import type { GatewayEvent, PaymentGateway } from '../cards/gateway.server.ts'
import { paymentGateway } from '../cards/payments.server.ts'
import { webhookReceived } from './events.ts'
import { applyGatewayPayment } from './settle.server.ts'
import { webhookEvent } from './webhook-event.ts'

/** Stripe's webhook. The event is stored and acknowledged, then processed. */
export const webhookRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/financial/webhooks/stripe',
    title: 'Receive a signed Stripe event; each is stored once, in any order',
    allow: 'anonymous',
    raw: true,
    secret: true,
    refuses: [403],
    handle: async ({ engine, request }) => {
      const { stripe } = engine.config
      if (!stripe?.webhookSecret) throw problem.notFound('Webhooks are not configured: set STRIPE_WEBHOOK_SECRET.')
      const { readStripeWebhook: stripeEvent } = await import('../cards/stripe.server.ts')
      const event = stripeEvent(stripe, request.raw ?? '', [request.headers['stripe-signature'] ?? ''].flat().join())
      if (!event) throw problem.forbidden('The Stripe signature is missing, invalid or too old.')
      return { received: true, known: !(await storeWebhookEvent(engine, 'stripe', event)) }
    },
  },
]

/** Stores an event once; false if it is already known. */
export const storeWebhookEvent = (
  engine: Engine,
  gateway: PaymentGateway['name'],
  event: GatewayEvent,
): Promise<boolean> =>
  engine.inTenant(
    PROVIDER,
    { actor: systemActor(PROVIDER, 'store a payment event'), requestId: event.id },
    async (c) => {
      const [kept] = await c.work.tx.rows<{ id: number }>(
        `INSERT INTO webhook_event (client_id, gateway, event_id, type, payment, payload) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (client_id, gateway, event_id) DO NOTHING RETURNING id`,
        [PROVIDER, gateway, event.id, event.type, event.payment ?? null, JSON.stringify(event.payload)],
      )
      if (kept) {
        c.work.touched.add('webhook_event')
        await c.emit(webhookReceived, { event: Number(kept.id) })
      }
      return () => kept !== undefined
    },
  )

/** Looks up the payment of an event at the gateway and applies its state. */
export const processWebhookEvent = eventHandler(webhookReceived, {
  name: 'webhook.look-into',
  queue: 'events',
  send: async ({ engine }, { event: id }) => {
    const row = await engine.readIn(PROVIDER, 'process a payment event', (c) => c.get(webhookEvent, id))
    if (!row || row.state === 'done' || row.state === 'ignored') return
    const of = await chargeOf(engine, row.gateway, row.payment)
    try {
      const gateway = await paymentGateway(engine)
      if (of && row.payment && gateway.name === row.gateway)
        await applyGatewayPayment(engine, of.client, of.id, await gateway.look(row.payment))
    } catch (e) {
      await note(engine, id, { state: 'failed', error: e instanceof Error ? e.message.slice(0, 500) : 'Failed' })
      throw e
    }
    await note(engine, id, of ? { state: 'done', error: '', charge: of.client === PROVIDER ? of.id : null } : IGNORED)
  },
})

const IGNORED = { state: 'ignored', error: '', charge: null } as const

/** Finds the charge by the gateway's reference. */
async function chargeOf(engine: Engine, gateway: string, payment: string | null) {
  if (payment === null) return undefined
  const [found] = await engine.db.tx('system', (tx) =>
    tx.rows<{ client: number; id: number }>(
      'SELECT client_id AS client, id FROM charge WHERE gateway = $1 AND gateway_ref = $2',
      [gateway, payment],
    ),
  )
  return found && { client: Number(found.client), id: Number(found.id) }
}

type Noted = { readonly state: 'done' | 'ignored' | 'failed'; readonly error: string; readonly charge?: number | null }

const note = (engine: Engine, id: number, { charge, ...noted }: Noted): Promise<void> =>
  engine.inTenant(
    PROVIDER,
    { actor: systemActor(PROVIDER, 'process a payment event'), requestId: `event ${id}` },
    async (c: Context) => {
      const row = await c.lock(webhookEvent, id)
      const named = row.charge === null && charge ? { charge } : {}
      await c.set(
        webhookEvent,
        row,
        { ...noted, ...named, tries: row.tries + 1, handledAt: c.now.toString() },
        'handle',
      )
      return () => undefined
    },
  )

export const webhookBehaviour = behaviour(webhookEvent, {
  actions: {
    replay: async (c) => {
      await c.emit(webhookReceived, { event: c.row.id })
      return { set: { state: 'received' as const, error: '' } }
    },
  },
})
