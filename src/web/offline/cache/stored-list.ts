import { queryOptions, useQuery } from '@tanstack/react-query'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { type Collection, call, queryString } from '../../api/client.ts'
import { takeThere } from '../../api/early.ts'
import { personOf, useMe } from '../../api/me.ts'
import { listOptions } from '../../api/resources.ts'
import { session } from '../../api/session.ts'

const PREFIX = 'stanchion-kept:'
const FRESH_MS = 10 * 60_000
const WHOLE = { pagination: false }
/** Lists whose answer came before they were drawn. */
const came = new Set<string>()

/** A browser that keeps nothing, or has no module, asks the server each time. */
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

const forgetAll = () =>
  attempt(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
  })

session.subscribe(() => {
  const state = session.get()
  if (state.kind === 'out' && !state.expired) forgetAll()
})

/**
 * All of a small list that changes seldom and that a page needs before its first rows, such as how a person has their lists.
 * The browser keeps it by person until they sign out, so that a page does not wait for it; each page that opens asks for it
 * again, once in ten minutes.
 */
export function useStoredList<R extends Resource>(r: R) {
  type List = Collection<RecordOf<R>>
  const key = `${PREFIX}${personOf(useMe())}:${r.url}`
  const asked = `${r.url}${queryString(WHOLE)}`
  const keep = (data: List) => {
    attempt(() => localStorage.setItem(key, JSON.stringify(data)))
    return data
  }
  const kept = () => attempt(() => JSON.parse(localStorage.getItem(key) ?? 'null') as List | null) ?? undefined
  return useQuery(
    queryOptions({
      queryKey: listOptions(r, WHOLE).queryKey,
      queryFn: async ({ signal }) => keep(await call<List>('GET', asked, undefined, { signal })),
      staleTime: FRESH_MS,
      initialData: () => {
        const there = takeThere<List>(asked)
        if (!there) return kept()
        came.add(key)
        return keep(there)
      },
      // What was kept is as old as can be: what others have changed or deleted since is asked for beside the first rows.
      initialDataUpdatedAt: () => (came.has(key) ? Date.now() : 0),
    }),
  )
}
