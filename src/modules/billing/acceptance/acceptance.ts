import type { QuoteAcceptanceState } from '../print/acceptance-state.ts'
import type { QuoteDocument } from '../print/quote-document.ts'

/** Invoices and subscriptions created from a quote. Amounts are in pence, incl. VAT. */
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
  /** E-mail address of the customer; empty if there is none. */
  readonly emailTo: string
  /** URL of the seller's logo. */
  readonly logo: string | null
  /** `open` can be decided; any other state says what happened. */
  readonly state: QuoteAcceptanceState
  readonly decidedAt: string | null
  readonly decidedBy: string
  /** Conversion of an accepted quote. Null before acceptance and while it is not billed. */
  readonly made: QuoteConversion | null
  /** Next step if the quote can't be decided. */
  readonly sentence: string
}
