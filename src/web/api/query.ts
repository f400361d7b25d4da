import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** Returns true if another attempt could succeed. */
const isPassing = (e: unknown) => e instanceof ApiError && (e.status === 0 || e.status >= 502)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, gcTime: 15 * 60_000, retry: (n, e) => n < 2 && isPassing(e) },
    // Without a connection, mutations fail immediately. Only `sendOrQueue` can queue a request.
    mutations: { retry: false, networkMode: 'always' },
  },
})
