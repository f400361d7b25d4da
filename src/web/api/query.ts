import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** A lost connection and a stumbling server are worth another try; a refusal is not. */
const isPassing = (e: unknown) => e instanceof ApiError && (e.status === 0 || e.status >= 502)

export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, gcTime: 15 * 60_000, retry: (n, e) => n < 2 && isPassing(e) },
    // Without a connection they fail at once: what is to wait is kept by `deliver`, and nothing by a page alone.
    mutations: { retry: false, networkMode: 'always' },
  },
})
