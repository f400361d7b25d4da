import { useQuery } from '@tanstack/react-query'
import { call, type Params, queryString } from '../api/client.ts'

/** What is counted: a list, and what it is asked. */
export interface Counted {
  readonly url: string
  readonly asked: Params
}

interface Counts {
  readonly counts: readonly { readonly value: string | boolean | null; readonly count: number }[]
}

/** How many of a list have each value of a field, its other filters kept; by the value as the address has it. */
export function useCounts(counted: Counted | undefined, by: string): ReadonlyMap<string, number> | undefined {
  const asked = { ...counted?.asked, by }
  const counts = useQuery({
    queryKey: [counted?.url, 'list', 'counts', asked],
    queryFn: ({ signal }) => call<Counts>('GET', `${counted?.url}/counts${queryString(asked)}`, undefined, { signal }),
    enabled: counted !== undefined,
  })
  return counts.data && new Map(counts.data.counts.map(({ value, count }) => [String(value), count]))
}
