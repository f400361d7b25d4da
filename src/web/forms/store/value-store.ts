import { type Violation, violationFieldName } from '#kernel/errors.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { isSameValue } from '#kernel/forms/visible.ts'
import { replaceValueAt, type ValuePath, valueAt } from './path.ts'

/** State derived from the values shortly after a keystroke, but never while the keystroke is being handled. */
export interface DerivedFormState {
  readonly problems: readonly Violation[]
}

/**
 * Store for the values of a form. Each field subscribes only to its own value, so that a keystroke re-renders only one
 * field.
 */
export interface ValueStore<D extends DerivedFormState = DerivedFormState> {
  readonly values: () => Values
  /** Returns the values as they were shortly after the last keystroke. */
  readonly settled: () => Values
  readonly get: (path: ValuePath) => unknown
  readonly set: (path: ValuePath, value: unknown) => void
  /** Sets values that come from outside the form: from a draft, another tab or the server. */
  readonly replace: (values: Values) => void
  readonly derived: () => D
  /** Shows and returns all problems. Called before a record is completed. */
  readonly check: () => readonly Violation[]
  /**
   * Shows the server's violations, each until the person changes its field. If `quietly` is set, the focus does not
   * move.
   */
  readonly refuse: (violations: readonly Violation[], how?: { readonly quietly?: boolean }) => void
  /**
   * Returns the number of checks and rejected saves so far, except quiet ones. Each of them moves the focus to the
   * error summary.
   */
  readonly attempts: () => number
  readonly refused: () => readonly Violation[]
  readonly leave: (path: string) => void
  /** Returns the problem at a path, once the person has visited its field. */
  readonly problem: (path: string) => string | undefined
  /** Subscribes to changes to the field with this name. */
  readonly onValue: (name: string, listener: () => void) => () => void
  /** Subscribes to changes to any field. Listeners must be very fast, because they run at every keystroke. */
  readonly onAny: (listener: () => void) => () => void
  readonly onDerived: (listener: () => void) => () => void
}

const SETTLE_MS = 120

/** Creates a store with initial values. `derive` computes the problems and other derived state. */
export function createValueStore<D extends DerivedFormState>(
  start: Values,
  derive: (values: Values) => D,
): ValueStore<D> {
  let values = start
  let settled = values
  let derived = derive(values)
  let attempts = 0
  let refused: readonly Violation[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const left = new Set<string>()
  const byName = new Map<string, Set<() => void>>()
  const any = new Set<() => void>()
  const later = new Set<() => void>()
  const ring = (listeners: Iterable<() => void> | undefined) => {
    for (const l of listeners ?? []) l()
  }
  const settle = () => {
    clearTimeout(timer)
    timer = undefined
    settled = values
    derived = derive(values)
    ring(later)
  }
  const changed = (names: readonly string[]) => {
    refused = refused.filter((v) => !names.includes(violationFieldName(v.propertyPath)))
    for (const name of names) ring(byName.get(name))
    ring(any)
    clearTimeout(timer)
    timer = setTimeout(() => runAfterPointerRelease(settle), SETTLE_MS)
  }
  const added = (to: Set<() => void>, listener: () => void) => {
    to.add(listener)
    return () => void to.delete(listener)
  }

  return {
    values: () => values,
    settled: () => settled,
    get: (path) => valueAt(values, path),
    set: (path, value) => {
      values = replaceValueAt(values, path, value) as Values
      changed([String(path[0])])
    },
    replace: (next) => {
      const names = Object.keys(next).filter((name) => !isSameValue(values[name], next[name]))
      values = { ...values, ...next }
      if (names.length > 0) {
        changed(names)
        settle()
      }
    },
    derived: () => derived,
    check: () => {
      attempts++
      settle()
      return derived.problems
    },
    refuse: (violations, { quietly = false } = {}) => {
      refused = violations
      if (violations.length > 0 && !quietly) attempts++
      settle()
    },
    attempts: () => attempts,
    refused: () => refused,
    leave: (path) => {
      if (left.has(path)) return
      left.add(path)
      runAfterPointerRelease(() => {
        if (timer !== undefined) settle()
        else ring(later)
      })
    },
    problem: (path) =>
      (
        refused.find((v) => v.propertyPath === path) ??
        (attempts > 0 || left.has(path) ? derived.problems.find((v) => v.propertyPath === path) : undefined)
      )?.message,
    onValue: (name, listener) => {
      const listeners = byName.get(name) ?? new Set()
      byName.set(name, listeners)
      return added(listeners, listener)
    },
    onAny: (listener) => added(any, listener),
    onDerived: (listener) => added(later, listener),
  }
}

/** Creates a function that tracks pressed pointers, and delays actions until all pointers are released. */
export function createPointerReleaseRunner(on: Pick<EventTarget, 'addEventListener'> | undefined) {
  let isPressed = false
  const waiting = new Set<() => void>()
  const letGo = () => {
    isPressed = false
    // The delay lets the browser handle the click first, while the clicked element is still in place.
    setTimeout(() => {
      if (isPressed) return
      const now = [...waiting]
      waiting.clear()
      for (const act of now) act()
    })
  }
  on?.addEventListener('pointerdown', () => (isPressed = true), true)
  for (const over of ['pointerup', 'pointercancel']) on?.addEventListener(over, letGo, true)
  /** Runs the action immediately if no pointer is pressed, otherwise once all pointers are released. */
  return (act: () => void): void => {
    if (isPressed) waiting.add(act)
    else act()
  }
}

/**
 * Runs an action once no pointer is pressed. Error messages appear and disappear when a field loses the focus, which
 * also happens when a button is pressed. The delay keeps the button under the pointer, so that the click is not lost.
 */
const runAfterPointerRelease = createPointerReleaseRunner(typeof document === 'undefined' ? undefined : document)
