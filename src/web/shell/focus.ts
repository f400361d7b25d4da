import { useEffect, useRef } from 'react'

/** After a change of page the focus goes to its heading, so that it is read out and Tab goes on from there. */
export function useFocusHeading(pathname: string): void {
  const former = useRef(pathname)
  useEffect(() => {
    if (former.current === pathname) return
    former.current = pathname
    const frame = requestAnimationFrame(() => {
      const main = document.getElementById('main')
      if (main?.contains(document.activeElement) && document.activeElement !== main) return
      const heading = main?.querySelector<HTMLElement>('[data-page-title], h1')
      if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1
      ;(heading ?? main)?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [pathname])
}
