/** State of a search box that searches after a pause: its text, and the searches that are not yet in the address. */
export interface SearchInput {
  readonly text: string
  /** Search text currently in the address. */
  readonly value: string
  /** Search texts sent since then that are not yet in the address. */
  readonly asked: readonly string[]
}

export const createSearchInput = (value: string): SearchInput => ({ text: value, value, asked: [] })

/** Latest search text, sent or in the address. */
const latestOf = ({ value, asked }: SearchInput): string => asked.at(-1) ?? value

/** Whether the text has changed since the last search. */
export const hasUnsentText = (typed: SearchInput): boolean => typed.text.trim() !== latestOf(typed)

export const markTextSent = (typed: SearchInput): SearchInput =>
  hasUnsentText(typed) ? { ...typed, asked: [...typed.asked, typed.text.trim()] } : typed

/**
 * Handles a new search text in the address. If it was sent by this box, the box keeps its text, as more may have been
 * typed since. Any other search text, for example after going back, replaces it.
 */
export function receiveSearchValue(typed: SearchInput, value: string): SearchInput {
  const at = typed.asked.indexOf(value)
  return at < 0 ? createSearchInput(value) : { ...typed, value, asked: typed.asked.slice(at + 1) }
}
