import { useEffectEvent, useLayoutEffect } from 'react'

// Back closes what is open above a page, and leaves the page only when nothing is. What opens gives the history one more entry, of
// the same address, and the router hears nothing of the way to it and from it. An entry that is left behind is stepped over.

interface Entry {
  /** Where the router counts it. */
  readonly idx?: number
  readonly closes?: boolean
}

const entry = () => (history.state as Entry | null) ?? {}

/** What is open, the topmost last. */
const open: (() => void)[] = []
/** The entry that one is at, and the address that it had when something was opened. */
let at: Entry = {}
let address = ''
/** One is being stepped over on the way back from elsewhere. */
let over = false

/** While anything is open, one is at an entry of its own. */
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
    // Where the address has changed meanwhile, the router has to know.
    if (location.href === address) e.stopImmediatePropagation()
    top()
    // It may only have asked whether to close.
    setTimeout(settle, 50)
  } else if (from.closes && samePage) {
    e.stopImmediatePropagation()
    history.back()
  }
}

/** Before there is a router, which would hear of it first otherwise. */
export const heedBack = (): void => addEventListener('popstate', onPop)

/** After each step of the router's. */
export const heedStep = (): void => {
  at = entry()
}

/** While something is open, Back closes it and nothing else. */
export function useBackCloses(opened: boolean, close: () => void): void {
  const closeIt = useEffectEvent(close)
  // Before it is seen: whoever sees it can go back.
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
