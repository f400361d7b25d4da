/** One mismatch in a client's evidence. */
export interface EvidenceFinding {
  readonly clientId: number
  /** The record concerned, if there is one. */
  readonly subjectType?: string
  readonly subjectId?: number
  /** Name of the subject, such as `RA-0001 revision 2`. */
  readonly named: string
  /** The mismatch, such as `its state is "current", but "complete" was sealed`. */
  readonly untrue: string
}

/** Formats a mismatch as a sentence. */
export const formatEvidenceFinding = ({ named, untrue }: EvidenceFinding): string => `${named}: ${untrue}.`
