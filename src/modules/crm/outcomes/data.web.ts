import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { useStoredList } from '#web/offline/cache/stored-list.ts'
import { outcomesWithKeys } from './decide.ts'
import { callOutcome } from './outcome.ts'

export type OutcomeRecord = RecordOf<typeof callOutcome>

/** All outcomes and results by code; empty until loaded. */
export function useOutcomes(): ReadonlyMap<number, OutcomeRecord> {
  const { data } = useStoredList(callOutcome)
  return new Map(data?.['hydra:member'].map((row) => [row.id, row]))
}

/**
 * The outcomes behind the keys of a screen, as of its opening, so that no key changes its meaning while it is pressed.
 * `renewed`: the user has just been told of a change.
 */
export function useOutcomeKeys(renewed: boolean) {
  const list = useStoredList(callOutcome)
  const here = list.data?.['hydra:member']
  // A cache from another day is refetched first.
  const isSure = list.dataUpdatedAt > 0
  const [steady, setSteady] = useState(isSure ? here : undefined)
  if (here && isSure && here !== steady && (renewed || !steady)) setSteady(here)
  return {
    keys: outcomesWithKeys(steady ?? here ?? []),
    error: here ? null : list.error,
    retry: () => void list.refetch(),
  }
}
