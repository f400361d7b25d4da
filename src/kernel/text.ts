/** A value of unknown kind as text: a string as it is, a number in digits, anything else as nothing. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** A character that people see: no space, no mark of direction, no joiner, no empty braille cell. */
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}\p{Control}\u2800]/u

/** Does a text show anything? One of characters that nobody sees is as empty as none. */
export const showsText = (text: string): boolean => SEEN.test(text)

/** A whole number as people write it: `12,345`. */
export const figure = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** So many of something, in words: `1 hazard`, `3 hazards`; nothing where there is none. */
export const countOf = (many: number, one: string, more = `${one}s`): string[] =>
  many ? [`${many} ${many === 1 ? one : more}`] : []
