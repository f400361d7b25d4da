import type { QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { QueryParams } from '#web/api/client.ts'
import { callApi, queryString } from '#web/api/client.ts'
import { storeListPosition } from '#web/lists/pager/list-position.ts'
import { firstScreenReady } from '#web/shell/first-screen.ts'
import { useShortcuts } from '#web/ui/keys/shortcuts.ts'
import { toast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import {
  cacheLead,
  duplicatesQueryOptions,
  duplicatesQueryString,
  hasComparableValues,
  type LeadWithNotes,
} from '../contacts/data.web.ts'
import { LEAD_LIST_PATH, leadListQueryString } from '../contacts/list-state.web.ts'
import { outcomeStates } from './outcome-states.web.ts'
import { leadLeases } from './use-lease.web.ts'

/**
 * Leases the next lead in the call queue, using the filters and order of the list. Excludes `besides`, the current
 * lead.
 */
async function leaseNextLead(
  queries: QueryClient,
  params: QueryParams,
  besides?: number,
): Promise<LeadWithNotes | null> {
  const { next } = await callApi<{ next: LeadWithNotes | null }>(
    'GET',
    `${contact.url}/next${queryString(besides === undefined ? params : { ...params, after: besides })}`,
  )
  if (!next) return null
  cacheLead(queries, next)
  leadLeases.taken(next.id)
  return next
}

const peopleAhead = async (queries: QueryClient, id: number) =>
  queries.prefetchQuery((await import('../people/data.web.ts')).leadPeopleQueryOptions(id))

const LOOK_MS = 30_000

interface Setting {
  /** ID of the current lead. */
  readonly id: number
  /** Whether to lease the next lead now; true when the call is likely to end soon. */
  readonly wanted: boolean
  readonly params: QueryParams
}

/**
 * Leases the next lead during the call, so that it opens without delay. Releases the lease when the user leaves the
 * screen.
 */
export function useLeasedNextLead({ id, wanted, params }: Setting) {
  const queries = useQueryClient()
  const taken = useRef<LeadWithNotes>(undefined)
  const take = useEffectEvent(async (isHere: () => boolean) => {
    const former = taken.current
    if (former && leadLeases.isYoung(former.id)) return
    const next = await leaseNextLead(queries, params, id).catch(() => null)
    if (former && former.id !== next?.id) leadLeases.giveBack(former.id)
    if (!isHere()) {
      if (next) leadLeases.giveBack(next.id)
      return
    }
    taken.current = next ?? undefined
    if (next?.others) void peopleAhead(queries, next.id)
    if (next && hasComparableValues(next))
      void queries.prefetchQuery(duplicatesQueryOptions(duplicatesQueryString(next, next.id)))
  })
  useEffect(() => {
    if (!wanted) return undefined
    let here = true
    const look = () => {
      if (here && outcomeStates.of(id).kind === 'idle') void take(() => here)
    }
    void Promise.all([firstScreenReady, outcomeStates.answered()]).then(look)
    const timer = setInterval(look, LOOK_MS)
    return () => {
      here = false
      clearInterval(timer)
      if (taken.current) leadLeases.giveBack(taken.current.id)
      taken.current = undefined
    }
  }, [id, wanted])
  return () => (taken.current && leadLeases.isYoung(taken.current.id) ? taken.current : undefined)
}

export const leadViewPath = (id: number): string => `/crm/contact/view/${id}`

/**
 * Returns the path of the sale screen for a lead. The unsaved call notes are retained, and calling can continue from
 * the sale screen with the same query.
 */
export const leadSalePath = (id: number, search: string): string => `/crm/contact/sale/${id}${search}`

/** Navigation state that lets the user leave without an unsaved-changes warning. */
export const SKIP_UNSAVED_WARNING_STATE = { settled: true }

/** Returns the path of a lead's screen. The query contains the list from which the lead was opened. */
export const leadPathFromList = (id: number, from: string, calling = false) =>
  `${leadViewPath(id)}?from=${encodeURIComponent(from)}${calling ? '&calling=1' : ''}`

/**
 * Returns a function that leases the next lead in the call queue, using the filters and order of the list, and opens
 * it. Excludes `besides`, the lead just dealt with.
 */
export function useStartCalling(from: string, params: QueryParams, besides?: number) {
  const [busy, setBusy] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const start = async () => {
    if (busy) return
    setBusy(true)
    try {
      const next = await leaseNextLead(queries, params, besides)
      if (next) {
        storeListPosition(LEAD_LIST_PATH, {
          search: leadListQueryString(from),
          row: String(next.id),
          scroll: window.scrollY,
        })
        await navigate(leadPathFromList(next.id, from, true))
      } else toast.info('No lead in this list is due for a call at the moment.', 'safe')
    } catch (e) {
      toast.failed(e, () => void start())
    }
    setBusy(false)
  }
  useShortcuts([{ keys: 'c', label: 'Start calling', run: () => void start() }])
  return { busy, start: () => void start() }
}
