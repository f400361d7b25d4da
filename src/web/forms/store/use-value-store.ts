import { useCallback, useSyncExternalStore } from 'react'
import type { Values } from '#kernel/forms/visible.ts'
import { type Path, written } from './path.ts'
import type { ValueStore } from './value-store.ts'

/** What is at a place; only a change there draws again. */
export function useValue(store: ValueStore, path: Path): unknown {
  const name = path[0]
  return useSyncExternalStore(
    useCallback((l) => store.onValue(name, l), [store, name]),
    () => store.get(path),
  )
}

/** What is wrong at a place. */
export const useProblem = (store: ValueStore, path: Path): string | undefined =>
  useSyncExternalStore(store.onDerived, () => store.problem(written(path)))

/** Something that follows from the values, as text or a number: what is drawn from it changes only when it does. */
export const useDerived = <T extends string | number | boolean>(store: ValueStore, read: () => T): T =>
  useSyncExternalStore(store.onDerived, read)

/** All that is typed, a moment after it is: for what looks at several fields at once. */
export const useSettled = (store: ValueStore): Values => useSyncExternalStore(store.onDerived, store.settled)
