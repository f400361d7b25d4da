import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { can } from '#kernel/can.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { type Collection, callApi, type QueryParams, queryString } from '../../api/client.ts'
import { useActor } from '../../api/me.ts'
import { type SearchGroup, SearchGroupsContext } from '../manifest/search.ts'

export interface ClientSearchResult {
  readonly id: number
  readonly company: string
  readonly city: string | null
  readonly contactname: string | null
}

const SHORTEST = 2
const EACH = 5

const searchOptions = <T>(url: string, params: QueryParams) => ({
  queryKey: [url, 'search', params],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    callApi<Collection<T>>('GET', `${url}${queryString({ ...params, partial: true })}`, undefined, { signal }),
})

/** Finds clients by part of their name. If no name is given, returns the first clients. */
export function useClientSearch(company: string, enabled = true, most = 20) {
  const q = useQuery({
    ...searchOptions<ClientSearchResult>('/api/portal/clients', { company, retired: false, itemsPerPage: most }),
    placeholderData: keepPreviousData,
    enabled,
  })
  return { rows: enabled ? (q.data?.['hydra:member'] ?? []) : [], busy: enabled && q.isFetching }
}

/** Matching records of one type. */
interface FoundGroup {
  readonly kind: SearchGroup
  readonly rows: readonly RecordOf<Resource>[]
  readonly pending: boolean
}

/**
 * Searches all records that the user may read. All groups are searched in parallel and shown from the top down. Earlier
 * results stay on screen until the first response. A group whose search fails has no results.
 */
export function useRecordSearch(asked: string) {
  const actor = useActor()
  const long = asked.length >= SHORTEST
  const load = useContext(SearchGroupsContext)
  const finds = useQuery({
    queryKey: ['finds'],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const kinds = (finds.data ?? []).filter((k) => long && can(actor, 'read', k.resource))
  const groups = useQueries({
    queries: kinds.map((k) =>
      searchOptions<RecordOf<Resource>>(k.resource.url, { q: asked, itemsPerPage: EACH, ...k.params?.(actor) }),
    ),
    // The same object is returned until a response changes it.
    combine: (answers) =>
      kinds.map((kind, n): FoundGroup => {
        const answer = answers[n]
        return { kind, rows: answer?.data?.['hydra:member'] ?? [], pending: answer?.isPending ?? true }
      }),
  })
  const [before, keep] = useState(groups)
  const waiting = groups.length > 0 && groups[0]?.pending === true
  if (!waiting && before !== groups) keep(groups)
  const there = paletteGroupsBeforePending(groups)
  return {
    groups: waiting ? paletteGroupsBeforePending(before) : there,
    searching: (long && finds.isPending) || there.length < groups.length,
  }
}

/** Group of the command palette. `pending` is true until its response has arrived. */
export interface PaletteGroup {
  readonly pending: boolean
}

/**
 * Returns the groups above the first pending group. The groups below it are withheld, because a slower response would
 * move them.
 */
export function paletteGroupsBeforePending<G extends PaletteGroup>(groups: readonly G[]): readonly G[] {
  const awaited = groups.findIndex((g) => g.pending)
  return awaited < 0 ? groups : groups.slice(0, awaited)
}
