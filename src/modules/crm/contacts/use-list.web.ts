import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { useMe } from '#web/api/me.ts'
import { useNow } from '#web/dates/use-now.ts'
import { lastList } from './list-place.web.ts'
import { apiParams, type ListState, readState, START, writeState } from './list-state.web.ts'

/** The list state from the URL; a URL without a query restores the last state. */
export function useListState() {
  const [query, setQuery] = useSearchParams()
  const bare = query.toString() === ''
  const restored = bare ? lastList.get() : ''
  const state = readState(restored ? new URLSearchParams(restored) : query)
  const from = writeState(state)
  const lasting = writeState({ ...state, q: '', page: state.q ? 1 : state.page })
  useEffect(() => {
    if (restored) setQuery(restored, { replace: true, preventScrollReset: true })
    else lastList.set(lasting)
  }, [restored, lasting, setQuery])
  const change = useCallback(
    (change: Partial<ListState>, replace = false) => {
      const next = writeState({ ...state, page: 1, ...change })
      setQuery(next, { replace, preventScrollReset: !('page' in change) })
    },
    [state, setQuery],
  )
  const clear = useCallback(() => change(START), [change])
  return { state, from, change, clear }
}

/** API parameters for a list, from the query of its URL. */
export function useListParams(from: string) {
  const me = useMe()
  const now = useNow()
  const state = readState(new URLSearchParams(from))
  return { state, params: apiParams(state, me.id, now) }
}
