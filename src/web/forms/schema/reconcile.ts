import { isSameValue, pickValues } from '#kernel/forms/same.ts'
import type { Values } from '#kernel/forms/visible.ts'

/** A field that two people, or two tabs, have changed differently. */
export interface Conflict {
  readonly name: string
  readonly mine: unknown
  readonly theirs: unknown
}

interface Versions {
  /** As the server last sent it here. */
  readonly server: Values
  /** What is typed here, when nothing is unsaved. */
  readonly clean: Values
  readonly mine: Values
  readonly theirs: Values
}

/**
 * Three-way merge, field by field: `taken` was changed only there, `conflicts` on both sides and differently. What was changed
 * only here is in neither, and stays to be saved.
 */
export function reconcile(names: readonly string[], { server, clean, mine, theirs }: Versions) {
  const there = names.filter((n) => n in theirs && !isSameValue(theirs[n], server[n]))
  const untouched = there.filter((n) => isSameValue(mine[n], clean[n]) || isSameValue(mine[n], theirs[n]))
  const conflicts = there
    .filter((n) => !untouched.includes(n))
    .map((name): Conflict => ({ name, mine: mine[name], theirs: theirs[name] }))
  return { taken: pickValues(theirs, untouched), conflicts }
}

/** The names whose values differ. */
export const different = (names: readonly string[], a: Values, b: Values): string[] =>
  names.filter((n) => !isSameValue(a[n], b[n]))
