import { useEffect } from 'react'

/** Milliseconds in which a browser that is busy all the time is believed to have come to rest. */
const LONGEST_MS = 2000
/** As long as a screen asks for nothing more, where the browser can't say when it is idle. */
const CALM_MS = 200

const stands = Promise.withResolvers<void>()

/** Resolves when the first screen stands: it waits for nothing, and the browser has nothing to do. What can wait waits for this. */
export const standing: Promise<void> = stands.promise

function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, CALM_MS)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(work, { timeout: LONGEST_MS })
  return () => cancelIdleCallback(asked)
}

/** Watches for the first screen to stand. */
export function useStanding(busy: boolean): void {
  useEffect(() => {
    if (busy) return undefined
    // A screen asks for what it needs after it has been drawn: it is looked at again one picture later.
    let undo: (() => void) | undefined
    const frame = requestAnimationFrame(() => {
      undo = whenIdle(stands.resolve)
    })
    return () => {
      cancelAnimationFrame(frame)
      undo?.()
    }
  }, [busy])
}
