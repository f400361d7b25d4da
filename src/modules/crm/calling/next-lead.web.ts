import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { callApi, type QueryParams, queryString } from '#web/api/client.ts'
import { firstScreenReady } from '#web/shell/first-screen.ts'
import { contact } from '../contacts/contact.ts'
import {
  cacheLead,
  duplicatesOptions,
  duplicatesQueryString,
  hasComparableValues,
  type LeadWithNotes,
} from '../contacts/data.web.ts'
import { outcomeStates } from './outcome-states.web.ts'
import { leadLeases } from './use-lease.web.ts'

/**
 * Leases the next lead of the call queue, with the list's filters and order, other than `besides`, the current lead.
 */
export async function leaseNextLead(
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
  queries.prefetchQuery((await import('../people/data.web.ts')).leadPeopleOptions(id))

const LOOK_MS = 30_000

interface Setting {
  /** The current lead. */
  readonly id: number
  /** Whether to lease the next lead: the call is likely to end soon. */
  readonly wanted: boolean
  readonly params: QueryParams
}

/** Leases the next lead during the call, so that it opens without delay. Releases it when the screen is left. */
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
      void queries.prefetchQuery(duplicatesOptions(duplicatesQueryString(next, next.id)))
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
