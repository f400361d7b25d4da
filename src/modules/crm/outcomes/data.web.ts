import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { useStoredList } from '#web/offline/cache/stored-list.ts'
import { outcomesWithKeys } from './decide.ts'
import { callOutcome } from './outcome.ts'

export type OutcomeRecord = RecordOf<typeof callOutcome>

/** Returns all outcomes and results by code; empty until they have loaded. */
export function useOutcomes(): ReadonlyMap<number, OutcomeRecord> {
  const { data } = useStoredList(callOutcome)
  return new Map(data?.['hydra:member'].map((row) => [row.id, row]))
}

/**
 * Returns the outcomes that have a shortcut key, as they were when the screen opened. A key therefore never changes its
 * meaning just as the user presses it. Set `renewed` once the user has seen a message about a change; the current
 * outcomes are then used.
 */
export function useOutcomeKeys(renewed: boolean) {
  const list = useStoredList(callOutcome)
  const here = list.data?.['hydra:member']
  // A list cached on another day is refetched before it is used.
  const isSure = list.dataUpdatedAt > 0
  const [steady, setSteady] = useState(isSure ? here : undefined)
  if (here && isSure && here !== steady && (renewed || !steady)) setSteady(here)
  return {
    keys: outcomesWithKeys(steady ?? here ?? []),
    error: here ? null : list.error,
    retry: () => void list.refetch(),
  }
}
