import { type RefObject, useEffect, useRef } from 'react'

/**
 * Whether the calling component is still on screen. Check it after an await, before showing a message or navigating.
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
