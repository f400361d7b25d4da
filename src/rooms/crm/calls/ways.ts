import { isCall, OUTCOMES, type Outcome, QUOTE_SENT } from '../contacts/outcomes.ts'

type Way = Outcome['meaning']

/** How calls end, from the best: what it means for the sale, in words. */
export const WAYS: readonly { readonly way: Way; readonly label: string }[] = [
  { way: 'forward', label: 'Going forward' },
  { way: 'later', label: 'Later' },
  { way: 'away', label: 'Lost' },
]

/** The results of calls that end in this way. */
export const resultsOf = (way: Way): number[] =>
  [...OUTCOMES.map((o) => o.result), QUOTE_SENT].filter((result) => isCall(result) && wayOf(result) === way)

export const wayOf = (result: number): Way | undefined =>
  result === QUOTE_SENT ? 'forward' : OUTCOMES.find((o) => o.result === result)?.meaning
