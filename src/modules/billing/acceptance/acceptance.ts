import type { Paper } from '../print/paper.ts'
import type { AcceptanceState } from '../print/state.ts'

/** What was made of a quote: amounts are in pence, with VAT. */
export interface Made {
  readonly invoices: readonly {
    readonly number: string
    readonly total: number
    readonly dueOn: string | null
    readonly isPaid: boolean
  }[]
  /** When each subscription is invoiced again: `every month`. */
  readonly subscriptions: readonly { readonly rhythm: string; readonly nextOn: string }[]
}

/** What the holder of a quote's link is shown. */
export interface Acceptance {
  readonly '@id': string
  readonly '@type': 'Acceptance'
  readonly provider: string
  readonly paper: Paper
  /** Where its letters go; empty where there are none. */
  readonly emailTo: string
  /** The seller's logo: the address of a picture. */
  readonly logo: string | null
  /** `open` can be decided; everything else says what happened. */
  readonly state: AcceptanceState
  readonly decidedAt: string | null
  readonly decidedBy: string
  /** What an accepted quote has become; nothing before, and where it is not billed yet. */
  readonly made: Made | null
  /** What to do, where the quote can't be decided. */
  readonly sentence: string
}
