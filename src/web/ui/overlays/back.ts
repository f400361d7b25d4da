import { useEffectEvent, useLayoutEffect } from 'react'

// The browser's Back button closes the topmost open element above a page, and leaves the page only if nothing is open.
// Opening an element adds a history entry with the same URL. The router is not notified of navigation to or from such
// an entry. Entries left over after closing are skipped.

interface HistoryEntryState {
  /** The router's index for this history entry. */
  readonly idx?: number
  readonly closes?: boolean
}

const entry = () => (history.state as HistoryEntryState | null) ?? {}

/** Close functions of all open elements, the topmost last. */
const open: (() => void)[] = []
/** Current history entry. `address` is the page's URL when an element was last opened. */
let at: HistoryEntryState = {}
let address = ''
/** Whether an entry is being skipped on the way back from another page. */
let over = false

/** Adds a history entry while any element is open, so that Back closes the element instead of leaving the page. */
function settle(): void {
  if (open.length === 0 || entry().closes) return
  address = location.href
  history.pushState({ ...entry(), closes: true }, '')
  at = entry()
}

function onPop(e: PopStateEvent): void {
  const from = at
  at = entry()
  const samePage = from.idx === at.idx
  const top = open.at(-1)
  if (at.closes) {
    e.stopImmediatePropagation()
    over = !samePage
    history.go(samePage ? 1 : -1)
  } else if (over) {
    over = false
  } else if (top) {
    // The router must be notified if the URL has changed in the meantime.
    if (location.href === address) e.stopImmediatePropagation()
    top()
    // The element may still be open, because its close function may only have asked for confirmation. In that case, the
    // history entry is added again.
    setTimeout(settle, 50)
  } else if (from.closes && samePage) {
    e.stopImmediatePropagation()
    history.back()
  }
}

/**
 * Starts listening for Back. Call this function before the router is created, because otherwise the router receives the
 * event first.
 */
export const listenForBackNavigation = (): void => addEventListener('popstate', onPop)

/** Tracks the current history entry. Call this function after each navigation by the router. */
export const trackHistoryEntry = (): void => {
  at = entry()
}

/** Makes Back call `close`, and nothing else, while `opened` is true. */
export function useCloseOnBack(opened: boolean, close: () => void): void {
  const closeIt = useEffectEvent(close)
  // A layout effect runs before painting, so that Back works as soon as the content is visible.
  useLayoutEffect(() => {
    if (!opened) return
    const top = () => closeIt()
    open.push(top)
    settle()
    return () => {
      open.splice(open.indexOf(top), 1)
    }
  }, [opened])
}
