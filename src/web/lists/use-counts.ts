import { useQueries } from '@tanstack/react-query'
import { callApi, type QueryParams, queryString } from '../api/client.ts'
import type { ListFilter } from './filters.ts'

/** Query to count records: the list's URL, and the query parameters for each value of a filter. */
export interface FilterCounts {
  readonly url: string
  readonly askedWith: (filter: string, value: string) => QueryParams
}

interface Counts {
  readonly counts: readonly { readonly value: string | boolean | null; readonly count: number }[]
}

/**
 * Returns the number of records that match each option of a filter, by the option's value in the URL. Sends one request
 * for all options, and another one for each option that sets other filters.
 */
export function useFilterCounts(
  counted: FilterCounts | undefined,
  filter: ListFilter,
): ReadonlyMap<string, number> | undefined {
  const asking = (filter.options ?? []).filter((o) => o.asks)
  const [all, ...single] = useQueries({
    queries: ['', ...asking.map((o) => o.value)].map((value) => {
      const asked = { ...counted?.askedWith(filter.key, value), by: filter.key }
      return {
        queryKey: [counted?.url, 'list', 'counts', asked],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
          callApi<Counts>('GET', `${counted?.url}/counts${queryString(asked)}`, undefined, { signal }),
        enabled: counted !== undefined,
      }
    }),
  })
  if (!all?.data) return undefined
  const found = new Map(all.data.counts.map(({ value, count }) => [String(value), count]))
  for (const [i, { value, asks }] of asking.entries()) {
    const meant = asks?.[filter.key] ?? value
    const count = single[i]?.data?.counts.find((c) => String(c.value) === meant)?.count
    if (count === undefined) found.delete(value)
    else found.set(value, count)
  }
  return found
}
