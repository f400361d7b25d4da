import { problem } from '#kernel/errors.ts'
import { choice, flag, instant, integer, link, text, typedJson } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { getPaymentGateway } from '../cards/card.server.ts'
import { card } from '../cards/card.ts'
import { findMandateByGatewayId, syncMandate } from '../cards/mandate.server.ts'
import type { GatewayEvent, PaymentGateway } from '../cards/payment-gateway.server.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { FINANCE_ROLES, SELLING_ROLES } from '../rights.ts'
import { charge, MAX_PAYMENT_PENCE, PAYMENT_METHODS, type PaymentNotes, refund, webhookEvent } from './charge.ts'
import { webhookReceived } from './events.ts'
import { applyGatewayPayment } from './gateway-payment.server.ts'
import { type RefundInput, refundCharge } from './refund.server.ts'
import { reverseReceivedPayments, takePayment } from './take-payment.server.ts'

/** Stripe's webhook. The event is first stored and acknowledged, and processed afterwards. */
const webhookRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/financial/webhooks/stripe',
    title: 'Receive a signed Stripe event. Each event is stored once; events can arrive in any order',
    allow: 'anonymous',
    raw: true,
    secret: true,
    refuses: [403],
    handle: async ({ engine, request }) => {
      const { stripe } = engine.config
      if (!stripe?.webhookSecret) throw problem.notFound('Webhooks are not configured: set STRIPE_WEBHOOK_SECRET.')
      const { parseStripeWebhook: stripeEvent } = await import('../cards/stripe.server.ts')
      const event = stripeEvent(stripe, request.raw ?? '', [request.headers['stripe-signature'] ?? ''].flat().join())
      if (!event) throw problem.forbidden('The Stripe signature is missing, invalid or too old.')
      return { received: true, known: !(await storeWebhookEvent(engine, 'stripe', event)) }
    },
  },
]

/** Stores an event once and queues it for processing. Returns false if the event is already stored. */
export const storeWebhookEvent = (
  engine: Engine,
  gateway: PaymentGateway['name'],
  event: GatewayEvent,
): Promise<boolean> =>
  engine.inTenant(
    PROVIDER_CLIENT_ID,
    { actor: createSystemActor(PROVIDER_CLIENT_ID, 'store a payment event'), requestId: event.id },
    async (c) => {
      const [kept] = await c.work.tx.rows<{ id: number }>(
        `INSERT INTO webhook_event (client_id, gateway, event_id, type, payment, mandate, payload) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (client_id, gateway, event_id) DO NOTHING RETURNING id`,
        [
          PROVIDER_CLIENT_ID,
          gateway,
          event.id,
          event.type,
          event.payment ?? null,
          event.mandate ?? null,
          JSON.stringify(event.payload),
        ],
      )
      if (kept) {
        c.work.touched.add('webhook_event')
        await c.emit(webhookReceived, { event: Number(kept.id) })
      }
      return () => kept !== undefined
    },
  )

/**
 * Reads the event's payment or Direct Debit Instruction from the gateway and applies its state. If the portal has
 * neither, the event is ignored.
 */
