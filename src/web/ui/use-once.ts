import { useRef } from 'react'

/** The same function, which does nothing while it is under way: the second click of two is none. */
export function useOnce(run: () => Promise<unknown>): () => Promise<void> {
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
