import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { useMe } from '#web/api/me.ts'
import { useNow } from '#web/dates/use-now.ts'
import {
  DEFAULT_LEAD_LIST,
  type LeadListState,
  leadListParams,
  parseLeadListState,
  serialiseLeadListState,
} from './list-state.web.ts'

/** Leads that have been dealt with since the page was loaded. The record pager skips them. */
const done = new Set<number>()

export const leadsDealtWith = {
  has: (id: number) => done.has(id),
  add: (id: number) => void done.add(id),
  undo: (id: number) => void done.delete(id),
}

/** Returns the list state from the URL. A URL without a query, as in the menu, has no filters. */
export function useLeadListState() {
  const [query, setQuery] = useSearchParams()
  const state = parseLeadListState(query)
  const from = serialiseLeadListState(state)
  const change = useCallback(
    (change: Partial<LeadListState>, replace = false) => {
      const next = serialiseLeadListState({ ...state, page: 1, ...change })
      setQuery(next, { replace, preventScrollReset: !('page' in change) })
    },
    [state, setQuery],
  )
  const clear = useCallback(() => change(DEFAULT_LEAD_LIST), [change])
  return { state, from, change, clear }
}

/** Returns a list's API parameters, derived from the query in its URL. */
export function useLeadListParams(from: string) {
  const me = useMe()
  const now = useNow()
  const state = parseLeadListState(new URLSearchParams(from))
  return { state, params: leadListParams(state, me.id, now) }
}
