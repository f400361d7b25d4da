/** Numbers that are given out one after another, each once: `RA-0012`, `INV-2026-00012`. */
export interface Sequence {
  /** What its counters are kept under; unique in the portal. */
  readonly name: string
  /** Before each number, as people read it: `RA-`. */
  readonly prefix: string
  /** Each client has numbers of its own; with the year, they begin again with each. */
  readonly per: 'client' | 'client and year'
  /**
   * Without gaps, the next waits until a number that was drawn is committed with its record, or given back. With gaps allowed,
   * nobody waits, and a number that was drawn for nothing is lost.
   */
  readonly gapless: boolean
  /** Shorter numbers are filled up with zeros to so many digits; longer ones stay whole. */
  readonly digits: number
  /** What it begins with, 1 unless said. */
  readonly first?: number
}

const declared = new Map<string, string>()

/** Declares a sequence. Refuses a second one of the same name: the two would draw on one counter. */
export function sequence(s: Sequence): Sequence {
  const known = declared.get(s.name)
  if (known !== undefined && known !== JSON.stringify(s)) throw new Error(`Two sequences are called ${s.name}`)
  declared.set(s.name, JSON.stringify(s))
  return s
}

/** A number as people read it; `year` where the sequence goes by year. */
export const numberText = ({ prefix, per, digits }: Sequence, number: number, year: number): string =>
  `${prefix}${per === 'client' ? '' : `${year}-`}${String(number).padStart(digits, '0')}`
