import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { useStoredList } from '#web/offline/cache/stored-list.ts'
import { chosenBy } from './decide.ts'
import { callOutcome } from './outcome.ts'

/** An outcome of calls, as the API sends it. */
export type Outcome = RecordOf<typeof callOutcome>

/** All outcomes and results, by their codes; none until they are there. */
export function useOutcomes(): ReadonlyMap<number, Outcome> {
  const { data } = useStoredList(callOutcome)
  return new Map(data?.['hydra:member'].map((row) => [row.id, row]))
}

/**
 * The outcomes that the keys of a screen choose: as they were when it was opened, for no key comes to mean something else beneath a
 * finger. `renewed`: somebody has just been told that one is another now.
 */
export function useKeys(renewed: boolean) {
  const list = useStoredList(callOutcome)
  const here = list.data?.['hydra:member']
  // What the browser has kept since another day is asked for anew first.
  const isSure = list.dataUpdatedAt > 0
  const [steady, setSteady] = useState(isSure ? here : undefined)
  if (here && isSure && here !== steady && (renewed || !steady)) setSteady(here)
  return { keys: chosenBy(steady ?? here ?? []), error: here ? null : list.error, retry: () => void list.refetch() }
}
