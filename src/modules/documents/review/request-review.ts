/** Maximum number of reasons stored per document. Only the latest reasons are stored. */
const MAX_REASONS = 8

interface ReviewState {
  readonly reviewDue: string | null
  readonly reviewAsked: string | null
}

export const reviewReasons = ({ reviewAsked }: Pick<ReviewState, 'reviewAsked'>): string[] =>
  (reviewAsked ?? '').split('\n').filter(Boolean)

/**
 * Returns the changes to a document in force when a review is requested: the reason is added, and the review is due
 * today unless it is already overdue. Returns undefined if this reason is already stored.
 */
export function reviewRequestValues(row: ReviewState, reason: string, today: string) {
  const reasons = reviewReasons(row)
  const said = reason.replace(/\s+/g, ' ').trim()
  if (reasons.includes(said)) return undefined
  return {
    reviewed: false,
    reviewAsked: [...reasons, said].slice(-MAX_REASONS).join('\n'),
    ...(row.reviewDue && row.reviewDue <= today ? {} : { reviewDue: today }),
  }
}
