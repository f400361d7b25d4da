import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { call, type Params, queryString } from '#web/api/client.ts'
import { standing } from '#web/shell/standing.ts'
import { contact } from '../contacts/contact.ts'
import { type Fetched, isComparable, keepLead, sameOptions, sameQuery } from '../contacts/data.web.ts'
import { outcomeStates } from './outcome-states.web.ts'
import { leases } from './use-lease.web.ts'

/** Leases the next lead of the call queue, with the list's filters and order; `besides` is the current lead. */
export async function takeNext(queries: QueryClient, params: Params, besides?: number): Promise<Fetched | null> {
  const { next } = await call<{ next: Fetched | null }>(
    'GET',
    `${contact.url}/next${queryString(besides === undefined ? params : { ...params, after: besides })}`,
  )
  if (!next) return null
  keepLead(queries, next)
  leases.taken(next.id)
  return next
}

const peopleAhead = async (queries: QueryClient, id: number) =>
  queries.prefetchQuery((await import('../people/data.web.ts')).peopleOptions(id))

const LOOK_MS = 30_000

interface Setting {
  /** The current lead. */
  readonly id: number
  /** The call is likely to end soon. */
  readonly wanted: boolean
  readonly params: Params
}

/** Leases the next lead during the call, so that it opens without delay; released on leaving. */
export function useNextLead({ id, wanted, params }: Setting) {
  const queries = useQueryClient()
  const taken = useRef<Fetched>(undefined)
  const take = useEffectEvent(async (isHere: () => boolean) => {
    const former = taken.current
    if (former && leases.isYoung(former.id)) return
    const next = await takeNext(queries, params, id).catch(() => null)
    if (former && former.id !== next?.id) leases.giveBack(former.id)
    if (!isHere()) {
      if (next) leases.giveBack(next.id)
      return
    }
    taken.current = next ?? undefined
    if (next?.others) void peopleAhead(queries, next.id)
    if (next && isComparable(next)) void queries.prefetchQuery(sameOptions(sameQuery(next, next.id)))
  })
  useEffect(() => {
    if (!wanted) return undefined
    let here = true
    const look = () => {
      if (here && outcomeStates.of(id).kind === 'idle') void take(() => here)
    }
    void Promise.all([standing, outcomeStates.answered()]).then(look)
    const timer = setInterval(look, LOOK_MS)
    return () => {
      here = false
      clearInterval(timer)
      if (taken.current) leases.giveBack(taken.current.id)
      taken.current = undefined
    }
  }, [id, wanted])
  return () => (taken.current && leases.isYoung(taken.current.id) ? taken.current : undefined)
}
