import { queryOptions, useQuery } from '@tanstack/react-query'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { type Collection, callApi, queryString } from '../../api/client.ts'
import { takeCompletedPrefetch } from '../../api/early-requests.ts'
import { useMe } from '../../api/me.ts'
import { listQueryOptions } from '../../api/resources.ts'
import { session } from '../../api/session.ts'
import { deviceStorage } from '../browser-storage.ts'
import { ownerKeyOf } from '../owner.ts'

const PREFIX = 'stanchion-kept:'
const FRESH_MS = 10 * 60_000
const UNPAGED_QUERY = { pagination: false }
/** Storage keys of the lists whose prefetched responses arrived before the lists were rendered. */
const answeredEarly = new Set<string>()

session.subscribe(() => {
  const state = session.get()
  if (state.kind === 'out' && !state.expired) deviceStorage.removeAll(PREFIX)
})

/**
 * Reads a small list that seldom changes and that a page needs before its first rows, such as a person's list settings.
 * The browser stores the list for each person until they sign out, so that no page has to wait for it. Pages refresh
 * the list at most once every ten minutes.
 */
export function useStoredList<R extends Resource>(r: R) {
  type List = Collection<RecordOf<R>>
  const key = `${PREFIX}${ownerKeyOf(useMe())}:${r.url}`
  const stored = deviceStorage.json<List>(key)
  const url = `${r.url}${queryString(UNPAGED_QUERY)}`
  const store = (data: List) => {
    stored.write(data)
    return data
  }
  return useQuery(
    queryOptions({
      queryKey: listQueryOptions(r, UNPAGED_QUERY).queryKey,
      queryFn: async ({ signal }) => store(await callApi<List>('GET', url, undefined, { signal })),
      staleTime: FRESH_MS,
      initialData: () => {
        const early = takeCompletedPrefetch<List>(url)
        if (!early) return stored.read()
        answeredEarly.add(key)
        return store(early)
      },
      // A stored list is treated as stale, so that other people's changes are requested alongside the first rows.
      initialDataUpdatedAt: () => (answeredEarly.has(key) ? Date.now() : 0),
    }),
  )
}
