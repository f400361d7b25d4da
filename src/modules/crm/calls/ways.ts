import type { RowOf } from '#kernel/resource.ts'
import type { callOutcome } from '../outcomes/outcome.ts'

export type Way = RowOf<typeof callOutcome>['meaning']

/** How calls end, from the best: what it means for the sale, in words. */
export const WAYS: readonly { readonly way: Way; readonly label: string }[] = [
  { way: 'forward', label: 'Going forward' },
  { way: 'later', label: 'Later' },
  { way: 'away', label: 'Lost' },
]
