/** Fields used to rank a hazard suggested to authors of an assessment. */
export interface RankedHazard {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly group: { readonly name: string }
  /** Whether the hazard is for the document's industry, for all industries, or for others only. */
  readonly fit: 'industry' | 'general' | 'other'
  /** Rank by use, from 1: by use in the company's own documents, then in its industry's templates. */
  readonly use: number
}

const FITS = ['industry', 'general', 'other'] as const

/**
 * Quality of a search match, best first: the name starts with the first word, a word of the name does, the description
 * contains it, or only the group.
 */
const [NAME, WORD, DESCRIBED, NAMED, DESCRIPTION, NOT_FOUND] = [0, 1, 2, 3, 4, 5]

function nearness(h: RankedHazard, words: readonly string[]): number {
  const [name, description, first] = [h.name.toLowerCase(), h.description.toLowerCase(), words[0] ?? '']
  const named = `${name} ${h.group.name.toLowerCase()}`
  if (!words.every((w) => named.includes(w)))
    return words.every((w) => `${named} ${description}`.includes(w)) ? DESCRIPTION : NOT_FOUND
  if (name.startsWith(first)) return NAME
  return ` ${name}`.includes(` ${first}`) ? WORD : description.includes(first) ? DESCRIBED : NAMED
}

/**
 * Sorts hazards, best first: matches in the name before matches in the description only; then use in the company's
 * documents and its industry's templates, with unused hazards of other industries last; then closeness of the match,
 * then the industry, and finally the library's order, which has the most common hazards of each group first.
 */
export function rankHazards<T extends RankedHazard>(hazards: readonly T[], words: readonly string[]): T[] {
  const small = words.map((w) => w.toLowerCase())
  return hazards
    .map((h) => {
      const near = nearness(h, small)
      return { h, by: [near >= DESCRIPTION ? 1 : 0, h.use, h.fit === 'other' ? 1 : 0, near, FITS.indexOf(h.fit), h.id] }
    })
    .sort((a, b) => a.by.reduce((order, n, i) => order || n - (b.by[i] as number), 0))
    .map(({ h }) => h)
}

/** Hazards that contain every search word, best first. */
export const searchHazards = <T extends RankedHazard>(hazards: readonly T[], words: readonly string[]): T[] => {
  const small = words.map((w) => w.toLowerCase())
  return rankHazards(
    hazards.filter((h) => nearness(h, small) !== NOT_FOUND),
    words,
  )
}
