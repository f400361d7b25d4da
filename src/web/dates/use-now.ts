import { useSyncExternalStore } from 'react'
import './temporal.ts'

const EVERY = 30_000
const listeners = new Set<() => void>()
let current: Temporal.Instant | undefined
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    current = Temporal.Now.instant()
    for (const l of listeners) l()
  }, EVERY)
  return () => {
    listeners.delete(listener)
    if (listeners.size) return
    clearInterval(timer)
    timer = undefined
    current = undefined
  }
}

/** Returns the current time, updated twice a minute by a single timer for the entire page. */
export const useNow = (): Temporal.Instant =>
  useSyncExternalStore(subscribe, () => {
    current ??= Temporal.Now.instant()
    return current
  })