export const processWebhookEvent = eventHandler(webhookReceived, {
  name: 'webhook.look-into',
  queue: 'events',
  send: async ({ engine }, { event: id }) => {
    const row = await engine.readIn(PROVIDER_CLIENT_ID, 'process a payment event', (c) => c.get(webhookEvent, id))
    if (!row || row.state === 'done' || row.state === 'ignored') return
    const of = await chargeOf(engine, row.gateway, row.payment)
    const held = row.mandate ? await findMandateByGatewayId(engine, row.gateway, row.mandate) : undefined
    try {
      const gateway = await getPaymentGateway(engine)
      if (of && row.payment && gateway.name === row.gateway)
        await applyGatewayPayment(engine, of.client, of.id, await gateway.look(row.payment))
      if (held) await syncMandate(engine, held.client, held.id)
    } catch (e) {
      await note(engine, id, { state: 'failed', error: e instanceof Error ? e.message.slice(0, 500) : 'Failed' })
      throw e
    }
    await note(
      engine,
      id,
      of || held ? { state: 'done', error: '', charge: of?.client === PROVIDER_CLIENT_ID ? of.id : null } : IGNORED,
    )
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
    PROVIDER_CLIENT_ID,
    { actor: createSystemActor(PROVIDER_CLIENT_ID, 'process a payment event'), requestId: `event ${id}` },
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

export const webhookEventBehaviour = behaviour(webhookEvent, {
  actions: {
    replay: async (c) => {
      await c.emit(webhookReceived, { event: c.row.id })
      return { set: { state: 'received' as const, error: '' } }
    },
  },
})

const amount = integer({
  required: 'Please enter an amount',
  min: 1,
  max: MAX_PAYMENT_PENCE,
  pence: true,
  help: 'Pence.',
})
const metadata = typedJson<Partial<PaymentNotes>>()({
  help: 'Accepts `notes`. `createdBy` is always the current user.',
})
const amountRefunded = integer({
  min: 0,
  max: MAX_PAYMENT_PENCE,
  help: 'Amount refunded, including pending refunds, that you last read; returns 409 if the amount has changed.',
})
const reason = text({ required: 'Please enter the reason for the refund', max: 500 })

const asked = { reason, amount, amountRefunded, metadata } as const

const madeAnswer = (made: RecordOf<typeof charge> | RecordOf<typeof refund>) =>
  new RouteResponse(201, made, { location: made['@id'] })

/** Returns the context for payments and refunds: one write request starts them, and another records the result. */
const takerOf = (c: RouteContext) => ({
  engine: c.engine,
  actor: c.me,
  requestId: c.request.id,
  change: c.change(madeAnswer),
  finish: c.finish((made: Parameters<typeof madeAnswer>[0] | undefined) => made && madeAnswer(made)),
})

const notesOf = (given: unknown): string => {
  const { notes } = (given ?? {}) as { notes?: unknown }
  return typeof notes === 'string' ? notes.slice(0, 1000) : ''
}

type RefundRequestInput = Pick<RefundInput, 'amount' | 'reason'> & {
  readonly amountRefunded?: number | null
  readonly metadata?: unknown
}

const give = async (
  c: RouteContext,
  of: number,
  { amount, reason, amountRefunded = null, metadata }: RefundRequestInput,
) =>
  madeAnswer(await refundCharge(takerOf(c), { charge: of, amount, reason, amountRefunded, notes: notesOf(metadata) }))

const below = (
  path: string,
  title: string,
  of: Parameters<typeof subListRoute>[0]['of'],
  r: typeof charge | typeof refund,
  column: string,
) => subListRoute({ path, title, of, r, where: (id) => `t.${column} = ${id}`, allow: SELLING_ROLES })

const NOTHING = { invoice: null, card: null, currency: null, amountDue: null, reference: '', receivedAt: null }

export const paymentRoutes: readonly Route[] = [
  ...webhookRoutes,
  below('/api/financial/invoices/{id}/charges', 'List an invoice’s charges', invoice, charge, 'invoice_id'),
  below('/api/financial/customers/{id}/charges', 'List a customer’s charges', customer, charge, 'customer_id'),
  below('/api/financial/charges/{id}/refunds', 'List a charge’s refunds', charge, refund, 'charge_id'),
  routeWithInput(
    {
      customer: link(() => customer, { required: 'Field required, select an option' }),
      invoice: link(() => invoice),
      card: link(() => card),
      method: choice(
        PAYMENT_METHODS.filter(({ value }) => value !== 'debit'),
        { default: 'card' },
      ),
      amount,
      currency: choice(CURRENCIES),
      amountDue: integer({
        min: 0,
        max: MAX_PAYMENT_PENCE,
        help: 'Amount due that you last read; returns 409 if the amount has changed.',
      }),
      reference: text({ default: '', max: 100 }),
      receivedAt: instant({ help: 'Date and time at which a payment other than a card payment was received.' }),
      metadata,
      keepBoth: flag({ help: 'Confirms that this is a second payment of the same amount, not a mistake.' }),
    },
    {
      method: 'POST',
      path: '/api/financial/charges',
      title: 'Charge a saved card, or record a payment received by bank transfer',
      allow: SELLING_ROLES,
      handle: async (c) => {
        const { metadata: more, ...given } = c.input
        const taking = { ...NOTHING, ...given, keepBoth: given.keepBoth === true, notes: notesOf(more) }
        return madeAnswer(await takePayment(takerOf(c), taking))
      },
    },
  ),
  routeWithInput(asked, {
    method: 'POST',
    path: '/api/financial/charges/{id}/refund',
    title: 'Refund a charge in full or in part',
    allow: FINANCE_ROLES,
    of: charge,
    handle: async (c) => give(c, await c.engine.idOf(charge, c.actor, c.params.id), c.input),
  }),
  routeWithInput(
    { reason: text({ required: 'Please enter the reason', max: 500 }) },
    {
      method: 'POST',
      path: '/api/financial/charges/{id}/reverse',
      title: 'Undo a payment that was recorded in error. Nothing is refunded, and the invoice is due again',
      allow: FINANCE_ROLES,
      of: charge,
      handle: async (c) => {
        const id = await c.engine.idOf(charge, c.actor, c.params.id)
        return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
          const row = await unit.get(charge, id)
          if (row?.bankLineId)
            throw problem.conflict('This payment was recorded from a bank line. Undo the match of the line.', 'in_use')
          await reverseReceivedPayments(unit, [id], c.input.reason)
          return () => c.engine.one(charge, c.me, id)
        })
      },
    },
  ),
  routeWithInput(
    { charge: link(() => charge, { required: 'Please choose the charge to refund' }), ...asked },
    {
      method: 'POST',
      path: '/api/financial/refunds',
      title: 'Refund a charge in full or in part',
      allow: FINANCE_ROLES,
      handle: async (c) => give(c, c.input.charge, c.input),
    },
  ),
]
