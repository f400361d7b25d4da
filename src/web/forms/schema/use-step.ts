import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { FormStep } from '#kernel/forms/schema.ts'
import { useDerivedValue } from '../store/use-value-store.ts'
import type { FormStore } from './store.ts'

/** Opens a step and then runs an action; without one, the step's heading gets the focus. */
export type OpenFormStep = (step: string, then?: () => void) => void

/**
 * The visible steps, the open one, and a function that opens another. If the address stores the step, opening one adds
 * an entry to the browser's history.
 */
export function useFormStep(store: FormStore, kept: 'address' | 'here', id: string) {
  const [search, setSearch] = useSearchParams()
  const [own, setOwn] = useState<string>()
  useDerivedValue(store, () =>
    store
      .derived()
      .visible.steps.map((s) => s.step.name)
      .join(' '),
  )
  const steps: readonly FormStep[] = store.derived().visible.steps.map((s) => s.step)
  const wanted = kept === 'address' ? search.get('step') : own
  const step = steps.find((s) => s.name === wanted) ?? steps[0]
  const open = step?.name
  const arrived = useRef<() => void>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it happens once the step has been drawn
  useEffect(() => {
    arrived.current?.()
    arrived.current = undefined
  }, [open])
  const go = useCallback<OpenFormStep>(
    (name, then = () => document.getElementById(`${id}-step`)?.focus()) => {
      if (name === open) return then()
      arrived.current = then
      if (kept === 'here') setOwn(name)
      else
        setSearch((now) => {
          const next = new URLSearchParams(now)
          next.set('step', name)
          return next
        })
    },
    [kept, setSearch, id, open],
  )
  return { steps, step, go }
}
