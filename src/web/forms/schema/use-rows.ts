import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { toRowObjects } from '#kernel/forms/rows.ts'
import type { ValuePath } from '../store/path.ts'
import { focusElementIn } from './focus.ts'
import type { FormStore } from './store.ts'

/**
 * Returns the rows at a path, with keys that stay the same when rows are moved. If the rows are replaced from outside
 * the form, their keys are reused. `id` is the ID of the surrounding element.
 */
export function useFormRows(store: FormStore, path: ValuePath, id: string) {
  const name = path[0]
  const count = useSyncExternalStore(
    useCallback((l) => store.onValue(name, l), [store, name]),
    () => toRowObjects(store.get(path)).length,
  )
  const [{ keys, next }, setKeys] = useState({ keys: [] as readonly number[], next: 0 })
  const [said, say] = useState('')
  const more = Math.max(0, count - keys.length)
  const fitting = more === 0 && keys.length === count ? keys : [...keys.slice(0, count), ...newKeys(next, more)]
  if (fitting !== keys) setKeys({ keys: fitting, next: next + more })

  const changes = useMemo(() => {
    const rows = () => [...toRowObjects(store.get(path))]
    const order = (change: (keys: readonly number[]) => readonly number[]) =>
      setKeys((was) => ({ ...was, keys: change(was.keys) }))
    return {
      add: () => {
        const all = rows()
        store.set(path, [...all, {}])
        say(`Row ${all.length + 1} added`)
        focusElementIn(`${id}[${all.length}]`)
      },
      remove: (index: number) => {
        const left = rows().filter((_, i) => i !== index)
        order((keys) => keys.filter((_, i) => i !== index))
        store.set(path, left)
        say(`Row ${index + 1} removed`)
        const near = Math.min(index, left.length - 1)
        focusElementIn(near < 0 ? id : `${id}[${near}]`)
      },
      move: (index: number, by: 1 | -1) => {
        const all = rows()
        const to = index + by
        order((keys) => swapItems(keys, index, to))
        store.set(path, swapItems(all, index, to))
        say(`Row moved to position ${to + 1} of ${all.length}`)
        const past = by < 0 ? to === 0 : to === all.length - 1
        focusElementIn(`${id}[${to}]`, `[data-move="${past ? -by : by}"]`)
      },
    }
  }, [store, path, id])
  return { keys: fitting, said, ...changes }
}

const newKeys = (from: number, many: number) => Array.from({ length: many }, (_, i) => from + i)

function swapItems<T>(list: readonly T[], a: number, b: number): T[] {
  const next = [...list]
  next[a] = list[b] as T
  next[b] = list[a] as T
  return next
}
