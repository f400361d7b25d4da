/**
 * State of a search box that searches after a pause in typing: its text, and the search texts that are not in the URL
 * yet.
 */
export interface SearchBoxState {
  readonly text: string
  /** Search text that is currently in the URL. */
  readonly value: string
  /** Search texts that were sent later and are not in the URL yet. */
  readonly asked: readonly string[]
}

export const createSearchBoxState = (value: string): SearchBoxState => ({ text: value, value, asked: [] })

/** Returns the latest search text: the last one sent, or otherwise the one in the URL. */
const latestOf = ({ value, asked }: SearchBoxState): string => asked.at(-1) ?? value

/** Returns true if the text has changed since the last search. */
export const hasUnsentSearchText = (typed: SearchBoxState): boolean => typed.text.trim() !== latestOf(typed)

export const markSearchTextSent = (typed: SearchBoxState): SearchBoxState =>
  hasUnsentSearchText(typed) ? { ...typed, asked: [...typed.asked, typed.text.trim()] } : typed

/**
 * Handles a changed search text in the URL. If this box sent the text, the box keeps its own text, because the person
 * may have typed more since. Any other search text, for example after going back, replaces the box's text.
 */
export function receiveSearchText(typed: SearchBoxState, value: string): SearchBoxState {
  const at = typed.asked.indexOf(value)
  return at < 0 ? createSearchBoxState(value) : { ...typed, value, asked: typed.asked.slice(at + 1) }
}

/** Path of the page that is open or being opened, `undefined` before the first navigation. */
let openingPath: string | undefined
/**
 * Stores the path of the page that is open or being opened. The router calls this function at once, whereas a component
 * may learn of a navigation only after it has been rendered again.
 */
export function trackOpeningPath(path: string): void {
  openingPath = path
}
/** Returns true if another page is being opened. A search at that moment would navigate back to the list at `path`. */
export const isLeavingPage = (path: string): boolean => openingPath !== undefined && openingPath !== path
