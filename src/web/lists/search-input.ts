/** State of a search box that searches after a pause: its text, and the searches that are not yet in the address. */
export interface SearchBoxState {
  readonly text: string
  /** Search text currently in the address. */
  readonly value: string
  /** Search texts sent since then that are not yet in the address. */
  readonly asked: readonly string[]
}

export const createSearchBoxState = (value: string): SearchBoxState => ({ text: value, value, asked: [] })

/** Latest search text, sent or in the address. */
const latestOf = ({ value, asked }: SearchBoxState): string => asked.at(-1) ?? value

/** Whether the text has changed since the last search. */
export const hasUnsentSearchText = (typed: SearchBoxState): boolean => typed.text.trim() !== latestOf(typed)

export const markSearchTextSent = (typed: SearchBoxState): SearchBoxState =>
  hasUnsentSearchText(typed) ? { ...typed, asked: [...typed.asked, typed.text.trim()] } : typed

/**
 * Handles a new search text in the address. If it was sent by this box, the box keeps its text, as more may have been
 * typed since. Any other search text, for example after going back, replaces it.
 */
export function receiveSearchText(typed: SearchBoxState, value: string): SearchBoxState {
  const at = typed.asked.indexOf(value)
  return at < 0 ? createSearchBoxState(value) : { ...typed, value, asked: typed.asked.slice(at + 1) }
}
