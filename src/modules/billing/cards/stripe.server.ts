import Stripe from 'stripe'
import { assertJsonLimits } from '#server/http/json.ts'
import { describeDebitFailure } from './mandate.ts'
import {
  type GatewayCard,
  type GatewayDispute,
  GatewayError,
  type GatewayEvent,
  type GatewayMandate,
  type GatewayPayment,
  type GatewayPaymentState,
  type GatewayRefund,
  type PaymentGateway,
  type PaymentSubject,
} from './payment-gateway.server.ts'
import { TEST_SORT_CODE } from './test-cards.ts'

export interface StripeSettings {
  readonly secretKey: string
  readonly publishableKey: string
  /** Webhook signing secret. If it is missing, no events are accepted. */
  readonly webhookSecret?: string | undefined
  /** API URL of a server that is used instead of Stripe. */
  readonly api?: string | undefined
}

const REQUEST_TIMEOUT_MS = 20_000

function libraryFor({ secretKey, api }: StripeSettings): Stripe {
  const at = api ? new URL(api) : undefined
  return new Stripe(secretKey, {
    maxNetworkRetries: 2,
    timeout: REQUEST_TIMEOUT_MS,
    telemetry: false,
    ...(at ? { host: at.hostname, port: at.port, protocol: at.protocol === 'http:' ? 'http' : 'https' } : {}),
  })
}

/**
 * Creates the Stripe gateway, using Stripe's library. Card numbers go from the browser to Stripe; the portal sees only
 * what Stripe returns.
 */
export function createStripeGateway(settings: StripeSettings): PaymentGateway {
  const { publishableKey } = settings
  const stripe = libraryFor(settings)
  return {
    name: 'stripe',
    ...createStripePayments(stripe),
    ...createStripeMandates(stripe),
    testSortCode: settings.secretKey.startsWith('sk_test_') ? TEST_SORT_CODE : undefined,
    customer: ({ id, key, email, name }) =>
      callStripe(async () => {
        const made = await stripe.customers.create(
          { email, name, metadata: { customer: String(id) } },
          // With this key, simultaneous requests get the same customer from Stripe. The key is unique across portals,
          // because they may share a Stripe account.
          { idempotencyKey: `customer-${key}-${email}` },
        )
        return made.id
      }),
    setUpCard: (customer, purpose) =>
      callStripe(async () => {
        const intent = await stripe.setupIntents.create({
          // A card to be saved is attached to the customer during set-up. A card entered for one payment is attached
          // only once the payment has succeeded.
          ...(purpose === 'keep' ? { customer } : {}),
          usage: 'off_session',
          allowed_payment_method_types: ['card'],
        })
        return { gateway: 'stripe', clientSecret: intent.client_secret ?? '', publishableKey }
      }),
    attach: (customer, card) =>
      callStripe(async () => {
        // The browser's set-up has already attached the card, unless the card was entered for one payment only.
        const entered = await stripe.paymentMethods.retrieve(card)
        const held = typeof entered.customer === 'string' ? entered.customer : entered.customer?.id
        return toGatewayCard(held === customer ? entered : await stripe.paymentMethods.attach(card, { customer }))
      }),
    detach: (card) => callStripe(async () => void (await stripe.paymentMethods.detach(card))),
    cards: (customer) =>
      callStripe(async () =>
        (await stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 100 })).data.map(toGatewayCard),
      ),
  }
}

function toGatewayCard({ id, card }: Stripe.PaymentMethod): GatewayCard {
  if (!card) throw new GatewayError('This payment method is not a card. Please enter card details.')
  return { id, brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }
}

type Mandates = Pick<PaymentGateway, 'signMandate' | 'lookAtMandate' | 'cancelMandate'>

const UK_POSTCODE = /[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}/i

