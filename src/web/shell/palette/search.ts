import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { can } from '#kernel/can.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { matchesWordBeginnings, toSearchForm } from '#kernel/text/search.ts'
import { type Collection, callApi, type QueryParams, queryString } from '../../api/client.ts'
import { useActor } from '../../api/me.ts'
import { type SearchGroup, SearchGroupsContext } from '../manifest/search.ts'

/** Group of the command palette. `pending` is true until its response has arrived. */
export interface PaletteGroup {
  readonly pending: boolean
}

/**
 * Returns the groups above the first pending group. The groups below it are withheld, because a slower response would
 * move them.
 */
export function selectPaletteGroupsBeforePending<G extends PaletteGroup>(groups: readonly G[]): readonly G[] {
  const awaited = groups.findIndex((g) => g.pending)
  return awaited < 0 ? groups : groups.slice(0, awaited)
}

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
  const there = selectPaletteGroupsBeforePending(groups)
  return {
    groups: waiting ? selectPaletteGroupsBeforePending(before) : there,
    searching: (long && finds.isPending) || there.length < groups.length,
  }
}

interface SearchableLabels {
  readonly label: string
  readonly detail?: string
}

/**
 * Returns the items that match every word of the query. Items that begin with the query come first; otherwise the order
 * is unchanged.
 */
export const findMatchingItems = <C extends SearchableLabels>(query: string, choices: readonly C[]): C[] =>
  choices
    .filter((c) => matchesWordBeginnings(query, `${c.label} ${c.detail ?? ''}`))
    .sort((a, b) => Number(!begins(query, a)) - Number(!begins(query, b)))

const begins = (query: string, { label }: SearchableLabels) => toSearchForm(label).startsWith(toSearchForm(query))

/**
 * Returns the palette groups that need no server request. Without a query, the recently opened records come first. With
 * a query, they come last, and groups with an item that begins with the query come before all other groups.
 */
export function buildLocalPaletteGroups<C extends SearchableLabels>(
  query: string,
  { recent, here, actions, screens }: Readonly<Record<'recent' | 'here' | 'actions' | 'screens', readonly C[]>>,
): { label: string; choices: readonly C[] }[] {
  const groups = [
    { label: 'Recently opened', choices: recent },
    { label: 'On this page', choices: here },
    { label: 'Screens', choices: screens },
    { label: 'Actions', choices: actions },
  ]
  if (!query.trim()) return groups
  const rank = ({ choices: [first] }: { choices: readonly C[] }) => Number(!(first && begins(query, first)))
  return [...groups.slice(1), ...groups.slice(0, 1)].sort((a, b) => rank(a) - rank(b))
}
