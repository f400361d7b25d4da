export type ReviewLight = 'late' | 'soon' | 'well' | 'none'

interface Standing {
  readonly inForce: number
  /** Of the documents in force: reviews overdue and due soon. */
  readonly late: number
  readonly soon: number
}

/** Traffic light of a document type: its worst status, or `none` without a document in force. */
export const reviewLightOf = ({ inForce, late, soon }: Standing): ReviewLight =>
  late ? 'late' : soon ? 'soon' : inForce ? 'well' : 'none'
