import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Milliseconds after which what has come is shown, and the rest when it comes. */
const LONGEST_MS = 1500

/**
 * Whether everything below that asks something for the first time has been answered. Parts that come one after the other push one
 * another away from under the eye, and from under the finger.
 */
export function useFirstAnswers(): boolean {
  const queries = useQueryClient()
  const [ready, setReady] = useState(false)
  useEffect(() => {
    const waits = () => queries.isFetching({ predicate: ({ state }) => state.data === undefined && !state.error }) > 0
    const look = () => {
      if (!waits()) setReady(true)
    }
    const undo = queries.getQueryCache().subscribe(() => queueMicrotask(look))
    const timer = setTimeout(setReady, LONGEST_MS, true)
    look()
    return () => {
      undo()
      clearTimeout(timer)
    }
  }, [queries])
  return ready
}
