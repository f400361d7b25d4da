const today = () => Temporal.Now.plainDateISO('Europe/London')

/** Returns the London date this many days from today, such as `2026-02-28`. */
export const inDays = (days: number): string => today().add({ days }).toString()

export const daysAgo = (days: number): string => inDays(-days)
