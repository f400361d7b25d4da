import type { RowOf } from '#kernel/resource.ts'
import type { callOutcome } from '../outcomes/outcome.ts'

export type OutcomeMeaning = RowOf<typeof callOutcome>['meaning']

/** Meanings of outcomes for the sale, with labels, best first. */
export const OUTCOME_MEANINGS: readonly { readonly way: OutcomeMeaning; readonly label: string }[] = [
  { way: 'forward', label: 'Progressed' },
  { way: 'later', label: 'Later' },
  { way: 'away', label: 'Lost' },
]
