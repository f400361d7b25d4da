import { useEffect, useSyncExternalStore } from 'react'
import classes from './shell.module.css'

interface SkipTo {
  readonly label: string
  readonly go: () => void
}

let open: SkipTo | undefined
const listeners = new Set<() => void>()
const change = (next: SkipTo | undefined) => {
  open = next
  for (const heard of listeners) heard()
}
const store = {
  subscribe: (heard: () => void) => {
    listeners.add(heard)
    return () => listeners.delete(heard)
  },
  now: () => open,
}

/**
 * Adds a skip link to content far down the page for as long as the calling screen is open. `go` must be the same
 * function in every render.
 */
export function useSkipLink(label: string, go: () => void): void {
  useEffect(() => {
    const mine = { label, go }
    change(mine)
    return () => {
      if (open === mine) change(undefined)
    }
  }, [label, go])
}

/** Links at the first Tab stops, to skip the menu or to go to the main task. */
export function SkipLinks() {
  const to = useSyncExternalStore(store.subscribe, store.now)
  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      {to && (
        <button type="button" className={classes.skip} onClick={to.go}>
          {to.label}
        </button>
      )}
    </>
  )
}
