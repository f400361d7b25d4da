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

/** The client and charge in the portal that a payment or refund belongs to. */
export interface PaymentSubject {
  readonly client: number
  readonly charge: number
}

/** Purpose of entering a card. A card to be saved (`keep`) is attached to the customer at the gateway immediately. */
export type CardEntryPurpose = 'keep' | 'pay'

/** A Direct Debit Instruction as the gateway describes it. */
export interface GatewayMandate {
  readonly id: string
  /** The gateway's ID for the bank account, which each payment names. */
  readonly method: string
  /** Reference on the account holder's bank statement. */
  readonly reference: string
  /** Name of the bank; empty if the gateway doesn't know it. */
  readonly bank: string
  readonly state: 'pending' | 'active' | 'cancelled' | 'failed'
  /** Reason why the instruction ended. */
  readonly reason: string
}

/** Evidence that the account holder accepted the instruction online. */
export interface GatewayMandateAcceptance {
  readonly address: string
  readonly agent: string
}

interface GatewayMandateRequest {
  readonly key: string
  readonly customer: string
  readonly holder: string
  readonly email: string
  /** Lines of the customer's address. */
  readonly address: readonly string[]
  /** Six digits. */
  readonly sortCode: string
  /** Eight digits. */
  readonly account: string
  readonly acceptance: GatewayMandateAcceptance
}

export interface GatewayPaymentRequest {
  /**
   * Our idempotency key. A repeated request has the same key, so it is carried out only once; two different requests
   * never share a key.
   */
  readonly key: string
  readonly customer: string
  /** The gateway's ID for the card or bank account. */
  readonly card: string
  /** The gateway's ID for the Direct Debit Instruction; undefined for a card. */
  readonly mandate?: string | undefined
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
  /** `hard`: the card or account can never be charged again, for example because it was stolen or closed. */
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
  /** Fees withheld by the payment service so far, minus fees returned. */
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
  /** The Direct Debit Instruction concerned, if any. */
  readonly mandate?: string | undefined
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
  /**
   * Sort code of the service's test accounts, which have no check digits; undefined if the service takes real money.
   */
  readonly testSortCode?: string | undefined
  /** Sets up a Direct Debit Instruction. The account number goes to the gateway only. */
  signMandate(request: GatewayMandateRequest): Promise<GatewayMandate>
  lookAtMandate(mandate: string): Promise<GatewayMandate>
  cancelMandate(mandate: string, method: string): Promise<void>
  /** Creates a payment without moving money, and returns the gateway's ID for the payment. */
  order(order: GatewayPaymentRequest): Promise<string>
  /** Moves the money. After an `inDoubt` error, call `look` to find out whether the money has moved. */
  confirm(payment: string, key: string): Promise<GatewayPaymentState>
  /**
   * Cancels an unpaid payment. Returns the payment's state, because the payment may have succeeded before it could be
   * cancelled.
   */
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
