let made: number | undefined

/** Remembers the quote just saved for the first time: its form is remounted and restores the focus. */
export const firstSavedQuote = {
  of: (id: number): void => {
    made = id
  },
  /** True once for this quote. */
  take: (id: number): boolean => {
    const isIt = made === id
    if (isIt) made = undefined
    return isIt
  },
}
