import Stripe from 'stripe'
import type {
  GatewayDispute,
  GatewayEvent,
  GatewayPayment,
  GatewayPaymentState,
  GatewayRefund,
  PaymentGateway,
  PaymentSubject,
} from './gateway.server.ts'
import { callStripe } from './stripe-errors.server.ts'

/** Stripe decline codes after which a card can never be charged again. */
const HARD = new Set([
  'lost_card',
  'stolen_card',
  'pickup_card',
  'restricted_card',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'stop_payment_order',
  'incorrect_number',
  'invalid_account',
])
const ASKS_HOLDER = 'The bank requires the cardholder to confirm this payment. Send them the payment link.'

type Payments = Pick<PaymentGateway, 'order' | 'confirm' | 'cancel' | 'look' | 'refund'>

/** Payment part of the gateway, using Stripe's payment intents. */
export const stripePayments = (stripe: Stripe): Payments => ({
  order: ({ key, customer, card, amount, currency, words, about }) =>
    callStripe(async () => {
      const made = await stripe.paymentIntents.create(
        {
          customer,
          payment_method: card,
          amount,
          currency: currency.toLowerCase(),
          allowed_payment_method_types: ['card'],
          description: words,
          metadata: named(about, key),
        },
        { idempotencyKey: key },
      )
      return made.id
    }),
  confirm: async (payment, key) => {
    try {
      const confirmed = await stripe.paymentIntents.confirm(
        payment,
        { off_session: true, expand: [FEE] },
        { idempotencyKey: `${key}-confirm` },
      )
      return stateOf(confirmed)
    } catch (e) {
      // A declined card is a result, not a failure.
      if (e instanceof Stripe.errors.StripeCardError) return declined(e.payment_intent?.last_payment_error ?? e)
      return callStripe(() => Promise.reject(e))
    }
  },
  cancel: (payment) =>
    callStripe(async () => {
      try {
        return stateOf(await stripe.paymentIntents.cancel(payment))
      } catch (e) {
        // A paid payment can't be cancelled: return its state.
        if (!(e instanceof Stripe.errors.StripeInvalidRequestError)) throw e
        return stateOf(await stripe.paymentIntents.retrieve(payment, { expand: [FEE] }))
      }
    }),
  look: (payment): Promise<GatewayPayment> =>
    callStripe(async () => {
      const [intent, refunds, disputes] = await Promise.all([
        stripe.paymentIntents.retrieve(payment, { expand: [FEE] }),
        stripe.refunds.list({ payment_intent: payment, limit: 100 }),
        stripe.disputes.list({ payment_intent: payment, limit: 100 }),
      ])
      return {
        payment: stateOf(intent),
        refunds: refunds.data.map(toRefund).reverse(),
        disputes: disputes.data.flatMap(toDispute).reverse(),
      }
    }),
  refund: ({ key, payment, amount, about }) =>
    callStripe(async () =>
      toRefund(
        await stripe.refunds.create(
          { payment_intent: payment, amount, metadata: named(about, key) },
          { idempotencyKey: key },
        ),
      ),
    ),
})

const FEE = 'latest_charge.balance_transaction'

const named = ({ client, charge }: PaymentSubject, key: string) => ({
  client: String(client),
  charge: String(charge),
  key,
})

function stateOf(intent: Stripe.PaymentIntent): GatewayPaymentState {
  const { status, last_payment_error: error } = intent
  if (status === 'succeeded') return { state: 'succeeded', fee: feeOf(intent) }
  if (status === 'canceled') return { state: 'cancelled' }
  if (status === 'requires_action') return { state: 'failed', message: ASKS_HOLDER, hard: false }
  if (error) return declined(error)
  return { state: status === 'processing' ? 'pending' : 'ordered' }
}

/** Stripe's fee, if it is in the currency of the payment. */
function feeOf({ latest_charge: charge, currency }: Stripe.PaymentIntent): number {
  const moved = typeof charge === 'object' && charge ? charge.balance_transaction : null
  return typeof moved === 'object' && moved?.currency === currency ? moved.fee : 0
}

const declined = (error: {
  readonly code?: string | undefined
  readonly decline_code?: string | undefined
  readonly message?: string | undefined
}): GatewayPaymentState => ({
  state: 'failed',
  message:
    error.code === 'authentication_required'
      ? ASKS_HOLDER
      : (error.message ?? 'The card was declined. Try another card.'),
  hard: HARD.has(error.decline_code ?? error.code ?? ''),
})

const toRefund = ({ id, metadata, amount, status, failure_reason: why }: Stripe.Refund): GatewayRefund => ({
  ref: id,
  key: metadata?.key,
  amount,
  state: status === 'succeeded' ? 'succeeded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending',
  message: why ? `The payment service could not make the refund: ${why.replaceAll('_', ' ')}.` : '',
})

/** A bank inquiry moves no money and is not a dispute yet. */
const toDispute = ({
  id,
  amount,
  currency,
  reason,
  status,
  balance_transactions: moved,
}: Stripe.Dispute): GatewayDispute[] =>
  status.startsWith('warning') || status === 'prevented'
    ? []
    : [
        {
          ref: id,
          amount,
          reason: reason.replaceAll('_', ' '),
          state: status === 'won' ? 'won' : status === 'lost' ? 'lost' : 'open',
          fee: Math.max(
            0,
            moved.reduce((sum, one) => sum + (one.currency === currency ? one.fee : 0), 0),
          ),
        },
      ]

/** Parses an event. Throws the library's error if Stripe's signature is missing, wrong or too old. */
export function parseStripeEvent(stripe: Stripe, raw: string, signature: string, secret: string): GatewayEvent {
  const event = stripe.webhooks.constructEvent(raw, signature, secret)
  const object = event.data.object as {
    readonly id?: string
    readonly object?: string
    readonly payment_intent?: unknown
  }
  const intent = object.object === 'payment_intent' ? object.id : object.payment_intent
  return {
    id: event.id,
    type: event.type,
    payment: typeof intent === 'string' ? intent : (intent as { id?: string } | null | undefined)?.id,
    payload: event,
  }
}
