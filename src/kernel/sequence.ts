/** A sequence of document numbers, each of which is issued only once: `RA-0012`, `INV-2026-00012`. */
export interface NumberSequence {
  /** Key for the sequence's counters, unique in the portal. */
  readonly name: string
  /** Text before each number, such as `RA-`. */
  readonly prefix: string
  /** Scope of the numbers. Each client has its own numbers; with `client and year`, they also restart every year. */
  readonly per: 'client' | 'client and year'
  /**
   * If true, the next number is issued only after the previous number has been committed with its record or rolled
   * back. If false, nothing waits, and an unused number is lost.
   */
  readonly gapless: boolean
  /** Minimum number of digits. Shorter numbers are padded with zeros; longer ones are not truncated. */
  readonly digits: number
  /** First number; 1 by default. */
  readonly first?: number
}

const declared = new Map<string, string>()

/** Declares a sequence. Throws if another sequence has the same name, because both would share one counter. */
export function defineSequence(s: NumberSequence): NumberSequence {
  const known = declared.get(s.name)
  if (known !== undefined && known !== JSON.stringify(s)) throw new Error(`Two sequences have the name ${s.name}`)
  declared.set(s.name, JSON.stringify(s))
  return s
}

/** Formats a number for display. `year` is used only if the sequence restarts every year. */
export const formatSequenceNumber = ({ prefix, per, digits }: NumberSequence, number: number, year: number): string =>
  `${prefix}${per === 'client' ? '' : `${year}-`}${String(number).padStart(digits, '0')}`
