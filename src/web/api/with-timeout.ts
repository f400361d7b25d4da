import { ApiError } from './client.ts'

const TIMEOUT_SECONDS = 30

/**
 * Sends a request, and aborts it if it gets no response in time. In that case, throws an ApiError with status 0, as for
 * a lost connection.
 */
export async function withTimeout<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), TIMEOUT_SECONDS * 1000)
  try {
    return await send(ending.signal)
  } catch (e) {
    throw ending.signal.aborted ? new ApiError(0, 'The server did not respond. Please try again.') : e
  } finally {
    clearTimeout(timer)
  }
}
