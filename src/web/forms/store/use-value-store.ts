import { useCallback, useSyncExternalStore } from 'react'
import type { Values } from '#kernel/forms/visible.ts'
import { formatPath, type ValuePath } from './path.ts'
import type { ValueStore } from './value-store.ts'

/** Returns the value at a path. The component is re-rendered only when this value changes. */
export function useValueAt(store: ValueStore, path: ValuePath): unknown {
  const name = path[0]
  return useSyncExternalStore(
    useCallback((l) => store.onValue(name, l), [store, name]),
    () => store.get(path),
  )
}

export const useProblemAt = (store: ValueStore, path: ValuePath): string | undefined =>
  useSyncExternalStore(store.onDerived, () => store.problem(formatPath(path)))

/** Returns a primitive derived from the values. The component is re-rendered only when this primitive changes. */
export const useDerivedValue = <T extends string | number | boolean>(store: ValueStore, read: () => T): T =>
  useSyncExternalStore(store.onDerived, read)

/** Returns all values, updated shortly after the last keystroke, for components that depend on several fields. */
export const useDebouncedValues = (store: ValueStore): Values => useSyncExternalStore(store.onDerived, store.settled)
