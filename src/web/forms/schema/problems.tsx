import { useSyncExternalStore } from 'react'
import type { Violation } from '#kernel/errors.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { ErrorSummary } from '../error-summary.tsx'
import { idOf } from '../store/path.ts'
import { focusIn } from './focus.ts'
import type { FormParts } from './parts.ts'
import type { Go } from './use-step.ts'

interface Props {
  readonly parts: FormParts
  readonly go: Go
}

/** Everything that is wrong, once it has been asked for; each line leads to its field, in whichever step that is. */
export function Problems({ parts, go }: Props) {
  const { store } = parts
  const attempt = useSyncExternalStore(store.onDerived, store.attempts)
  const text = useSyncExternalStore(store.onDerived, () =>
    attempt === 0 ? '' : JSON.stringify([...store.refused(), ...store.derived().problems]),
  )
  if (!text) return null
  const violations = JSON.parse(text) as readonly Violation[]
  const lead = (path: string) => {
    const place = placeOf(store.schema, path)
    if (place) go(place.step, () => focusIn(idOf(parts, place.path), undefined, place.nth))
  }
  return (
    <div
      onClickCapture={(e) => {
        const link = e.target instanceof Element ? e.target.closest('a[href^="#"]') : null
        const v = link && violations.find((x) => `#${idOf(parts, x.propertyPath)}` === link.getAttribute('href'))
        if (!v) return
        e.preventDefault()
        e.stopPropagation()
        lead(v.propertyPath)
      }}
    >
      <ErrorSummary
        attempt={attempt}
        errors={violations.map((v) => {
          const label = labelAt(store.schema, v.propertyPath)
          return label === undefined
            ? { message: v.message }
            : { id: idOf(parts, v.propertyPath), ...(label ? { label } : {}), message: v.message }
        })}
      />
    </div>
  )
}

/** The step that a path is in, the element around its input, and which input it is there: contacts draw six in one. */
function placeOf(schema: FormSchema, path: string) {
  const [, name = '', at, part] = /^([^.[]*)(?:\[(\d)\]\.(name|number)$)?/.exec(path) ?? []
  for (const step of schema.steps) {
    const field = step.groups.flatMap((g) => g.fields).find((f) => f.name === name)
    if (field?.kind === 'emergencyContacts')
      return { step: step.name, path: name, nth: 2 * Number(at ?? 0) + (part === 'number' ? 1 : 0) }
    if (field) return { step: step.name, path, nth: 0 }
  }
  return undefined
}

/** `steps[1].what` → `Steps 2, What`; empty inside a room's own input, whose sentences name their place; undefined for no field of the form. */
function labelAt(schema: FormSchema, path: string): string | undefined {
  let fields: readonly FormField[] = schema.steps.flatMap((s) => s.groups.flatMap((g) => g.fields))
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
