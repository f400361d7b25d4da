import type { RowOf } from '#kernel/resource.ts'
import type { callOutcome } from '../outcomes/outcome.ts'

export type Way = RowOf<typeof callOutcome>['meaning']

/** Meanings of outcomes for the sale, best first, with labels. */
export const WAYS: readonly { readonly way: Way; readonly label: string }[] = [
  { way: 'forward', label: 'Progressed' },
  { way: 'later', label: 'Later' },
  { way: 'away', label: 'Lost' },
]
