import type { Paper } from '../quotes/paper.ts'
import type { AcceptanceState } from '../quotes/state.ts'

/** What the holder of a quote's link is shown. */
export interface Acceptance {
  readonly '@id': string
  readonly '@type': 'Acceptance'
  readonly provider: string
  readonly paper: Paper
  /** `open` can be decided; everything else says what happened. */
  readonly state: AcceptanceState
  readonly decidedAt: string | null
  readonly decidedBy: string
  /** What to do, where the quote can't be decided. */
  readonly sentence: string
}

/**
 * The outbox event `quote.accepted`, written in the transaction of the acceptance: what subscriptions need to begin. Ids are of
 * client `clientId`'s records; amounts are pence and may have parts of a penny.
 */
export interface QuoteAccepted {
  readonly quote: number
  readonly reference: string
  readonly customer: number
  readonly contact: number | null
  readonly coupon: number | null
  readonly currency: string
  readonly total: number
  readonly taxPercent: number
  readonly plans: readonly {
    readonly plan: number
    readonly quantity: number
    readonly unitAmount: number
    readonly interval: string | null
    readonly intervalCount: number | null
    readonly taxPercent: number | null
  }[]
  /** Unix seconds; null begins at once. */
  readonly billingCycleAnchor: number | null
  readonly prorate: boolean
  readonly acceptedAt: string
}
