import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { useMe } from '#web/api/me.ts'
import { useNow } from '#web/dates/use-now.ts'
import { lastLeadList } from './last-lead-list.web.ts'
import {
  DEFAULT_LEAD_LIST,
  type LeadListState,
  leadListParams,
  readLeadListState,
  writeLeadListState,
} from './list-state.web.ts'

/** The list state from the URL; a URL without a query restores the last state. */
export function useLeadListState() {
  const [query, setQuery] = useSearchParams()
  const bare = query.toString() === ''
  const restored = bare ? lastLeadList.get() : ''
  const state = readLeadListState(restored ? new URLSearchParams(restored) : query)
  const from = writeLeadListState(state)
  const lasting = writeLeadListState({ ...state, q: '', page: state.q ? 1 : state.page })
  useEffect(() => {
    if (restored) setQuery(restored, { replace: true, preventScrollReset: true })
    else lastLeadList.set(lasting)
  }, [restored, lasting, setQuery])
  const change = useCallback(
    (change: Partial<LeadListState>, replace = false) => {
      const next = writeLeadListState({ ...state, page: 1, ...change })
      setQuery(next, { replace, preventScrollReset: !('page' in change) })
    },
    [state, setQuery],
  )
  const clear = useCallback(() => change(DEFAULT_LEAD_LIST), [change])
  return { state, from, change, clear }
}

/** API parameters of a list, from the query of its URL. */
export function useLeadListParams(from: string) {
  const me = useMe()
  const now = useNow()
  const state = readLeadListState(new URLSearchParams(from))
  return { state, params: leadListParams(state, me.id, now) }
}
