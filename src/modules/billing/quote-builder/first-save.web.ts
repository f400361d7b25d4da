let made: number | undefined

/** The quote that was saved for the first time just now: its form is another one from then on, and has the focus where the former had it. */
export const firstSave = {
  of: (id: number): void => {
    made = id
  },
  /** Is it this one? Once. */
  take: (id: number): boolean => {
    const isIt = made === id
    if (isIt) made = undefined
    return isIt
  },
}
