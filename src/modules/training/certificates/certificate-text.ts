import { toSearchForm } from '#kernel/text/search.ts'
import { isCalendarDate } from '#kernel/time.ts'

/** Person or course that a text may name, by the names it is known by. */
export interface KnownName {
  readonly id: number
  readonly name: string
  /** Further names, such as the code of a course; empty ones match nothing. */
  readonly alsoKnownAs?: readonly string[]
}

/** Person or course that the text of a certificate names. */
export interface ProposedName {
  readonly id: number
  readonly name: string
}

/** Date in the text of a certificate, with the words before and after it, so that a person sees what it states. */
export interface ProposedDate {
  readonly date: string
  readonly words: string
}

export interface CertificateProposals {
  readonly people: readonly ProposedName[]
  readonly courses: readonly ProposedName[]
  readonly dates: readonly ProposedDate[]
}

const MAX_PROPOSALS = 6
/** Characters before and after a date that are shown with it. */
const [BEFORE, AFTER] = [40, 10]
const MIN_NAME_LENGTH = 4

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
/** Forms of a date with the groups for year, month and day. Numbers are in the British order. */
const DATE_FORMS: readonly (readonly [RegExp, (found: RegExpMatchArray) => readonly (string | undefined)[]])[] = [
  [/\b(\d{4})-(\d{2})-(\d{2})\b/g, ([, y, m, d]) => [y, m, d]],
  [/\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/g, ([, d, m, y]) => [y, m, d]],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH},?\\s+(\\d{4})\\b`, 'gi'),
    ([, d, m, y]) => [y, m, d],
  ],
  [new RegExp(`\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`, 'gi'), ([, m, d, y]) => [y, m, d]],
]

function toIsoDate([year = '', month = '', day = '']: readonly (string | undefined)[]): string | undefined {
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1
  const date = `${year}-${(named ? String(named) : month).padStart(2, '0')}-${day.padStart(2, '0')}`
  return isCalendarDate(date) ? date : undefined
}

/** Returns the words around a part of a text, without words that are cut. */
function wordsAround(text: string, start: number, end: number): string {
  const [from, to] = [start - BEFORE, end + AFTER]
  const words = text.slice(Math.max(from, 0), to)
  return words.replace(from > 0 ? /^\S*\s/ : /^\s+/, '').replace(to < text.length ? /\s\S*$/ : /\s+$/, '')
}

/** Returns the dates in a text, in its order, each with the words around it. */
function findDates(text: string): ProposedDate[] {
  const found = DATE_FORMS.flatMap(([form, partsOf]) =>
    [...text.matchAll(form)].flatMap((match) => {
      const date = toIsoDate(partsOf(match))
      const end = match.index + match[0].length
      return date ? [{ at: match.index, date, words: wordsAround(text, match.index, end) }] : []
    }),
  )
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ date, words }) => ({ date, words }))
    .slice(0, MAX_PROPOSALS)
}

/** Returns the names that a text contains as whole words, the longest first. */
function findNames(text: string, known: readonly KnownName[]): ProposedName[] {
  const words = ` ${toSearchForm(text)} `
  return known
    .filter(({ name, alsoKnownAs = [] }) =>
      [name, ...alsoKnownAs].some((one) => one.length >= MIN_NAME_LENGTH && words.includes(` ${toSearchForm(one)} `)),
    )
    .toSorted((a, b) => b.name.length - a.name.length)
    .map(({ id, name }) => ({ id, name }))
    .slice(0, MAX_PROPOSALS)
}

/** Returns proposals from the text of a certificate. None of them is a fact until a person confirms it. */
export function proposeFromText(
  text: string,
  people: readonly KnownName[],
  courses: readonly KnownName[],
): CertificateProposals {
  const plain = text.replace(/\s+/g, ' ')
  return { people: findNames(plain, people), courses: findNames(plain, courses), dates: findDates(plain) }
}
