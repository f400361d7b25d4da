import { useEffect } from 'react'

/** Time in milliseconds after which a browser that is never idle is treated as idle. */
const LONGEST_MS = 2000

/** Milliseconds without requests after which a browser without `requestIdleCallback` is treated as idle. */
const CALM_MS = 200

const stands = Promise.withResolvers<void>()

/**
 * Resolves when the first screen is ready: no requests are pending and the browser is idle. Deferred work waits for
 * this promise.
 */
export const firstScreenReady: Promise<void> = stands.promise

function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, CALM_MS)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(work, { timeout: LONGEST_MS })
  return () => cancelIdleCallback(asked)
}

/** Resolves `firstScreenReady` once the first screen is ready. `busy` is true while requests are pending. */
export function useFirstScreenReady(busy: boolean): void {
  useEffect(() => {
    if (busy) return undefined
    // A screen sends its requests after rendering, so the wait for an idle browser starts one frame later. The wait is
    // cancelled as soon as a request is pending.
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
