import { callApi } from './client.ts'
import { takeArrivedPrefetch } from './early-requests.ts'

/** Query options that read an address, starting with the early response if it has arrived. */
export const urlQueryOptions = <T>(url: string) => ({
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => callApi<T>('GET', url, undefined, { signal }),
  initialData: () => takeArrivedPrefetch<T>(url),
})
