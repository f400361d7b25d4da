import { useRef } from 'react'

/**
 * Returns a function that does nothing while a previous call is still running, so that a double click has only one
 * effect.
 */
export function useSingleFlight(run: () => Promise<unknown>): () => Promise<void> {
  const busy = useRef(false)
  return async () => {
    if (busy.current) return
    busy.current = true
    try {
      await run()
    } finally {
      busy.current = false
    }
  }
}
