import { callApi } from './client.ts'
import { takeCompletedPrefetch } from './early-requests.ts'

/** Returns query options that fetch a URL. The early response, if it has arrived, is used as the initial data. */
export const urlQueryOptions = <T>(url: string) => ({
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => callApi<T>('GET', url, undefined, { signal }),
  initialData: () => takeCompletedPrefetch<T>(url),
})
