import type { QuoteAcceptanceState } from '../print/acceptance-state.ts'
import type { QuoteDocument } from '../print/quote-document.ts'

/** Invoices and subscriptions created from a quote. Amounts are in pence, including VAT. */
export interface QuoteConversion {
  readonly invoices: readonly {
    readonly number: string
    readonly total: number
    readonly dueOn: string | null
    readonly isPaid: boolean
  }[]
  /** Billing interval, such as `every month`. */
  readonly subscriptions: readonly { readonly rhythm: string; readonly nextOn: string }[]
}

/** A quote as shown to the bearer of its link. */
export interface QuoteAcceptance {
  readonly '@id': string
  readonly '@type': 'Acceptance'
  readonly provider: string
  readonly paper: QuoteDocument
  /** Customer's e-mail address; empty if there is none. */
  readonly emailTo: string
  /** URL of the seller's logo; null if the seller has none. */
  readonly logo: string | null
  /** State of the quote for the customer. Only an `open` quote can be accepted or declined. */
  readonly state: QuoteAcceptanceState
  readonly decidedAt: string | null
  readonly decidedBy: string
  /** Invoices and subscriptions created from an accepted quote. Null until the quote has been accepted and billed. */
  readonly made: QuoteConversion | null
  /** Ways to pay the invoices; null if nothing is due. */
  readonly payment: { readonly card: boolean; readonly bank: readonly string[] } | null
  /** Address fields to ask for; null if the address for invoices is complete or the quote is closed. */
  readonly asksAddress: { readonly postcode: boolean } | null
  /** Sentence for the customer if the quote can't be accepted or declined any more; empty for an open quote. */
  readonly sentence: string
}
