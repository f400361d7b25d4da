import { toSearchForm } from '#kernel/text/search.ts'
import { listSearchTerms } from '#kernel/text/search-terms.ts'

/** Fields by which hazards are ranked when they are suggested to authors of an assessment. */
export interface RankedHazard {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly group: { readonly name: string }
  /** Whether the hazard is for the document's industry, for all industries, or only for others. */
  readonly fit: 'industry' | 'general' | 'other'
  /**
   * Rank by frequency of use, starting at 1: first by use in the company's own documents, then general hazards before
   * those of a single template, then by use in the industry's templates.
   */
  readonly use: number
}

const FITS = ['industry', 'general', 'other'] as const

/**
 * Closeness of a search match, closest first. If the name and group contain all words, the order is: the name starts
 * with the first word, a word in the name does, the description contains the first word, none of these. Next come
 * matches that need the description, and last, no match.
 */
const [NAME, WORD, DESCRIBED, NAMED, DESCRIPTION, NOT_FOUND] = [0, 1, 2, 3, 4, 5]

function nearness(h: RankedHazard, words: readonly string[]): number {
  const [name, description, first] = [toSearchForm(h.name), toSearchForm(h.description), words[0] ?? '']
  const named = `${name} ${toSearchForm(h.group.name)}`
  if (!words.every((w) => named.includes(w)))
    return words.every((w) => `${named} ${description}`.includes(w)) ? DESCRIPTION : NOT_FOUND
  if (name.startsWith(first)) return NAME
  return ` ${name}`.includes(` ${first}`) ? WORD : description.includes(first) ? DESCRIBED : NAMED
}

/**
 * Sorts hazards, best first. The order is: matches in the name or group before matches that need the description;
 * frequency of use in the company's documents and the industry's templates; hazards for other industries last;
 * closeness of the match; industry; and finally the order of the library, which starts with the most common hazards of
 * each group.
 */
export function rankHazards<T extends RankedHazard>(hazards: readonly T[], words: readonly string[]): T[] {
  const terms = listSearchTerms(words)
  return hazards
    .map((h) => {
      const near = nearness(h, terms)
      return { h, by: [near >= DESCRIPTION ? 1 : 0, h.use, h.fit === 'other' ? 1 : 0, near, FITS.indexOf(h.fit), h.id] }
    })
    .sort((a, b) => a.by.reduce((order, n, i) => order || n - (b.by[i] as number), 0))
    .map(({ h }) => h)
}

/** Returns the hazards that contain every search word, best first. */
export const searchHazards = <T extends RankedHazard>(hazards: readonly T[], words: readonly string[]): T[] => {
  const terms = listSearchTerms(words)
  return rankHazards(
    hazards.filter((h) => (terms.length || !words.length) && nearness(h, terms) !== NOT_FOUND),
    words,
  )
}
