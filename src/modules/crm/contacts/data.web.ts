import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, call, type Params, queryString } from '#web/api/client.ts'
import { takeArrived } from '#web/api/early.ts'
import { reading } from '#web/api/reading.ts'
import { staff } from '../staff/staff.ts'
import { contact } from './contact.ts'
import { note } from './note.ts'

interface Named {
  readonly '@id': string
  readonly id: number
  readonly name: string
}

export type Staff = RecordOf<typeof staff>

export type Lead = RecordOf<typeof contact>

/** A note in a lead's timeline. */
export interface Note extends Omit<RecordOf<typeof note>, 'user' | 'lastResult'> {
  readonly user: (Named & { readonly username: string }) | null
  readonly lastResult: { readonly id: number; readonly text: string } | null
}

/** A lead with its latest notes, as returned with a lease or an outcome. */
export interface Fetched extends Omit<Lead, 'actions'> {
  readonly actions: readonly Note[]
}

export const leadsOptions = (params: Params) =>
  queryOptions({
    queryKey: [contact.url, 'list', params] as const,
    ...reading<Collection<Lead>>(`${contact.url}${queryString(params)}`),
  })

export const leadOptions = (id: number) =>
  queryOptions({
    queryKey: [contact.url, 'one', String(id)] as const,
    ...reading<Lead>(`${contact.url}/${id}`),
  })

const notesUrl = (id: number) => `${contact.url}/${id}/actions?itemsPerPage=100`

export const notesOptions = (id: number) =>
  queryOptions({
    queryKey: [note.url, 'of', id] as const,
    queryFn: async ({ signal }) =>
      (await call<Collection<Note>>('GET', notesUrl(id), undefined, { signal }))['hydra:member'],
    initialData: () => takeArrived<Collection<Note>>(notesUrl(id))?.['hydra:member'],
  })

/** Notes per page; the first page comes with the lead. */
export const NOTES_PAGE = 100

/** An older page of a lead's notes, from the second on. */
export const earlierNotesOptions = (id: number, page: number) =>
  queryOptions({
    queryKey: [note.url, 'of', id, page] as const,
    queryFn: async ({ signal }) =>
      (await call<Collection<Note>>('GET', `${notesUrl(id)}&page=${page}`, undefined, { signal }))['hydra:member'],
  })

const COMPARED = ['companyName', 'companyNumber', 'phone', 'mobile', 'email'] as const
/** Fields by which duplicates are found; an empty value matches nothing. */
export type Compared = Partial<Record<(typeof COMPARED)[number], string | null>>
const comparedOf = (values: Compared) => Object.fromEntries(COMPARED.map((k) => [k, (values[k] ?? '').trim()]))

export const isComparable = (values: Compared): boolean => Object.values(comparedOf(values)).some(Boolean)

/** Query for possible duplicates; `id` excludes the lead itself. */
export const sameQuery = (values: Compared, id: number | undefined): string =>
  queryString({ ...comparedOf(values), id })

export const sameOptions = (query: string) =>
  queryOptions({
    queryKey: [contact.url, 'dupes', query] as const,
    ...reading<Collection<Lead & { same: readonly string[] }> & { elsewhere: readonly { same: readonly string[] }[] }>(
      `${contact.url}/dupes${query}`,
    ),
  })

export const countsOptions = (owner: Params) =>
  queryOptions({
    queryKey: [contact.url, 'list', 'counts', owner] as const,
    ...reading<Record<string, number>>(`${contact.url}/counts${queryString(owner)}`),
    refetchInterval: 30_000,
  })

/** Number of leads that match. */
export const foundOptions = (params: Params) => {
  const url = `${contact.url}/count${queryString(params)}`
  return queryOptions({
    queryKey: [contact.url, 'list', 'counts', url] as const,
    queryFn: async ({ signal }) => (await call<{ count: number }>('GET', url, undefined, { signal })).count,
  })
}

export const staffOptions = queryOptions({
  queryKey: [staff.url, 'list', 'all'] as const,
  ...reading<Collection<Staff>>(`${staff.url}?pagination=false&retired=false`),
  staleTime: 10 * 60_000,
})

/** A short reference list, unpaginated. */
export const wholeOptions = (url: string) =>
  queryOptions({
    queryKey: [url, 'list', 'all'] as const,
    ...reading<Collection<Named>>(`${url}?pagination=false&retired=false`),
    staleTime: 10 * 60_000,
  })

/** Notes that come with a lead; a longer history is fetched separately. */
const TRAVELLING = 30

/** Caches a fetched lead, so that its screen opens at once. */
export function keepLead(queries: QueryClient, { actions, ...lead }: Fetched): void {
  queries.setQueryData(leadOptions(lead.id).queryKey, { ...lead, actions: `${contact.url}/${lead.id}/actions` })
  const { queryKey } = notesOptions(lead.id)
  if (actions.length < TRAVELLING || !queries.getQueryData(queryKey)) queries.setQueryData(queryKey, [...actions])
  if (actions.length >= TRAVELLING) void queries.invalidateQueries({ queryKey })
}

export function prefetchLead(queries: QueryClient, id: number): void {
  void queries.prefetchQuery(leadOptions(id))
  void queries.prefetchQuery(notesOptions(id))
}

/** A lead from a list in the cache. */
export function listedLead(queries: QueryClient, id: number): Lead | undefined {
  for (const [key, page] of queries.getQueriesData<Collection<Lead>>({ queryKey: [contact.url, 'list'] }))
    if (key[2] !== 'counts') {
      const found = page?.['hydra:member']?.find((l) => l.id === id)
      if (found) return found
    }
  return undefined
}

/** Removes a lead from the cached lists; they are refetched when next shown. */
export async function removeFromLists(queries: QueryClient, id: number): Promise<void> {
  queries.setQueriesData<Collection<Lead>>(
    { queryKey: [contact.url, 'list'], predicate: (q) => q.queryKey[2] !== 'counts' },
    (page) => page?.['hydra:member'] && { ...page, 'hydra:member': page['hydra:member'].filter((l) => l.id !== id) },
  )
  await refreshLists(queries)
}

export const refreshLists = (queries: QueryClient) => queries.invalidateQueries({ queryKey: [contact.url, 'list'] })

/** Name of a lead: the company, or the person. */
export const leadName = (l: Pick<Lead, 'companyName' | 'name' | 'phone' | 'id'>): string =>
  l.companyName?.trim() || l.name?.trim() || l.phone || `Lead ${l.id}`
