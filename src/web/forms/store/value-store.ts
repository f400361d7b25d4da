import { fieldAt, type Violation } from '#kernel/errors.ts'
import { isSameValue } from '#kernel/forms/same.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { at, type Path, put } from './path.ts'
import { onceLetGo } from './pressed.ts'

/** What follows from the values; worked out a moment after a keystroke, never in it. */
export interface Checked {
  readonly problems: readonly Violation[]
}

/** What is typed into a form. Each field listens to itself alone, so that a keystroke draws one field. */
export interface ValueStore<D extends Checked = Checked> {
  readonly values: () => Values
  /** The same a moment after the last keystroke. */
  readonly settled: () => Values
  readonly get: (path: Path) => unknown
  readonly set: (path: Path, value: unknown) => void
  /** Values from elsewhere: a draft, another tab, the server. */
  readonly replace: (values: Values) => void
  readonly derived: () => D
  /** Shows everything that is wrong, and says what it is: before saving as complete. */
  readonly check: () => readonly Violation[]
  /** What the server said is wrong; each stays until its field changes. Quietly: without taking the focus to the summary. */
  readonly refuse: (violations: readonly Violation[], how?: { readonly quietly?: boolean }) => void
  /** How often it was checked or refused; every time the summary takes the focus. */
  readonly attempts: () => number
  readonly refused: () => readonly Violation[]
  readonly leave: (path: string) => void
  /** What is wrong at a place, once somebody has been there. */
  readonly problem: (path: string) => string | undefined
  /** A keystroke in a field of this name. */
  readonly onValue: (name: string, listener: () => void) => () => void
  /** Any keystroke: do next to nothing. */
  readonly onAny: (listener: () => void) => () => void
  readonly onDerived: (listener: () => void) => () => void
}

const SETTLED_MS = 120

/** A store that begins with these values and works out from them what is wrong, and whatever else `derive` says. */
export function createValueStore<D extends Checked>(start: Values, derive: (values: Values) => D): ValueStore<D> {
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
    refused = refused.filter((v) => !names.includes(fieldAt(v.propertyPath)))
    for (const name of names) ring(byName.get(name))
    ring(any)
    clearTimeout(timer)
    timer = setTimeout(() => onceLetGo(settle), SETTLED_MS)
  }
  const added = (to: Set<() => void>, listener: () => void) => {
    to.add(listener)
    return () => void to.delete(listener)
  }

  return {
    values: () => values,
    settled: () => settled,
    get: (path) => at(values, path),
    set: (path, value) => {
      values = put(values, path, value) as Values
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
      onceLetGo(() => {
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
