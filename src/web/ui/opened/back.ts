import { useEffectEvent, useLayoutEffect } from 'react'

// Back closes what is open above a page, and leaves the page only when nothing is. While anything is open, the history has one more
// entry of the same address; the router hears nothing of the way to it and from it.

/** What is open, the topmost last. */
const open: (() => void)[] = []
/** The way back that was begun here. */
let leaving = false
let timer: ReturnType<typeof setTimeout> | undefined
let address = ''

const isMarked = () => (history.state as { closes?: boolean } | null)?.closes === true

/** The history has its entry while anything is open, and loses it afterwards. */
function settle(): void {
  if (open.length > 0 && !isMarked()) {
    address = location.href
    history.pushState({ ...(history.state as object | null), closes: true }, '')
  } else if (open.length === 0 && isMarked() && !leaving) {
    leaving = true
    history.back()
  }
}

/** What closes one thing may open another, or go elsewhere. */
function settleSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(settle, 50)
}

function onPop(e: PopStateEvent): void {
  if (isMarked()) {
    // Somebody has gone on from here meanwhile, or comes back to where something was open once.
    e.stopImmediatePropagation()
    history.go(leaving ? 1 : -1)
    leaving = false
    return
  }
  const own = leaving
  leaving = false
  if (own) e.stopImmediatePropagation()
  const top = open.at(-1)
  if (own || !top) return
  // Where the address has changed meanwhile, the router has to know.
  if (location.href === address) e.stopImmediatePropagation()
  top()
  settleSoon()
}

/** Before there is a router, which would hear it first otherwise. */
export const heedBack = (): void => addEventListener('popstate', onPop)

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
      settleSoon()
    }
  }, [opened])
}
