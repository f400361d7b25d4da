/** A value of unknown kind as text: a string as it is, a number in digits, anything else as nothing. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** A character that people see: no space, no mark of direction, no joiner, no empty braille cell. */
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}\p{Control}\u2800]/u

/** Does a text show anything? One of characters that nobody sees is as empty as none. */
export const showsText = (text: string): boolean => SEEN.test(text)

/** What turns writing round, joins, hides or controls, and shows nothing by itself. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu

/**
 * A line as it looks to people: without marks of direction and other unseen characters, its spaces single. For names that say what
 * something is: `bill\u202efdp.exe` would read as `billexe.pdf`.
 */
export const asSeen = (line: string): string =>
  line.toWellFormed().replaceAll('\ufeff', '').replace(/\s+/g, ' ').replace(UNSEEN, '').replace(/ {2,}/g, ' ').trim()

/** A whole number as people write it: `12,345`. */
export const figure = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** So many of something, in words: `1 hazard`, `3 hazards`; nothing where there is none. */
export const countOf = (many: number, one: string, more = `${one}s`): string[] =>
  many ? [`${many} ${many === 1 ? one : more}`] : []

/** With a capital at its beginning: `sent to Ann` as a sentence or a heading. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** An address of the portal without what may be a secret in it: links that open something by themselves carry it in their path or query. */
export const withoutSecrets = (address: string): string =>
  address
    .replace(/[?#].*$/, '')
    .split('/')
    .map((part) => (part.length > 30 ? '…' : part))
    .join('/')