/** Creates the gateway's functions for Direct Debit Instructions, using Stripe's mandates for Bacs. */
const createStripeMandates = (stripe: Stripe): Mandates => ({
  signMandate: ({ key, customer, holder, email, address, sortCode, account, acceptance }) =>
    callStripe(async () => {
      const postcode = UK_POSTCODE.exec(address.join(' '))?.[0]
      const method = await stripe.paymentMethods.create(
        {
          type: 'bacs_debit',
          bacs_debit: { sort_code: sortCode, account_number: account },
          billing_details: {
            name: holder,
            ...(email ? { email } : {}),
            address: { line1: address[0] ?? '', country: 'GB', ...(postcode ? { postal_code: postcode } : {}) },
          },
        },
        { idempotencyKey: `${key}-account` },
      )
      const intent = await stripe.setupIntents.create(
        {
          customer,
          payment_method: method.id,
          usage: 'off_session',
          allowed_payment_method_types: ['bacs_debit'],
          confirm: true,
          mandate_data: {
            customer_acceptance: {
              type: 'online',
              online: { ip_address: acceptance.address, user_agent: acceptance.agent || 'unknown' },
            },
          },
        },
        { idempotencyKey: `${key}-mandate` },
      )
      const id = typeof intent.mandate === 'string' ? intent.mandate : intent.mandate?.id
      if (!id) throw new GatewayError('The payment service did not accept this account. Please pay another way.')
      return toGatewayMandate(await stripe.mandates.retrieve(id))
    }),
  lookAtMandate: (mandate) => callStripe(async () => toGatewayMandate(await stripe.mandates.retrieve(mandate))),
  // Stripe ends a mandate when its bank account is detached from the customer.
  cancelMandate: (_, method) => callStripe(async () => void (await stripe.paymentMethods.detach(method))),
})

function toGatewayMandate({
  id,
  status,
  payment_method: method,
  payment_method_details: details,
}: Stripe.Mandate): GatewayMandate {
  const { bacs_debit: bacs } = details
  const isActive = status === 'active' && bacs?.network_status === 'accepted'
  return {
    id,
    method: typeof method === 'string' ? method : method.id,
    reference: bacs?.reference ?? '',
    bank: '',
    state:
      status === 'inactive'
        ? bacs?.network_status === 'refused'
          ? 'failed'
          : 'cancelled'
        : isActive
          ? 'active'
          : 'pending',
    reason:
      status === 'inactive'
        ? describeDebitFailure(bacs?.revocation_reason, 'The bank gave no reason for ending the Direct Debit.').message
        : '',
  }
}

/**
 * Parses a Stripe event. Returns undefined if no webhook secret is configured or the event has no valid, recent
 * signature.
 */
export function parseStripeWebhook(settings: StripeSettings, raw: string, signature: string): GatewayEvent | undefined {
  if (!settings.webhookSecret) return undefined
  try {
    return parseStripeEvent(libraryFor(settings), raw, signature, settings.webhookSecret)
  } catch {
    return undefined
  }
}

/**
 * Calls Stripe. Rejections keep Stripe's message; configuration and connection errors get one of the portal's messages.
 */
async function callStripe<T>(ask: () => Promise<T>): Promise<T> {
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
const createStripePayments = (stripe: Stripe): Payments => ({
  order: ({ key, customer, card, mandate, amount, currency, words, about }) =>
    callStripe(async () => {
      const made = await stripe.paymentIntents.create(
        {
          customer,
          payment_method: card,
          amount,
          currency: currency.toLowerCase(),
          allowed_payment_method_types: [mandate === undefined ? 'card' : 'bacs_debit'],
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

/** Returns Stripe's fee if it is in the payment's currency, and otherwise 0. */
function feeOf({ latest_charge: charge, currency }: Stripe.PaymentIntent): number {
  const moved = typeof charge === 'object' && charge ? charge.balance_transaction : null
  return typeof moved === 'object' && moved?.currency === currency ? moved.fee : 0
}

const declined = (error: {
  readonly code?: string | undefined
  readonly decline_code?: string | undefined
  readonly message?: string | undefined
  readonly payment_method?: { readonly type: string } | undefined
}): GatewayPaymentState => (error.payment_method?.type === 'bacs_debit' ? returnedDebit(error) : declinedCard(error))

function returnedDebit({
  code,
  message,
}: {
  readonly code?: string | undefined
  readonly message?: string | undefined
}) {
  const failure = describeDebitFailure(code, message)
  return { state: 'failed', message: failure.message, hard: failure.ends } as const
}

const declinedCard = (error: {
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
 * Converts a Stripe dispute. Returns an empty list for a prevented dispute and for a bank inquiry, which moves no money
 * and is not a dispute yet.
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

/** Seconds by which the clock of the payment service may be fast. */
const MAX_AHEAD_SECONDS = 300

/**
 * Parses an event. Throws an error if the signature is missing, wrong, too old or dated in the future, 400 if the event
 * is nested too deeply, and 413 if it has too many values.
 */
function parseStripeEvent(stripe: Stripe, raw: string, signature: string, secret: string): GatewayEvent {
  assertJsonLimits(raw)
  const signedAt = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1])
  if (signedAt > Date.now() / 1000 + MAX_AHEAD_SECONDS) throw new Error('The signature is dated in the future.')
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
    mandate: object.object === 'mandate' ? object.id : undefined,
    payment: typeof intent === 'string' ? intent : (intent as { id?: string } | null | undefined)?.id,
    payload: event,
  }
}
