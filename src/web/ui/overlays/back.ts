import { useEffectEvent, useLayoutEffect } from 'react'

// Back closes whatever is open above a page, and leaves the page only if nothing is open. Opening something adds a
// history entry with the same address; the router is not notified of navigation to or from it. Leftover entries are
// skipped.

interface HistoryEntryState {
  /** The router's index of the entry. */
  readonly idx?: number
  readonly closes?: boolean
}

const entry = () => (history.state as HistoryEntryState | null) ?? {}

/** The close functions of everything open, the topmost last. */
const open: (() => void)[] = []
/** The current entry, and the address when something was opened. */
let at: HistoryEntryState = {}
let address = ''
/** Whether an entry is being skipped on the way back from another page. */
let over = false

/** While anything is open, the current history entry is an additional one. */
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
    // The router must be notified if the address has changed meanwhile.
    if (location.href === address) e.stopImmediatePropagation()
    top()
    // The close function may only have asked for confirmation.
    setTimeout(settle, 50)
  } else if (from.closes && samePage) {
    e.stopImmediatePropagation()
    history.back()
  }
}

/** Starts listening for Back. Call it before the router exists, which would otherwise receive the event first. */
export const listenForBack = (): void => addEventListener('popstate', onPop)

/** Tracks the current history entry. Call it after each navigation of the router. */
export const trackHistoryEntry = (): void => {
  at = entry()
}

/** While something is open, Back closes it and does nothing else. */
export function useCloseOnBack(opened: boolean, close: () => void): void {
  const closeIt = useEffectEvent(close)
  // In a layout effect, before painting: Back must work as soon as the content is visible.
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
