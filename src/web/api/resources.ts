import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { iriOf, type RecordOf, type Resource } from '#kernel/resource.ts'
import { type Collection, callApi, type QueryParams, queryString } from './client.ts'
import { urlQueryOptions } from './reading.ts'

/** The default page size. */
const USUAL_SIZE = 30

/** Returns the query parameters for one page of a list. Their order is fixed, so that an early response is found. */
export const paginationParams = (asked: QueryParams, page: number, size: number): QueryParams => ({
  ...asked,
  page,
  ...(size === USUAL_SIZE ? {} : { itemsPerPage: size }),
})

/** Returns query options for one page of a list. To prefetch the page, use the same options. */
export const listQueryOptions = <R extends Resource>(r: R, params: QueryParams = {}) =>
  queryOptions({
    queryKey: [r.url, 'list', params] as const,
    ...urlQueryOptions<Collection<RecordOf<R>>>(`${r.url}${queryString(params)}`),
  })

export const recordQueryOptions = <R extends Resource>(r: R, id: number | string) =>
  queryOptions({
    queryKey: [r.url, 'one', String(id)] as const,
    ...urlQueryOptions<RecordOf<R>>(iriOf(r, id)),
  })

/** Fetches one page of a list. The previous page stays on screen until the next page has loaded. */
export const useList = <R extends Resource>(
  r: R,
  params: QueryParams = {},
  { enabled = true, refetchInterval = false }: { enabled?: boolean; refetchInterval?: number | false } = {},
) => useQuery({ ...listQueryOptions(r, params), placeholderData: keepPreviousData, enabled, refetchInterval })

export const useApiRecord = <R extends Resource>(r: R, id: number | string | undefined) =>
  useQuery({ ...recordQueryOptions(r, id ?? 0), enabled: id !== undefined })

/**
 * Returns a mutation that creates a record if no ID is given, or changes an existing record. It then reloads the record
 * and its lists.
 */
export function useSaveRecord<R extends Resource>(r: R) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({
      id,
      values,
      key,
    }: {
      id?: number | string
      values: Partial<Record<string, unknown>>
      key?: string
    }) =>
      id === undefined
        ? callApi<RecordOf<R>>('POST', r.url, values, key ? { idempotencyKey: key } : {})
        : callApi<RecordOf<R>>('PUT', iriOf(r, id), values),
    onSuccess: (saved) => {
      client.setQueryData(recordQueryOptions(r, saved.id).queryKey, saved as never)
      return invalidateLists(client, r)
    },
  })
}

export const invalidateLists = (client: QueryClient, r: Pick<Resource, 'url'>) =>
  client.invalidateQueries({ queryKey: [r.url, 'list'] })
