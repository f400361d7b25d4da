import { type RefObject, useEffect, useRef } from 'react'

/** Is what asks still on the screen? What comes later asks it before it speaks or leads elsewhere. */
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
