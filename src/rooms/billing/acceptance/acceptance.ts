import type { Paper } from '../paper/paper.ts'
import type { AcceptanceState } from '../paper/state.ts'

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
  /** What to do, where the quote can't be decided. */
  readonly sentence: string
}
