export type Light = 'late' | 'soon' | 'well' | 'none'

interface Standing {
  readonly inForce: number
  /** Of those: reviews that are overdue, and that are due soon. */
  readonly late: number
  readonly soon: number
}

/** The traffic light of a kind of document: as its worst stands, and none where nobody works by any. */
export const lightOf = ({ inForce, late, soon }: Standing): Light =>
  late ? 'late' : soon ? 'soon' : inForce ? 'well' : 'none'
