import { isBehindDialog, wasLayered } from './opened/layers.ts'

/** A stretch of time that can be stopped, held while somebody reads it or can't reach it, or cut short. */
export interface Countdown {
  /** Whole seconds left. */
  readonly left: () => number
  readonly subscribe: (listener: () => void) => () => void
  readonly hold: (held: boolean) => void
  /** Takes it back. */
  readonly stop: () => void
  /** Does it now. */
  readonly finish: () => void
}

interface Ends {
  readonly over: () => void
  readonly stopped: () => void
  readonly closed: () => void
}

const STEP = 250
const running: { stop: () => void; finish: () => void }[] = []

export function startCountdown(seconds: number, ends: Ends): Countdown {
  let left = seconds * 1000
  let held = false
  let done = false
  const listeners = new Set<() => void>()
  const timer = setInterval(() => {
    if (held || isBehindDialog()) return
    left -= STEP
    for (const l of listeners) l()
    if (left <= 0) end(ends.over)
  }, STEP)

  function end(how: () => void) {
    if (done) return
    done = true
    clearInterval(timer)
    running.splice(running.indexOf(self), 1)
    ends.closed()
    how()
  }
  const self: Countdown = {
    left: () => Math.max(0, Math.ceil(left / 1000)),
    subscribe: (l) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    hold: (h) => {
      held = h
    },
    stop: () => end(ends.stopped),
    finish: () => end(ends.over),
  }
  running.push(self)
  return self
}

/** Takes the newest back; false when there is none. */
export function stopNewest(): boolean {
  const newest = running.at(-1)
  newest?.stop()
  return newest !== undefined
}

/** What was only promised is done before the page goes. */
export const finishAll = () => {
  while (running.length) running[0]?.finish()
}

const FIELD = 'textarea, [contenteditable=""], [contenteditable=true], input:not([type=checkbox], [type=radio])'

/** Ctrl Z is the field's own: something stands in it, whose typing it takes back. One in a dialog that is closing has done with it. */
export const hasOwnUndo = (field: Pick<Element, 'closest'> | null): boolean =>
  field !== null && !field.closest('[data-closed]') && (!('value' in field) || field.value !== '')

if (typeof document !== 'undefined') {
  addEventListener('pagehide', finishAll)
  document.addEventListener('keydown', (e) => {
    if (e.key.toLowerCase() !== 'z' || !(e.ctrlKey || e.metaKey) || e.shiftKey || e.defaultPrevented) return
    if (wasLayered() || (e.target instanceof Element && hasOwnUndo(e.target.closest(FIELD)))) return
    if (stopNewest()) e.preventDefault()
  })
}
