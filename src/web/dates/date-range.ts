/** First and last day as ISO dates: `2026-02-28`. */
export interface DateRange {
  readonly start: string | null
  readonly end: string | null
}
