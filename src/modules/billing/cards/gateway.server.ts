import { Problem } from '#kernel/errors.ts'

/** A card as the gateway describes it. `id` is the gateway's. */
export interface GatewayCard {
  readonly id: string
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
}

/**
 * How a browser enters a card without its number passing through the portal: a framed page, or a provider's own
 * element.
 */
export type CardSetUp =
  | { readonly gateway: 'test'; readonly url: string }
  | { readonly gateway: 'stripe'; readonly clientSecret: string; readonly publishableKey: string }

/** Our client, customer and record behind a payment or refund. */
export interface PaymentSubject {
  readonly client: number
  readonly charge: number
}

/** Purpose of entering a card: a card to be saved is attached to the customer at the gateway immediately. */
export type CardPurpose = 'keep' | 'pay'

export interface PaymentOrder {
  /** Our idempotency key, never reused: the same order sent twice is one. */
  readonly key: string
  readonly customer: string
  readonly card: string
  /** Pence. */
  readonly amount: number
  readonly currency: string
  readonly words: string
  readonly about: PaymentSubject
}

export interface RefundOrder {
  readonly key: string
  /** The gateway's ID of the payment. */
  readonly payment: string
  readonly amount: number
  readonly about: PaymentSubject
}

/** State of a payment at the gateway. `ordered`: created there, no money requested yet. */
export type GatewayPaymentState =
  | { readonly state: 'ordered' | 'pending' | 'cancelled' }
  | { readonly state: 'succeeded'; readonly fee: number }
  /** `hard`: this card can never be charged again, e.g. stolen. */
  | { readonly state: 'failed'; readonly message: string; readonly hard: boolean }

/** A refund at the gateway. `key` is our order's key, undefined for refunds made at the gateway directly. */
export interface GatewayRefund {
  readonly ref: string
  readonly key: string | undefined
  readonly amount: number
  readonly state: 'pending' | 'succeeded' | 'failed'
  readonly message: string
}

/** A dispute: the cardholder's bank has reversed the payment until it is decided. */
export interface GatewayDispute {
  readonly ref: string
  readonly amount: number
  readonly reason: string
  readonly state: 'open' | 'won' | 'lost'
  /** Fees withheld by the service so far, less those returned. */
  readonly fee: number
}

/** Current state of a payment at the gateway, with its refunds and disputes. */
export interface GatewayPayment {
  readonly payment: GatewayPaymentState
  /** Oldest first. */
  readonly refunds: readonly GatewayRefund[]
  readonly disputes: readonly GatewayDispute[]
}

/** Notice that a payment has changed. The state is then queried: events arrive late, twice and in any order. */
export interface GatewayEvent {
  readonly id: string
  readonly type: string
  /** The payment concerned, if any. */
  readonly payment: string | undefined
  readonly payload: unknown
}

/** A payment service. Every refusal is a GatewayError with the service's own message. */
export interface PaymentGateway {
  readonly name: 'test' | 'stripe'
  /** Creates the customer and returns the gateway's ID for them. */
  customer(who: {
    readonly id: number
    readonly key: string
    readonly email: string
    readonly name: string
  }): Promise<string>
  setUpCard(customer: string, purpose: CardPurpose): Promise<CardSetUp>
  /** Checks the entered card and saves it for this customer. */
  attach(customer: string, card: string): Promise<GatewayCard>
  detach(card: string): Promise<void>
  cards(customer: string): Promise<readonly GatewayCard[]>
  /** Creates a payment without moving money and returns the gateway's ID for it. */
  order(order: PaymentOrder): Promise<string>
  /** Moves the money. `inDoubt` errors may or may not have done so: check with `look`. */
  confirm(payment: string, key: string): Promise<GatewayPaymentState>
  /** Cancels an unpaid payment. Returns its state, as it may have been paid after all. */
  cancel(payment: string): Promise<GatewayPaymentState>
  look(payment: string): Promise<GatewayPayment>
  refund(order: RefundOrder): Promise<GatewayRefund>
}

/** Refusal by the gateway; its message is shown verbatim. */
export class GatewayError extends Problem {
  /** No reliable answer: the request may have been carried out. */
  readonly inDoubt: boolean
  constructor(message: string, status: 422 | 502 = 422, { inDoubt = false } = {}) {
    super(status, message, { code: status === 422 ? 'payment_refused' : 'gateway_failure' })
    this.inDoubt = inDoubt
  }
}

/** Smallest card payment in minor units; all our currencies have a hundred. Banks don't move less. */
export const MIN_CARD_MINOR_UNITS = 30
