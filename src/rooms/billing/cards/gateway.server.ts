import { Problem } from '#kernel/errors.ts'

/** What a gateway tells of a card. `id` is its own name for it. */
export interface GatewayCard {
  readonly id: string
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
}

/** How a browser enters a card without its number passing through the portal: a page in a frame, or a provider's own element. */
export type CardSetUp =
  | { readonly gateway: 'test'; readonly url: string }
  | { readonly gateway: 'stripe'; readonly clientSecret: string; readonly publishableKey: string }

/** A payment service. Every refusal is a GatewayError with the service's own sentence. */
export interface PaymentGateway {
  readonly name: 'test' | 'stripe'
  /** Makes the customer known; answers what the gateway calls them. */
  customer(who: { readonly id: number; readonly email: string; readonly name: string }): Promise<string>
  setUpCard(customer: string): Promise<CardSetUp>
  /** Checks the card that was entered and keeps it for this customer. */
  attach(customer: string, card: string): Promise<GatewayCard>
  detach(card: string): Promise<void>
  cards(customer: string): Promise<readonly GatewayCard[]>
}

/** What the gateway refuses; its sentence is shown word for word. */
export class GatewayError extends Problem {
  constructor(message: string, status: 422 | 502 = 422) {
    super(status, message, { code: status === 422 ? 'payment_refused' : 'gateway_failure' })
  }
}
