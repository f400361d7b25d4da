import { call } from './client.ts'
import { takeArrived } from './early.ts'

/** Query options that read an address, starting with the early answer where it has arrived. */
export const reading = <T>(url: string) => ({
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call<T>('GET', url, undefined, { signal }),
  initialData: () => takeArrived<T>(url),
})
