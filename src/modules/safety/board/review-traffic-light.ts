export type ReviewTrafficLight = 'late' | 'soon' | 'well' | 'none'

interface ReviewCounts {
  readonly inForce: number
  /** Number of documents in force with an overdue review (`late`) and with a review due soon (`soon`). */
  readonly late: number
  readonly soon: number
}

/**
 * Returns the traffic light of a document type: the worst review status of its documents, or `none` if no document is
 * in force.
 */
export const reviewTrafficLightFor = ({ inForce, late, soon }: ReviewCounts): ReviewTrafficLight =>
  late ? 'late' : soon ? 'soon' : inForce ? 'well' : 'none'
