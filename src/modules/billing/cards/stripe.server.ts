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
  /** Webhook signing secret; without it no events are accepted. */
  readonly webhookSecret?: string | undefined
  /** API URL of a Stripe substitute. */
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

/** Stripe through its library. Card numbers go from the browser to Stripe; the portal sees only what Stripe returns. */
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
          // Simultaneous requests get the same customer from Stripe. Other portals may share the account.
          { idempotencyKey: `customer-${key}-${email}` },
        )
        return made.id
      }),
    setUpCard: (customer, purpose) =>
      callStripe(async () => {
        const intent = await stripe.setupIntents.create({
          // The set-up attaches a card to be saved; a card entered to pay with is attached only once it has paid.
          ...(purpose === 'keep' ? { customer } : {}),
          usage: 'off_session',
          allowed_payment_method_types: ['card'],
        })
        return { gateway: 'stripe', clientSecret: intent.client_secret ?? '', publishableKey }
      }),
    attach: (customer, card) =>
      callStripe(async () => {
        // The browser's set-up has already attached the card, unless it was entered for one payment only.
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
  if (!card) throw new GatewayError('This is not a card. Please enter a card.')
  return { id, brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }
}

/** Parses a Stripe event; undefined unless it has a recent valid signature. */
export function parseStripeWebhook(settings: StripeSettings, raw: string, signature: string): GatewayEvent | undefined {
  if (!settings.webhookSecret) return undefined
  try {
    return parseStripeEvent(libraryFor(settings), raw, signature, settings.webhookSecret)
  } catch {
    return undefined
  }
}
