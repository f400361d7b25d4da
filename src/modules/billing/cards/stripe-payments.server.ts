import Stripe from 'stripe'

import { Problem } from '#kernel/errors.ts'

/** A card as the gateway describes it, with the gateway's ID. */
export interface GatewayCard {
  readonly id: string
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
}

/**
 * How a browser enters a card so that its number never passes through the portal: on a framed page, or in the payment
 * service's own element.
 */
export type CardEntryMethod =
  | { readonly gateway: 'test'; readonly url: string }
  | { readonly gateway: 'stripe'; readonly clientSecret: string; readonly publishableKey: string }

/** The portal's client, customer and record that a payment or refund belongs to. */
interface PaymentSubject {
  readonly client: number
  readonly charge: number
}

/** Purpose of entering a card. A card to be saved (`keep`) is attached to the customer at the gateway immediately. */
export type CardEntryPurpose = 'keep' | 'pay'

export interface GatewayPaymentRequest {
  /** Our idempotency key. Keys are never reused, so that a request sent twice is carried out once. */
  readonly key: string
  readonly customer: string
  readonly card: string
  /** Pence. */
  readonly amount: number
  readonly currency: string
  readonly words: string
  readonly about: PaymentSubject
}

export interface GatewayRefundRequest {
  readonly key: string
  /** The gateway's ID for the payment. */
  readonly payment: string
  readonly amount: number
  readonly about: PaymentSubject
}

/**
 * State of a payment at the gateway. `ordered` means that the payment exists there, but no money has been requested
 * yet.
 */
export type GatewayPaymentState =
  | { readonly state: 'ordered' | 'pending' | 'cancelled' }
  | { readonly state: 'succeeded'; readonly fee: number }
  /** `hard`: the card can never be charged again, for example because it was stolen. */
  | { readonly state: 'failed'; readonly message: string; readonly hard: boolean }

/** A refund at the gateway. `key` is our idempotency key; it is undefined for refunds made directly at the gateway. */
export interface GatewayRefund {
  readonly ref: string
  readonly key: string | undefined
  readonly amount: number
  readonly state: 'pending' | 'succeeded' | 'failed'
  readonly message: string
}

/** A dispute. The cardholder's bank has reversed the payment until the dispute is decided. */
export interface GatewayDispute {
  readonly ref: string
  readonly amount: number
  readonly reason: string
  readonly state: 'open' | 'won' | 'lost'
  /** Fees withheld by the payment service so far, less fees returned. */
  readonly fee: number
}

/** Current state of a payment at the gateway, with its refunds and disputes. */
export interface GatewayPayment {
  readonly payment: GatewayPaymentState
  /** Refunds, oldest first. */
  readonly refunds: readonly GatewayRefund[]
  readonly disputes: readonly GatewayDispute[]
}

/**
 * Notification that a payment has changed. The current state is then queried, because events can arrive late, more than
 * once and in any order.
 */
export interface GatewayEvent {
  readonly id: string
  readonly type: string
  /** The payment concerned, if any. */
  readonly payment: string | undefined
  readonly payload: unknown
}

/** A payment service. Every rejection is thrown as a GatewayError with the service's own message. */
export interface PaymentGateway {
  readonly name: 'test' | 'stripe'
  /** Creates the customer at the gateway and returns the gateway's ID for the customer. */
  customer(who: {
    readonly id: number
    readonly key: string
    readonly email: string
    readonly name: string
  }): Promise<string>
  setUpCard(customer: string, purpose: CardEntryPurpose): Promise<CardEntryMethod>
  /** Checks the entered card and saves it for this customer. */
  attach(customer: string, card: string): Promise<GatewayCard>
  detach(card: string): Promise<void>
  cards(customer: string): Promise<readonly GatewayCard[]>
  /** Creates a payment without moving money, and returns the gateway's ID for the payment. */
  order(order: GatewayPaymentRequest): Promise<string>
  /** Moves the money. After an `inDoubt` error, call `look` to find out whether the money has moved. */
  confirm(payment: string, key: string): Promise<GatewayPaymentState>
  /** Cancels an unpaid payment. Returns the payment's state, because the payment may have succeeded in the meantime. */
  cancel(payment: string): Promise<GatewayPaymentState>
  look(payment: string): Promise<GatewayPayment>
  refund(order: GatewayRefundRequest): Promise<GatewayRefund>
}

/** Rejection by the gateway. The gateway's message is shown verbatim. */
export class GatewayError extends Problem {
  /** True if there was no reliable response, so the request may have been carried out. */
  readonly inDoubt: boolean
  constructor(message: string, status: 422 | 502 = 422, { inDoubt = false } = {}) {
    super(status, message, { code: status === 422 ? 'payment_refused' : 'gateway_failure' })
    this.inDoubt = inDoubt
  }
}

/** Smallest card payment that banks accept, in minor units. Each of our currencies has a hundred minor units. */
export const MIN_CARD_PAYMENT_MINOR_UNITS = 30

/** Calls Stripe. Rejections keep Stripe's message; configuration and connection errors get a message of ours. */
export async function callStripe<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (e) {
    if (e instanceof Stripe.errors.StripeAuthenticationError || e instanceof Stripe.errors.StripePermissionError)
      throw new GatewayError('The payment service does not accept our key. Please contact an administrator.', 502)
    if (e instanceof Stripe.errors.StripeConnectionError)
      throw new GatewayError('The payment service is not available. Please try again.', 502, { inDoubt: true })
    if (e instanceof Stripe.errors.StripeError) {
      const isOurs = (e.statusCode ?? 500) < 500
      // The outcome is unknown, because Stripe may still be processing this request.
      const inDoubt = !isOurs || e instanceof Stripe.errors.StripeIdempotencyError || e.statusCode === 409
      throw new GatewayError(e.message, isOurs ? 422 : 502, { inDoubt })
    }
    throw e
  }
}

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

/** Creates the gateway's payment functions, using Stripe's payment intents. */
export const createStripePayments = (stripe: Stripe): Payments => ({
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
      // A declined card is a result, not an error.
      if (e instanceof Stripe.errors.StripeCardError) return declined(e.payment_intent?.last_payment_error ?? e)
      return callStripe(() => Promise.reject(e))
    }
  },
  cancel: (payment) =>
    callStripe(async () => {
      try {
        return stateOf(await stripe.paymentIntents.cancel(payment))
      } catch (e) {
        // A payment that has succeeded can't be cancelled, so its state is returned instead.
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

/** Returns Stripe's fee, if it is in the payment's currency. */
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

/**
 * Converts a Stripe dispute. Returns nothing for a bank inquiry, because it moves no money and is not a dispute yet.
 */
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

/** Parses an event. Throws an error from Stripe's library if the signature is missing, wrong or too old. */
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
