import Stripe from 'stripe'
import {
  callStripe,
  createStripePayments,
  type GatewayCard,
  GatewayError,
  type GatewayEvent,
  type PaymentGateway,
  parseStripeEvent,
} from './stripe-payments.server.ts'

export interface StripeSettings {
  readonly secretKey: string
  readonly publishableKey: string
  /** Webhook signing secret. If it is missing, no events are accepted. */
  readonly webhookSecret?: string | undefined
  /** API URL of a server that is used instead of Stripe. */
  readonly api?: string | undefined
}

/** Request timeout in milliseconds. */
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

/** Parses a Stripe event. Returns undefined unless the event has a valid, recent signature. */
export function parseStripeWebhook(settings: StripeSettings, raw: string, signature: string): GatewayEvent | undefined {
  if (!settings.webhookSecret) return undefined
  try {
    return parseStripeEvent(libraryFor(settings), raw, signature, settings.webhookSecret)
  } catch {
    return undefined
  }
}
