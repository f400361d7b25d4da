/** Converts a value to text: a string unchanged, a number as digits, anything else as an empty string. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Matches a visible character: not a space, direction mark, joiner or empty Braille cell. */
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}\p{Control}\u2800]/u

/** True if the text has a visible character. Invisible characters alone count as empty. */
export const hasVisibleText = (text: string): boolean => SEEN.test(text)

/** Matches invisible characters: direction marks, joiners, control characters. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu

/**
 * Removes direction marks and other invisible characters from a line, and collapses spaces. For names by which people
 * recognise something: `bill\u202efdp.exe` would display as `billexe.pdf`.
 */
export const removeInvisibleCharacters = (line: string): string =>
  line.toWellFormed().replaceAll('\ufeff', '').replace(/\s+/g, ' ').replace(UNSEEN, '').replace(/ {2,}/g, ' ').trim()

/** Formats a whole number: `12,345`. */
export const formatInteger = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Returns a count in words: `1 hazard`, `3 hazards`; empty for zero. */
export const formatCountWithNoun = (many: number, one: string, more = `${one}s`): string[] =>
  many ? [`${many} ${many === 1 ? one : more}`] : []

/** Capitalises the first letter: `sent to Ann` as a sentence or a heading. */
export const capitalise = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/**
 * Removes possible secrets from a URL of the portal: links that work without a sign-in have them in the path or query.
 */
export const redactUrlSecrets = (address: string): string =>
  address
    .replace(/[?#].*$/, '')
    .split('/')
    .map((part) => (part.length > 30 ? '…' : part))
    .join('/')
