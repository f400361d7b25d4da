/** Search box that searches after a pause: its text, and the searches sent and answered so far. */
export interface SearchInput {
  readonly text: string
  /** Search text currently in the address. */
  readonly value: string
  /** Search texts sent since, not yet in the address. */
  readonly asked: readonly string[]
}

export const createSearchInput = (value: string): SearchInput => ({ text: value, value, asked: [] })

/** Latest search text, sent or in the address. */
const latestOf = ({ value, asked }: SearchInput): string => asked.at(-1) ?? value

/** Has the text changed since the last search? */
export const hasUnsentText = (typed: SearchInput): boolean => typed.text.trim() !== latestOf(typed)

export const markTextSent = (typed: SearchInput): SearchInput =>
  hasUnsentText(typed) ? { ...typed, asked: [...typed.asked, typed.text.trim()] } : typed

/**
 * Handles a new search text in the address. A search sent from this box leaves the text as it is, as more may have been
 * typed since; any other, such as by going back, replaces it.
 */
export function receiveSearchValue(typed: SearchInput, value: string): SearchInput {
  const at = typed.asked.indexOf(value)
  return at < 0 ? createSearchInput(value) : { ...typed, value, asked: typed.asked.slice(at + 1) }
}
