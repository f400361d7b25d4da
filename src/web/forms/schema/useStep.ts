import { useCallback, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { FormStep } from '#kernel/forms/schema.ts'
import type { FormStore } from './store.ts'
import { useDerived } from './useForm.ts'

export type Go = (step: string) => void

/** The visible steps, the open one, and the way to another: a step of the browser's history where the address holds it. */
export function useStep(store: FormStore, kept: 'address' | 'here', id: string) {
  const [search, setSearch] = useSearchParams()
  const [own, setOwn] = useState<string>()
  useDerived(store, () =>
    store
      .derived()
      .visible.steps.map((s) => s.step.name)
      .join(' '),
  )
  const steps: readonly FormStep[] = store.derived().visible.steps.map((s) => s.step)
  const wanted = kept === 'address' ? search.get('step') : own
  const step = steps.find((s) => s.name === wanted) ?? steps[0]
  const go = useCallback<Go>(
    (name) => {
      if (kept === 'here') setOwn(name)
      else
        setSearch((now) => {
          const next = new URLSearchParams(now)
          next.set('step', name)
          return next
        })
      requestAnimationFrame(() => document.getElementById(`${id}-step`)?.focus())
    },
    [kept, setSearch, id],
  )
  return { steps, step, go }
}
