import { type RefObject, useEffect, useRef } from 'react'

/**
 * Returns a ref that is true while the calling component is on screen. Check it after an await, before showing a
 * message or navigating.
 */
export function useIsMounted(): Readonly<RefObject<boolean>> {
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return here
}
