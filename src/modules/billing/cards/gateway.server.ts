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

/** Whose a payment or a refund is with us. */
export interface About {
  readonly client: number
  readonly charge: number
}

/** What a card is entered for: only one that is to be kept is the customer's at the gateway as soon as it is entered. */
export type CardPurpose = 'keep' | 'pay'

export interface PaymentOrder {
  /** Ours, and never used again: the same order asked for twice is one. */
  readonly key: string
  readonly customer: string
  readonly card: string
  /** Pence. */
  readonly amount: number
  readonly currency: string
  readonly words: string
  readonly about: About
}

export interface RefundOrder {
  readonly key: string
  /** What the gateway calls the payment. */
  readonly payment: string
  readonly amount: number
  readonly about: About
}

/** How a payment stands at the gateway. `ordered`: known there, and no money has been asked for. */
export type PaymentState =
  | { readonly state: 'ordered' | 'pending' | 'cancelled' }
  | { readonly state: 'succeeded'; readonly fee: number }
  /** `hard`: this card will never be charged, as one that was stolen. */
  | { readonly state: 'failed'; readonly message: string; readonly hard: boolean }

/** A refund as the gateway has it; `key` is the one that we ordered it with, nothing for one that was made with the gateway itself. */
export interface GatewayRefund {
  readonly ref: string
  readonly key: string | undefined
  readonly amount: number
  readonly state: 'pending' | 'succeeded' | 'failed'
  readonly message: string
}

/** The holder has taken the money back through their bank: it is gone until that is decided. */
export interface GatewayDispute {
  readonly ref: string
  readonly amount: number
  readonly reason: string
  readonly state: 'open' | 'won' | 'lost'
  /** What the service keeps for it by now: what it has given back is none. */
  readonly fee: number
}

/** All that a gateway knows of a payment, as it is now. */
export interface GatewayPayment {
  readonly payment: PaymentState
  /** The oldest first. */
  readonly refunds: readonly GatewayRefund[]
  readonly disputes: readonly GatewayDispute[]
}

/** Word from the gateway that something has happened to a payment. What, is asked: events come late, twice and in any order. */
export interface GatewayEvent {
  readonly id: string
  readonly type: string
  /** The payment that it is about, if it is about one. */
  readonly payment: string | undefined
  readonly payload: unknown
}

/** A payment service. Every refusal is a GatewayError with the service's own sentence. */
export interface PaymentGateway {
  readonly name: 'test' | 'stripe'
  /** Makes the customer known; answers what the gateway calls them. */
  customer(who: {
    readonly id: number
    readonly key: string
    readonly email: string
    readonly name: string
  }): Promise<string>
  setUpCard(customer: string, purpose: CardPurpose): Promise<CardSetUp>
  /** Checks the card that was entered and keeps it for this customer. */
  attach(customer: string, card: string): Promise<GatewayCard>
  detach(card: string): Promise<void>
  cards(customer: string): Promise<readonly GatewayCard[]>
  /** Makes a payment known, and moves no money; answers what the gateway calls it. */
  order(order: PaymentOrder): Promise<string>
  /** Moves the money. What is `inDoubt` may have happened or not: `look` tells. */
  confirm(payment: string, key: string): Promise<PaymentState>
  /** Ends a payment that nobody has paid. Answers how it stands then: it may have been paid after all. */
  cancel(payment: string): Promise<PaymentState>
  look(payment: string): Promise<GatewayPayment>
  refund(order: RefundOrder): Promise<GatewayRefund>
}

/** What the gateway refuses; its sentence is shown word for word. */
export class GatewayError extends Problem {
  /** No answer came that can be relied on: what was asked may have been done. */
  readonly inDoubt: boolean
  constructor(message: string, status: 422 | 502 = 422, { inDoubt = false } = {}) {
    super(status, message, { code: status === 422 ? 'payment_refused' : 'gateway_failure' })
    this.inDoubt = inDoubt
  }
}

/** Amounts in the currencies that we keep all have a hundred minor units: what is smaller, no bank moves. */
export const LEAST_BY_CARD = 30
