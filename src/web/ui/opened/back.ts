import { useEffectEvent, useLayoutEffect } from 'react'

// Back closes what is open above a page, and leaves the page only when nothing is open. Opening adds a history entry of
// the same address, and the router is not notified of navigation to and from it. A leftover entry is skipped.

interface Entry {
  /** The router's index of the entry. */
  readonly idx?: number
  readonly closes?: boolean
}

const entry = () => (history.state as Entry | null) ?? {}

/** The close functions of what is open, the topmost last. */
const open: (() => void)[] = []
/** The current entry, and the address when something was opened. */
let at: Entry = {}
let address = ''
/** An entry is being skipped on the way back from another page. */
let over = false

/** While anything is open, the current entry is an extra one. */
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
    // The router has to know where the address has changed meanwhile.
    if (location.href === address) e.stopImmediatePropagation()
    top()
    // The close function may only have asked whether to close.
    setTimeout(settle, 50)
  } else if (from.closes && samePage) {
    e.stopImmediatePropagation()
    history.back()
  }
}

/** Call before the router exists, which would otherwise receive the event first. */
export const listenForBack = (): void => addEventListener('popstate', onPop)

/** Call after each navigation of the router. */
export const trackHistoryEntry = (): void => {
  at = entry()
}

/** While something is open, Back closes it and does nothing else. */
export function useCloseOnBack(opened: boolean, close: () => void): void {
  const closeIt = useEffectEvent(close)
  // Before it is painted: Back must work as soon as it is visible.
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
