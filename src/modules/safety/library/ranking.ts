/** A hazard as it is ranked when it is offered to whoever writes an assessment. */
export interface Ranked {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly group: { readonly name: string }
  /** Of the trade, of all trades, or of others. */
  readonly fit: 'industry' | 'general' | 'other'
  /** Its place by use, from 1: by how many of the company's own papers have it, then by how many of its trade's templates. */
  readonly use: number
}

const FITS = ['industry', 'general', 'other'] as const

/** How near words are to a hazard: its name begins with the first, a word of it does, its description has it, or only its group. */
const [NAME, WORD, DESCRIBED, NAMED, DESCRIPTION, NOT_FOUND] = [0, 1, 2, 3, 4, 5]

function nearness(h: Ranked, words: readonly string[]): number {
  const [name, description, first] = [h.name.toLowerCase(), h.description.toLowerCase(), words[0] ?? '']
  const named = `${name} ${h.group.name.toLowerCase()}`
  if (!words.every((w) => named.includes(w)))
    return words.every((w) => `${named} ${description}`.includes(w)) ? DESCRIPTION : NOT_FOUND
  if (name.startsWith(first)) return NAME
  return ` ${name}`.includes(` ${first}`) ? WORD : description.includes(first) ? DESCRIBED : NAMED
}

/**
 * The hazards, best first. What is named by the words comes before what is only described by them. Then speaks use: what the
 * company's papers have, then its trade's templates; of what nobody has used, what belongs to other trades comes last. Then how near
 * the words are, then what is of the trade, and at last the library's own order, which begins each group with what is most common.
 */
export function rankHazards<T extends Ranked>(hazards: readonly T[], words: readonly string[]): T[] {
  const small = words.map((w) => w.toLowerCase())
  return hazards
    .map((h) => {
      const near = nearness(h, small)
      return { h, by: [near >= DESCRIPTION ? 1 : 0, h.use, h.fit === 'other' ? 1 : 0, near, FITS.indexOf(h.fit), h.id] }
    })
    .sort((a, b) => a.by.reduce((order, n, i) => order || n - (b.by[i] as number), 0))
    .map(({ h }) => h)
}

/** Those in which every word occurs, best first. */
export const findHazards = <T extends Ranked>(hazards: readonly T[], words: readonly string[]): T[] => {
  const small = words.map((w) => w.toLowerCase())
  return rankHazards(
    hazards.filter((h) => nearness(h, small) !== NOT_FOUND),
    words,
  )
}
