export type ReviewTrafficLight = 'late' | 'soon' | 'well' | 'none'

interface ReviewCounts {
  readonly inForce: number
  /** Number of documents in force whose review is overdue, and due soon. */
  readonly late: number
  readonly soon: number
}

/** Traffic light of a document type: its worst status, or `none` if no document is in force. */
export const reviewTrafficLightOf = ({ inForce, late, soon }: ReviewCounts): ReviewTrafficLight =>
  late ? 'late' : soon ? 'soon' : inForce ? 'well' : 'none'
