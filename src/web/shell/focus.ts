import { useEffect, useRef } from 'react'
import { isBehindDialog } from '../ui/opened/layers.ts'

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

/** Milliseconds after which it is looked again whether a dialog is gone. */
const CLOSING_MS = 100

const REGION = 'section[aria-label], section[aria-labelledby], [role="region"]'

/**
 * What has the focus may go: a button with what it did, a row with what it was of. Then the focus goes to the region that it stood in,
 * which says what has become of it, or to the page's heading; not to nowhere, from where one would begin again at the top.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let held: HTMLElement | undefined
    let regions: readonly HTMLElement[] = []
    const onFocus = ({ target }: FocusEvent) => {
      const main = document.getElementById('main')
      // What is asked in a dialog is asked of what the focus goes back to.
      if (!(target instanceof HTMLElement) || target === main || !main?.contains(target)) return
      held = target
      regions = regionsOf(target)
    }
    // Whoever lets go of it themselves is not led back.
    const onBlur = ({ target, relatedTarget }: FocusEvent) => {
      if (target !== held || relatedTarget !== null) return
      // A browser says so of what is being removed too, while it still stands there.
      requestAnimationFrame(() => {
        if (target === held && held?.isConnected && document.activeElement !== held) held = undefined
      })
    }
    const give = () => {
      if (!held || isBehindDialog()) return
      // A dialog that closes has it until it is out of sight.
      if (document.activeElement?.closest('[data-closed]')) return void setTimeout(give, CLOSING_MS)
      if (document.activeElement !== document.body) return
      const place =
        [held, ...regions].find((one) => one.isConnected) ??
        document.querySelector<HTMLElement>('#main [data-page-title]')
      held = undefined
      if (!place) return
      if (!place.hasAttribute('tabindex')) place.tabIndex = -1
      place.focus({ preventScroll: true })
    }
    // A dialog that sleeps stays where it is: it only says that it is closed, and knows no more what it was opened from.
    const gone = new MutationObserver((changes) => {
      if (held && (!held.isConnected || changes.some(({ type }) => type === 'attributes'))) requestAnimationFrame(give)
    })
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', onBlur)
    gone.observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-closed'] })
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', onBlur)
      gone.disconnect()
    }
  }, [])
}

/** The regions that an element stands in, the innermost first. */
function regionsOf(element: Element): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let at = element.closest<HTMLElement>(REGION); at; at = at.parentElement?.closest<HTMLElement>(REGION) ?? null)
    found.push(at)
  return found
}
