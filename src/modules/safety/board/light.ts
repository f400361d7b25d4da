export type ReviewLight = 'late' | 'soon' | 'well' | 'none'

interface Standing {
  readonly inForce: number
  /** Number of documents in force whose review is overdue, and due soon. */
  readonly late: number
  readonly soon: number
}

/** Traffic light of a document type: its worst status, or `none` if no document is in force. */
export const reviewLightOf = ({ inForce, late, soon }: Standing): ReviewLight =>
  late ? 'late' : soon ? 'soon' : inForce ? 'well' : 'none'
