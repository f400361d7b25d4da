import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { changeListState, readUrlState, writeUrlState } from './url-state.ts'

/**
 * Stores a screen's filters, page and order in the URL: `const [state, set] = useUrlState(listSchema({…}))`. `set({q:
 * 'x'})` changes part of the state and returns to page 1. A change of page adds a history entry; other changes do not.
 */
export function useUrlState<S extends z.ZodObject<z.ZodRawShape>>(
  schema: S,
  /** Whether every change adds a history entry. Use this for state that opens something. */
  { steps = false } = {},
): readonly [z.infer<S>, (change: Partial<z.infer<S>>) => void] {
  const [search, setSearch] = useSearchParams()
  const text = search.toString()
  const state = useMemo(() => readUrlState(schema, new URLSearchParams(text)), [schema, text])
  const set = useCallback(
    (change: Partial<z.infer<S>>) =>
      setSearch((now) => writeUrlState(schema, now, changeListState(readUrlState(schema, now), change)), {
        replace: !steps && !('page' in change),
        preventScrollReset: !('page' in change),
      }),
    [schema, setSearch, steps],
  )
  return [state, set]
}
