import { call } from './client.ts'
import { takeArrived } from './early.ts'

/** How a query reads an address. What the page asked early begins with its answer: the screen is drawn once, with all that it shows. */
export const reading = <T>(url: string) => ({
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call<T>('GET', url, undefined, { signal }),
  initialData: () => takeArrived<T>(url),
})
