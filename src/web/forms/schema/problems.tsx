import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router'
import type { Violation } from '#kernel/errors.ts'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormField, FormSchema, FormStep } from '#kernel/forms/schema.ts'
import { ErrorSummary } from '../error-summary.tsx'
import { elementIdOf } from '../store/path.ts'
import { useDerivedValue } from '../store/use-value-store.ts'
import { focusElementIn } from './focus.ts'
import type { SchemaFormParts } from './parts.ts'
import type { FormStore } from './store.ts'

/** Opens a step and then runs an action; without one, the step's heading gets the focus. */
export type OpenStep = (step: string, then?: () => void) => void

/**
 * The visible steps, the open one, and a function that opens another: an entry in the browser's history where the
 * address stores it.
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
  const go = useCallback<OpenStep>(
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

/**
 * The step of a path, the element around its input, and the index of the input there: emergency contacts draw six in
 * one.
 */
export function locatePath(schema: FormSchema, path: string) {
  const [, name = '', at, part] = /^([^.[]*)(?:\[(\d)\]\.(name|number)$)?/.exec(path) ?? []
  for (const step of schema.steps) {
    const field = step.groups.flatMap((g) => g.fields).find((f) => f.name === name)
    if (field?.kind === 'emergencyContacts')
      return { step: step.name, path: name, nth: 2 * Number(at ?? 0) + (part === 'number' ? 1 : 0) }
    if (field) return { step: step.name, path: field.kind === 'signature' ? name : path, nth: 0 }
  }
  return undefined
}

/**
 * `steps[1].what` → `Steps 2, What`. Empty inside a module's own input, whose messages name the place; undefined for a
 * path of no field.
 */
export function labelOfPath(schema: FormSchema, path: string): string | undefined {
  let fields: readonly FormField[] = fieldsIn(schema)
  const words: string[] = []
  for (const part of path.split('.')) {
    const [, name, index] = /^([^[]*)(?:\[(\d+)\])?/.exec(part) ?? []
    const field = fields.find((f) => f.name === name)
    if (!field && words.length === 0) return undefined
    if (field?.kind === 'custom' && path !== name) return ''
    const label = field?.label ?? (name ?? '').replace(/^./, (c) => c.toUpperCase())
    words.push(index === undefined ? label : `${label} ${Number(index) + 1}`)
    fields = field?.fields ?? []
  }
  return words.join(', ')
}

interface Props {
  readonly parts: SchemaFormParts
  readonly go: OpenStep
}

/** All problems, once somebody has tried to complete the form, each a link to its field in any step. */
export function FormProblems({ parts, go }: Props) {
  const { store } = parts
  const attempt = useSyncExternalStore(store.onDerived, store.attempts)
  const text = useSyncExternalStore(store.onDerived, () =>
    attempt === 0 ? '' : JSON.stringify([...store.refused(), ...store.derived().problems]),
  )
  if (!text) return null
  const violations = JSON.parse(text) as readonly Violation[]
  return (
    <div
      onClickCapture={(e) => {
        const link = e.target instanceof Element ? e.target.closest('a[href^="#"]') : null
        const v = link && violations.find((x) => `#${elementIdOf(parts, x.propertyPath)}` === link.getAttribute('href'))
        if (!v) return
        e.preventDefault()
        e.stopPropagation()
        focusPath(parts, go, v.propertyPath)
      }}
    >
      <ErrorSummary
        attempt={attempt}
        errors={violations.map((v) => {
          const label = labelOfPath(store.schema, v.propertyPath)
          return label === undefined
            ? { message: v.message }
            : { id: elementIdOf(parts, v.propertyPath), ...(label ? { label } : {}), message: v.message }
        })}
      />
    </div>
  )
}

/** Opens the step of a path and moves the focus to its input. */
export function focusPath(parts: SchemaFormParts, go: OpenStep, path: string): void {
  const place = locatePath(parts.store.schema, path)
  if (place) go(place.step, () => focusElementIn(elementIdOf(parts, place.path), undefined, place.nth))
}
