import Stripe from 'stripe'
import { type GatewayCard, GatewayError, type PaymentGateway } from './gateway.server.ts'

export interface StripeSettings {
  readonly secretKey: string
  readonly publishableKey: string
  /** Another address than Stripe's own: a stand-in that speaks its API. */
  readonly api?: string | undefined
}

/** Stripe through its library. The number of a card goes from the browser to Stripe; the portal sees only what Stripe tells. */
export function stripeGateway({ secretKey, publishableKey, api }: StripeSettings): PaymentGateway {
  const at = api ? new URL(api) : undefined
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: 2,
    timeout: 20_000,
    telemetry: false,
    ...(at ? { host: at.hostname, port: at.port, protocol: at.protocol === 'http:' ? 'http' : 'https' } : {}),
  })
  return {
    name: 'stripe',
    customer: ({ id, email, name }) =>
      askStripe(async () => {
        const made = await stripe.customers.create(
          { email, name, metadata: { customer: String(id) } },
          // Asked twice at the same moment, Stripe answers with the same customer.
          { idempotencyKey: `customer-${id}-${email}` },
        )
        return made.id
      }),
    setUpCard: (customer) =>
      askStripe(async () => {
        const intent = await stripe.setupIntents.create({
          customer,
          usage: 'off_session',
          allowed_payment_method_types: ['card'],
        })
        return { gateway: 'stripe', clientSecret: intent.client_secret ?? '', publishableKey }
      }),
    attach: (customer, card) =>
      askStripe(async () => {
        // The browser's set-up has attached it already, unless it was only entered.
        const entered = await stripe.paymentMethods.retrieve(card)
        const held = typeof entered.customer === 'string' ? entered.customer : entered.customer?.id
        return toGatewayCard(held === customer ? entered : await stripe.paymentMethods.attach(card, { customer }))
      }),
    detach: (card) => askStripe(async () => void (await stripe.paymentMethods.detach(card))),
    cards: (customer) =>
      askStripe(async () =>
        (await stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 100 })).data.map(toGatewayCard),
      ),
  }
}

function toGatewayCard({ id, card }: Stripe.PaymentMethod): GatewayCard {
  if (!card) throw new GatewayError('This is not a card. Please enter a card.')
  return { id, brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }
}

/** What Stripe refuses, in its own sentence; what is wrong with the settings or the line, in ours. */
async function askStripe<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (e) {
    if (e instanceof Stripe.errors.StripeAuthenticationError || e instanceof Stripe.errors.StripePermissionError)
      throw new GatewayError('The payment service does not accept our key. Please tell an administrator.', 502)
    if (e instanceof Stripe.errors.StripeConnectionError)
      throw new GatewayError(
        'The payment service can’t be reached just now. Nothing was changed. Please try again.',
        502,
      )
    if (e instanceof Stripe.errors.StripeError)
      throw new GatewayError(e.message, (e.statusCode ?? 500) >= 500 ? 502 : 422)
    throw e
  }
}
