import { isBehindDialog, wasPageCovered } from './overlays/layers.ts'

/**
 * Countdown before an action runs. It can be stopped, finished early or paused, for example while the person is reading
 * the message.
 */
export interface Countdown {
  /** Returns the number of whole seconds left. */
  readonly left: () => number
  readonly subscribe: (listener: () => void) => () => void
  /** Returns true if Ctrl+Z stops this countdown. */
  readonly isNewest: () => boolean
  readonly hold: (held: boolean) => void
  /** Cancels the action. */
  readonly stop: () => void
  /** Runs the action now. */
  readonly finish: () => void
}

interface Ends {
  readonly over: () => void
  readonly stopped: () => void
  readonly closed: () => void
}

const STEP = 250
const running: { stop: () => void; finish: () => void; notify: () => void }[] = []
const notifyAll = () => {
  for (const countdown of running) countdown.notify()
}

export function startCountdown(seconds: number, ends: Ends): Countdown {
  let left = seconds * 1000
  let held = false
  let done = false
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const l of listeners) l()
  }
  const timer = setInterval(() => {
    if (held || isBehindDialog()) return
    left -= STEP
    notify()
    if (left <= 0) end(ends.over)
  }, STEP)

  function end(how: () => void) {
    if (done) return
    done = true
    clearInterval(timer)
    running.splice(running.indexOf(self), 1)
    notifyAll()
    ends.closed()
    how()
  }
  const self: Countdown & { readonly notify: () => void } = {
    notify,
    isNewest: () => running.at(-1) === self,
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
  notifyAll()
  return self
}

/** Stops the newest countdown. Returns false if no countdown is running. */
export function stopNewestCountdown(): boolean {
  const newest = running.at(-1)
  newest?.stop()
  return newest !== undefined
}

/** Finishes all countdowns, so that their actions run before the page is left. */
export const finishCountdowns = () => {
  while (running.length) running[0]?.finish()
}

const FIELD = 'textarea, [contenteditable=""], [contenteditable=true], input:not([type=checkbox], [type=radio])'

/**
 * Returns true if Ctrl+Z should undo text typed into the field rather than an action. Returns false for empty fields
 * and for fields in a closing dialog.
 */
export const hasOwnUndo = (field: Pick<Element, 'closest'> | null): boolean =>
  field !== null && !field.closest('[data-closed]') && (!('value' in field) || field.value !== '')

if (typeof document !== 'undefined') {
  addEventListener('pagehide', finishCountdowns)
  document.addEventListener('keydown', (e) => {
    if (e.key.toLowerCase() !== 'z' || !(e.ctrlKey || e.metaKey) || e.shiftKey || e.defaultPrevented) return
    if (wasPageCovered() || (e.target instanceof Element && hasOwnUndo(e.target.closest(FIELD)))) return
    if (stopNewestCountdown()) e.preventDefault()
  })
}
