import { useSyncExternalStore } from 'react'
import type { Violation } from '#kernel/errors.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { ErrorSummary } from '../error-summary.tsx'
import { elementIdOf } from '../store/path.ts'
import { focusElementIn } from './focus.ts'
import type { SchemaFormContext } from './parts.ts'
import type { OpenFormStep } from './step-map.tsx'

/**
 * Finds the step that contains a path, the element around the path's input, and the index of the input in that element.
 * For example, the emergency contacts have six inputs in one element.
 */
export function locateFormPath(schema: FormSchema, path: string) {
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
 * Returns the label of a path: `steps[1].what` → `Steps 2, What`. Returns an empty string for a path inside a module's
 * own input, because its messages include the location. Returns undefined if the path belongs to no field.
 */
export function formatFormPathLabel(schema: FormSchema, path: string): string | undefined {
  let fields: readonly FormField[] = formFieldsIn(schema)
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
  readonly parts: SchemaFormContext
  readonly go: OpenFormStep
}

/**
 * List of all problems in a form, each with a link to its field in any step. It is shown once somebody has tried to
 * complete the form.
 */
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
        focusFormPath(parts, go, v.propertyPath)
      }}
    >
      <ErrorSummary
        attempt={attempt}
        errors={violations.map((v) => {
          const label = formatFormPathLabel(store.schema, v.propertyPath)
          return label === undefined
            ? { message: v.message }
            : { id: elementIdOf(parts, v.propertyPath), ...(label ? { label } : {}), message: v.message }
        })}
      />
    </div>
  )
}

/** Opens the step that contains a path, and moves the focus to the path's input. */
export function focusFormPath(parts: SchemaFormContext, go: OpenFormStep, path: string): void {
  const place = locateFormPath(parts.store.schema, path)
  if (place) go(place.step, () => focusElementIn(elementIdOf(parts, place.path), undefined, place.nth))
}
