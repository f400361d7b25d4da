import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, callApi, type QueryParams, queryString } from '#web/api/client.ts'
import { takeCompletedPrefetch } from '#web/api/early-requests.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { staff } from '../staff/staff.ts'
import { contact, note } from './contact.ts'

interface NamedRecord {
  readonly '@id': string
  readonly id: number
  readonly name: string
}

export type StaffRecord = RecordOf<typeof staff>

export type LeadRecord = RecordOf<typeof contact>

export interface TimelineNote extends Omit<RecordOf<typeof note>, 'user' | 'lastResult'> {
  readonly user: (NamedRecord & { readonly username: string }) | null
  readonly lastResult: { readonly id: number; readonly text: string } | null
}

/** A lead with its latest notes, as returned with a lease or an outcome. */
export interface LeadWithNotes extends Omit<LeadRecord, 'actions'> {
  readonly actions: readonly TimelineNote[]
}

export const leadsQueryOptions = (params: QueryParams) =>
  queryOptions({
    queryKey: [contact.url, 'list', params] as const,
    ...urlQueryOptions<Collection<LeadRecord>>(`${contact.url}${queryString(params)}`),
  })

export const leadQueryOptions = (id: number) =>
  queryOptions({
    queryKey: [contact.url, 'one', String(id)] as const,
    ...urlQueryOptions<LeadRecord>(`${contact.url}/${id}`),
  })

const notesUrl = (id: number) => `${contact.url}/${id}/actions?itemsPerPage=100`

export const leadNotesQueryOptions = (id: number) =>
  queryOptions({
    queryKey: [note.url, 'of', id] as const,
    queryFn: async ({ signal }) =>
      (await callApi<Collection<TimelineNote>>('GET', notesUrl(id), undefined, { signal }))['hydra:member'],
    initialData: () => takeCompletedPrefetch<Collection<TimelineNote>>(notesUrl(id))?.['hydra:member'],
  })

export const NOTES_PAGE_SIZE = 100

/**
 * Returns the query for an older page of a lead's notes, from the second page onwards. The first page has its own
 * query, `leadNotesQueryOptions`.
 */
export const earlierNotesQueryOptions = (id: number, page: number) =>
  queryOptions({
    queryKey: [note.url, 'of', id, page] as const,
    queryFn: async ({ signal }) =>
      (await callApi<Collection<TimelineNote>>('GET', `${notesUrl(id)}&page=${page}`, undefined, { signal }))[
        'hydra:member'
      ],
  })

const COMPARED = ['companyName', 'companyNumber', 'phone', 'mobile', 'email'] as const
/** Field values that are compared to find duplicates. An empty value matches nothing. */
export type DuplicateCheckValues = Partial<Record<(typeof COMPARED)[number], string | null>>
const comparedOf = (values: DuplicateCheckValues) =>
  Object.fromEntries(COMPARED.map((k) => [k, (values[k] ?? '').trim()]))

export const hasComparableValues = (values: DuplicateCheckValues): boolean =>
  Object.values(comparedOf(values)).some(Boolean)

/** Returns the query string that finds possible duplicates. `id` excludes the lead itself. */
export const duplicatesQueryString = (values: DuplicateCheckValues, id: number | undefined): string =>
  queryString({ ...comparedOf(values), id })

export const duplicatesQueryOptions = (query: string) =>
  queryOptions({
    queryKey: [contact.url, 'dupes', query] as const,
    ...urlQueryOptions<
      Collection<LeadRecord & { same: readonly string[] }> & { elsewhere: readonly { same: readonly string[] }[] }
    >(`${contact.url}/dupes${query}`),
  })

export const leadCountsQueryOptions = (owner: QueryParams) =>
  queryOptions({
    queryKey: [contact.url, 'list', 'counts', owner] as const,
    ...urlQueryOptions<Record<string, number>>(`${contact.url}/counts${queryString(owner)}`),
    refetchInterval: 30_000,
  })

