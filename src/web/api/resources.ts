import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Values } from '#kernel/forms/visible.ts'
import { iriOf, type RecordOf, type Resource } from '#kernel/resource.ts'
import { type Collection, call, type Params, queryString } from './client.ts'
import { QUEUED, type QueuedOffline, sendOrQueue } from './deliver.ts'
import type { RequestDescription } from './parcel.ts'
import { reading } from './reading.ts'

/** Rows of a page where nobody says otherwise. */
const USUAL_SIZE = 30

/** What is asked for a page of a list: always spelt alike, so that an answer that is there already is taken. */
export const pageParams = (asked: Params, page: number, size: number): Params => ({
  ...asked,
  page,
  ...(size === USUAL_SIZE ? {} : { itemsPerPage: size }),
})

/** The query of one page of a list; prefetch it with the same options. */
export const listOptions = <R extends Resource>(r: R, params: Params = {}) =>
  queryOptions({
    queryKey: [r.url, 'list', params] as const,
    ...reading<Collection<RecordOf<R>>>(`${r.url}${queryString(params)}`),
  })

export const oneOptions = <R extends Resource>(r: R, id: number | string) =>
  queryOptions({
    queryKey: [r.url, 'one', String(id)] as const,
    ...reading<RecordOf<R>>(iriOf(r, id)),
  })

/** A page of a list; the former page stays until the next is there. */
export const useList = <R extends Resource>(
  r: R,
  params: Params = {},
  { enabled = true, refetchInterval = false }: { enabled?: boolean; refetchInterval?: number | false } = {},
) => useQuery({ ...listOptions(r, params), placeholderData: keepPreviousData, enabled, refetchInterval })

export const useOne = <R extends Resource>(r: R, id: number | string | undefined) =>
  useQuery({ ...oneOptions(r, id ?? 0), enabled: id !== undefined })

/** Creates (no id) or changes a record; lists and the record are read again. */
export function useSave<R extends Resource>(r: R) {
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
        ? call<RecordOf<R>>('POST', r.url, values, key ? { idempotencyKey: key } : {})
        : call<RecordOf<R>>('PUT', iriOf(r, id), values),
    onSuccess: (saved) => {
      client.setQueryData(oneOptions(r, saved.id).queryKey, saved as never)
      return refreshLists(client, r)
    },
  })
}

/** A record as it is to be, and as it is told of while it waits for a connection. */
interface Saving {
  readonly id?: number | string
  readonly values: Values
  readonly key?: string
  /** Without any it does not wait. */
  readonly words?: Omit<RequestDescription, 'about'> | undefined
  /** What stood in the fields that are changed. */
  readonly base?: Values
  readonly by?: (as?: string) => Promise<unknown>
}

/** The same for what somebody has typed: without a connection it waits on this device. What takes a fresh proof does not. */
export function useKeptSave<R extends Resource>(r: R) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, values, key, words, base, by }: Saving): Promise<RecordOf<R> | QueuedOffline> => {
      const [method, path] = id === undefined ? (['POST', r.url] as const) : (['PUT', iriOf(r, id)] as const)
      const options = key ? { idempotencyKey: key } : {}
      if (r.asksProof || !words) return call<RecordOf<R>>(method, path, values, { ...options, lasting: true })
      return sendOrQueue<RecordOf<R>>(method, path, values, {
        ...options,
        ...(base ? { base } : {}),
        ...(by ? { by } : {}),
        words: { ...words, about: [path] },
      })
    },
    onSuccess: (saved) => {
      if (saved === QUEUED) return undefined
      client.setQueryData(oneOptions(r, saved.id).queryKey, saved as never)
      return refreshLists(client, r)
    },
  })
}

const refreshLists = (client: QueryClient, r: Pick<Resource, 'url'>) =>
  client.invalidateQueries({ queryKey: [r.url, 'list'] })
