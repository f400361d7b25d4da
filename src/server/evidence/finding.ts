/** One thing that is untrue of a client's evidence. */
export interface Finding {
  readonly clientId: number
  /** The record that it is about, where it is about one. */
  readonly subjectType?: string
  readonly subjectId?: number
  /** What it is about: `RA-0001 revision 2`. */
  readonly named: string
  /** What is untrue of it: `its state is "current", but "complete" was sealed`. */
  readonly untrue: string
}

/** A finding as a person reads it. */
export const sentenceOf = ({ named, untrue }: Finding): string => `${named}: ${untrue}.`
