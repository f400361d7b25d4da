import { FORMULA_PATTERN } from '../text.ts'

/**
 * Invisible characters: control characters, soft hyphens, zero-width spaces and direction marks, which come with
 * numbers copied from telephones. Joiners of letters and emoji are not among them. A run of them is one match, because
 * 700,000 matches in a cell would take a second.
 */
const UNSEEN = /[[\p{Cc}--[\t\n\r]]\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gv

/**
 * Returns the plain text of a cell without invisible characters. Removes the characters with which spreadsheets prevent
 * values from being parsed as formulas (`'+44…`, `="0123"`). A real formula is returned as plain text.
 */
export function parseImportCell(raw: string): string {
  const s = raw.replace(UNSEEN, '').toWellFormed().trim()
  const quoted = /^="([^"]*)"$/.exec(s)
  if (quoted) return (quoted[1] as string).trim()
  return /^'([=+@-]|[\d\s()]+$)/.test(s) || (s.startsWith("'") && FORMULA_PATTERN.test(s.slice(1)))
    ? s.slice(1).trim()
    : s
}

/** A number that a spreadsheet has rounded, with a decimal point or comma: 4.47701E+11. */
export const LOST_DIGITS = /^\d{1,20}([.,]\d{1,20})?E\+?\d{1,5}$/i

/** Removes the decimals that a spreadsheet adds to a whole number: 6734419.0. */
export const withoutDecimals = (s: string): string => s.replace(/^(\d{1,20})[.,]0{1,20}$/, '$1')

/** Maximum number of characters that are read from a heading. */
export const MAX_HEADING_CHARACTERS = 500

/** Returns a heading in lower case, without spaces and punctuation. */
export const bareHeading = (heading: string): string => heading.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Returns the headings as written in the file. A blank heading gets a number, and a repeated heading gets a suffix. */
export function readHeadings(cells: readonly string[]): string[] {
  const names: string[] = []
  for (const [at, cell] of cells.entries()) {
    const text = parseImportCell(cell).slice(0, MAX_HEADING_CHARACTERS)
    const base = text.replace(/\s+/g, ' ').slice(0, 100) || `Column ${at + 1}`
    let name = base
    for (let n = 2; names.includes(name); n++) name = `${base} (${n})`
    names.push(name)
  }
  return names
}

/**
 * Returns the index of the heading row among the first rows of a file. Titles and dates may stand above it, in fewer
 * cells: the headings are the first row with the most known headings or, if there are hardly any, the first row with
 * more than one value.
 */
export function findHeadingRow(
  rows: readonly (readonly string[])[],
  countKnownHeadings: (cells: readonly string[]) => number,
): number {
  const filled = rows.map((cells) => cells.filter((cell) => cell !== '').length)
  const known = rows.map(countKnownHeadings)
  const most = Math.max(...known)
  const best = known.indexOf(most)
  if (most > 1 && most > (known[0] ?? 0)) return best
  const first = filled.findIndex((n) => n > 1)
  return first > 0 && known.slice(0, first).every((n) => n === 0) ? first : 0
}
