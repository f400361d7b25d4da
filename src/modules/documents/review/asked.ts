/** Reasons that are kept of one document: the last of them. */
const MOST = 8

interface Standing {
  readonly reviewDue: string | null
  readonly reviewAsked: string | null
}

/** The reasons for which the review of a document was asked for. */
export const reasonsOf = ({ reviewAsked }: Pick<Standing, 'reviewAsked'>): string[] =>
  (reviewAsked ?? '').split('\n').filter(Boolean)

/**
 * What changes of a document in force whose review is asked for: it is due from today, or stays due, and says why. Nothing where it was asked
 * for this reason already.
 */
export function reviewAskedFor(row: Standing, reason: string, today: string) {
  const reasons = reasonsOf(row)
  const said = reason.replace(/\s+/g, ' ').trim()
  if (reasons.includes(said)) return undefined
  return {
    reviewed: false,
    reviewAsked: [...reasons, said].slice(-MOST).join('\n'),
    ...(row.reviewDue && row.reviewDue <= today ? {} : { reviewDue: today }),
  }
}
