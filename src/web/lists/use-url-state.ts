import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { changeState, readState, writeState } from './url-state.ts'

/**
 * A screen's filters, page and order, kept in the address: `const [state, set] = useUrlState(listSchema({…}))`.
 * `set({q: 'x'})` changes a part and begins at page 1; going to a page is a step that Back undoes, the rest is not.
 */
export function useUrlState<S extends z.ZodObject<z.ZodRawShape>>(
  schema: S,
  /** Every change is a step that Back undoes: for what opens something. */
  { steps = false } = {},
): readonly [z.infer<S>, (change: Partial<z.infer<S>>) => void] {
  const [search, setSearch] = useSearchParams()
  const text = search.toString()
  const state = useMemo(() => readState(schema, new URLSearchParams(text)), [schema, text])
  const set = useCallback(
    (change: Partial<z.infer<S>>) =>
      setSearch((now) => writeState(schema, now, changeState(readState(schema, now), change)), {
        replace: !steps && !('page' in change),
        preventScrollReset: !('page' in change),
      }),
    [schema, setSearch, steps],
  )
  return [state, set]
}
