/** A sequence of document numbers, each issued only once: `RA-0012`, `INV-2026-00012`. */
export interface NumberSequence {
  /** Key of the sequence's counters, unique in the portal. */
  readonly name: string
  /** Text before each number: `RA-`. */
  readonly prefix: string
  /** Scope of the numbers: each client has its own; with the year, they restart every year. */
  readonly per: 'client' | 'client and year'
  /**
   * If true, the next number waits until the one issued before is committed with its record or rolled back. Otherwise
   * nothing waits, and an unused number is lost.
   */
  readonly gapless: boolean
  /** Minimum digits: shorter numbers are padded with zeros, longer ones are not truncated. */
  readonly digits: number
  /** First number; 1 by default. */
  readonly first?: number
}

const declared = new Map<string, string>()

/** Declares a sequence. Throws if another one has the same name, as both would share one counter. */
export function defineSequence(s: NumberSequence): NumberSequence {
  const known = declared.get(s.name)
  if (known !== undefined && known !== JSON.stringify(s)) throw new Error(`Two sequences have the name ${s.name}`)
  declared.set(s.name, JSON.stringify(s))
  return s
}

/** Formats a number for display. `year` is used only if the sequence restarts every year. */
export const formatSequenceNumber = ({ prefix, per, digits }: NumberSequence, number: number, year: number): string =>
  `${prefix}${per === 'client' ? '' : `${year}-`}${String(number).padStart(digits, '0')}`