export const leadCountQueryOptions = (params: QueryParams) => {
  const url = `${contact.url}/count${queryString(params)}`
  return queryOptions({
    queryKey: [contact.url, 'list', 'counts', url] as const,
    queryFn: async ({ signal }) => (await callApi<{ count: number }>('GET', url, undefined, { signal })).count,
  })
}

export const staffQueryOptions = queryOptions({
  queryKey: [staff.url, 'list', 'all'] as const,
  ...urlQueryOptions<Collection<StaffRecord>>(`${staff.url}?pagination=false&retired=false`),
  staleTime: 10 * 60_000,
})

/** Returns the query for a short reference list, fetched without pagination. */
export const unpaginatedListQueryOptions = (url: string) =>
  queryOptions({
    queryKey: [url, 'list', 'all'] as const,
    ...urlQueryOptions<Collection<NamedRecord>>(`${url}?pagination=false&retired=false`),
    staleTime: 10 * 60_000,
  })

/** Maximum number of notes sent with a lead. If a lead has this many, all its notes are fetched separately. */
const TRAVELLING = 30

/** Caches a fetched lead, so that its screen opens without delay. */
export function cacheLead(queries: QueryClient, { actions, ...lead }: LeadWithNotes): void {
  queries.setQueryData(leadQueryOptions(lead.id).queryKey, { ...lead, actions: `${contact.url}/${lead.id}/actions` })
  const { queryKey } = leadNotesQueryOptions(lead.id)
  if (actions.length < TRAVELLING || !queries.getQueryData(queryKey)) queries.setQueryData(queryKey, [...actions])
  if (actions.length >= TRAVELLING) void queries.invalidateQueries({ queryKey })
}

export function prefetchLead(queries: QueryClient, id: number): void {
  void queries.prefetchQuery(leadQueryOptions(id))
  void queries.prefetchQuery(leadNotesQueryOptions(id))
}

/** Finds a lead in the cached lists. */
export function findListedLead(queries: QueryClient, id: number): LeadRecord | undefined {
  for (const [key, page] of queries.getQueriesData<Collection<LeadRecord>>({ queryKey: [contact.url, 'list'] }))
    if (key[2] !== 'counts') {
      const found = page?.['hydra:member']?.find((l) => l.id === id)
      if (found) return found
    }
  return undefined
}

/** Removes a lead from the cached lists. The lists are refetched when they are next shown. */
export async function removeLeadFromCachedLists(queries: QueryClient, id: number): Promise<void> {
  queries.setQueriesData<Collection<LeadRecord>>(
    { queryKey: [contact.url, 'list'], predicate: (q) => q.queryKey[2] !== 'counts' },
    (page) => page?.['hydra:member'] && { ...page, 'hydra:member': page['hydra:member'].filter((l) => l.id !== id) },
  )
  await refreshLeadLists(queries)
}

export const refreshLeadLists = (queries: QueryClient) => queries.invalidateQueries({ queryKey: [contact.url, 'list'] })

/**
 * Returns a display name for a lead: the company's name, or else the person's name, the telephone number or the lead's
 * ID.
 */
export const formatLeadName = (l: Pick<LeadRecord, 'companyName' | 'name' | 'phone' | 'id'>): string =>
  l.companyName?.trim() || l.name?.trim() || l.phone || `Lead ${l.id}`

interface Locked {
  readonly locked: readonly { readonly number: string; readonly why: string }[]
}

/**
 * Returns, for each locked number of a lead and its people, the reason why it must be screened before it is called. Empty if the
 * provider does not screen numbers.
 */
export function useLockedNumbers(lead: number, enabled: boolean): ReadonlyMap<string, string> {
  const found = useQuery({
    queryKey: [contact.url, 'locked', lead] as const,
    queryFn: ({ signal }) => callApi<Locked>('GET', `${contact.url}/${lead}/locked-numbers`, undefined, { signal }),
    enabled,
    staleTime: 60_000,
  }).data
  return new Map(found?.locked.map((l) => [l.number, l.why]))
}
