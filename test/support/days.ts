const today = () => Temporal.Now.plainDateISO('Europe/London')

/** The day so many days from today, in London: `2026-02-28`. */
export const inDays = (days: number): string => today().add({ days }).toString()

/** The day so many days ago, in London. */
export const daysAgo = (days: number): string => inDays(-days)
