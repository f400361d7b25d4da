import { useEffect, useRef } from 'react'
import { isBehindDialog } from '../ui/overlays/layers.ts'

/**
 * Moves the focus to the heading after navigation to another page, so that a screen reader reads the heading and Tab
 * continues from there.
 */
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

/** Milliseconds after which a closing dialog is checked again. */
const CLOSING_MS = 100

const REGION = 'section[aria-label], section[aria-labelledby], [role="region"]'

/**
 * Restores the focus if the focused element, such as a button or a row, is removed. The focus moves to the region that
 * contained the element, where the result is shown, or to the page's heading. Otherwise the user would have to start
 * again at the top of the page.
 */
export function useRestoreFocus(): void {
  useEffect(() => {
    let held: HTMLElement | undefined
    let regions: readonly HTMLElement[] = []
    const onFocus = ({ target }: FocusEvent) => {
      const main = document.getElementById('main')
      // Focus outside the page's main content, for example in a dialog, is ignored. When a dialog closes, the focus
      // returns to the element that opened it.
      if (!(target instanceof HTMLElement) || target === main || !main?.contains(target)) return
      held = target
      regions = regionsOf(target)
    }
    // If the user has moved the focus themselves, it is not restored.
    const onBlur = ({ target, relatedTarget }: FocusEvent) => {
      if (target !== held || relatedTarget !== null) return
      // Browsers also fire this event for an element that is about to be removed but is still in the document.
      requestAnimationFrame(() => {
        if (target === held && held?.isConnected && document.activeElement !== held) held = undefined
      })
    }
    const give = () => {
      if (!held || isBehindDialog()) return
      // A closing dialog keeps the focus until it is hidden.
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
    // A closed dialog stays in the document. Only its attributes change, and it no longer refers to the element that
    // opened it.
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

/** Returns the regions that contain an element, innermost first. */
function regionsOf(element: Element): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let at = element.closest<HTMLElement>(REGION); at; at = at.parentElement?.closest<HTMLElement>(REGION) ?? null)
    found.push(at)
  return found
}
