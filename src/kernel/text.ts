/**
 * Converts a value to text. A string is unchanged, a number becomes digits, and anything else becomes an empty string.
 */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Part of a record in which the text of a search occurs, other than its number and title. */
export interface FoundPart {
  /** Label of the form field or row: "Hazard". */
  readonly label: string
  /** Text around the first match, in pieces. For another company's record, only the words searched for. */
  readonly pieces: readonly { readonly text: string; readonly found: boolean }[]
}

/** Matches a visible character: not a space, direction mark, joiner or empty Braille cell. */
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}\p{Control}\u2800]/u

/** True if the text has a visible character. Text with only invisible characters is treated as empty. */
export const hasVisibleText = (text: string): boolean => SEEN.test(text)

/** Matches invisible characters: direction marks, joiners and control characters. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]+/gu

/**
 * Removes direction marks and other invisible characters from a line, and collapses spaces. Used for names by which
 * people recognise things: otherwise, `bill\u202efdp.exe` would be displayed as `billexe.pdf`.
 */
export const removeInvisibleCharacters = (line: string): string =>
  line.toWellFormed().replaceAll('\ufeff', '').replace(/\s+/g, ' ').replace(UNSEEN, '').replace(/ {2,}/g, ' ').trim()

/** Formats an integer with commas: `12,345`. */
export const formatInteger = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Formats a count with its noun: `1 hazard`, `3 hazards`. Returns an empty list for zero. */
export const formatCountWithNoun = (many: number, one: string, more = `${one}s`): string[] =>
  many ? [`${many} ${many === 1 ? one : more}`] : []

/** Capitalises the first letter, for a sentence or a heading: `sent to Ann` → `Sent to Ann`. */
export const capitalise = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Lower-cases the first letter, for the middle of a sentence or a key: `HazardGroup` → `hazardGroup`. */
export const lowerFirst = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

/** Removes possible secrets from a portal URL. Links that work without signing in have secrets in the path or query. */
export const redactUrlSecrets = (address: string): string =>
  address
    .replace(/[?#].*$/, '')
    .split('/')
    .map((part) => (part.length > 30 ? '…' : part))
    .join('/')

/**
 * White space that spreadsheets skip before a formula, in a regular-expression syntax that JavaScript and PostgreSQL
 * share.
 */
const BLANKS = String.raw`\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`
/**
 * Text that a spreadsheet would interpret as a formula, in a regular-expression syntax that JavaScript and PostgreSQL
 * share. A telephone number such as `+44 (0)1632 960171` is not treated as a formula.
 */
export const FORMULA_PATTERN = new RegExp(String.raw`^(?!\+[\d\s()-]+$)(?:[\t\r\n]|[${BLANKS}]*[=+\-@＝＋－＠])`)

/** Prefixes text with an apostrophe if a spreadsheet would run it as a formula. */
export const escapeCsvFormula = (text: string): string => (FORMULA_PATTERN.test(text) ? `'${text}` : text)

/** Quotes a cell of a CSV file. A spreadsheet does not run it as a formula. */
export const quoteCsvCell = (text: string): string => `"${escapeCsvFormula(text).replaceAll('"', '""')}"`
