import { OUTCOMES, type Outcome, SKIPPED } from '../contacts/outcomes.ts'

type Way = Outcome['meaning']

/** How calls end, from the best: what it means for the sale, in words. */
export const WAYS: readonly { readonly way: Way; readonly label: string }[] = [
  { way: 'forward', label: 'Going forward' },
  { way: 'later', label: 'Later' },
  { way: 'away', label: 'Lost' },
]

/** The results of calls that end in this way. */
export const resultsOf = (way: Way): number[] =>
  OUTCOMES.filter((o) => o.meaning === way && o.result !== SKIPPED).map((o) => o.result)

export const wayOf = (result: number): Way | undefined => OUTCOMES.find((o) => o.result === result)?.meaning
