/** A field whose words are asked for after a pause: what stands in it, and what has come of what was asked for before. */
export interface SearchInput {
  readonly text: string
  /** What is being searched for, as last heard. */
  readonly value: string
  /** What was asked for since, and has not been heard yet. */
  readonly asked: readonly string[]
}

export const searchInputOf = (value: string): SearchInput => ({ text: value, value, asked: [] })

/** What is searched for, or will be as soon as it is heard. */
const latestOf = ({ value, asked }: SearchInput): string => asked.at(-1) ?? value

/** Is there something that has not been asked for yet? */
export const hasUnsentText = (typed: SearchInput): boolean => typed.text.trim() !== latestOf(typed)

export const markSent = (typed: SearchInput): SearchInput =>
  hasUnsentText(typed) ? { ...typed, asked: [...typed.asked, typed.text.trim()] } : typed

/**
 * Another search is on. The one that was asked for here leaves what stands in the field, where more may have been typed since; any
 * other, as by going back, takes its place.
 */
export function receiveValue(typed: SearchInput, value: string): SearchInput {
  const at = typed.asked.indexOf(value)
  return at < 0 ? searchInputOf(value) : { ...typed, value, asked: typed.asked.slice(at + 1) }
}
