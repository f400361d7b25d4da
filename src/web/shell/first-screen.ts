import { useEffect } from 'react'

/** Milliseconds after which a constantly busy browser counts as idle. */
const LONGEST_MS = 2000

/** Milliseconds without requests that count as idle, if the browser can't report idleness. */
const CALM_MS = 200

const stands = Promise.withResolvers<void>()

/**
 * Resolves when the first screen is ready: no pending requests, and the browser is idle. Deferred work waits for this.
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

/** Watches for the first screen to be ready. */
export function useFirstScreenReady(busy: boolean): void {
  useEffect(() => {
    if (busy) return undefined
    // A screen sends its requests after rendering, so check again one frame later.
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
