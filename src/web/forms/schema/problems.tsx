import { useSyncExternalStore } from 'react'
import type { Violation } from '#kernel/errors.ts'
import { ErrorSummary } from '../error-summary.tsx'
import { elementIdOf } from '../store/path.ts'
import { focusElementIn } from './focus.ts'
import { labelOfFormPath, locateFormPath } from './locate-path.ts'
import type { SchemaFormContext } from './parts.ts'
import type { OpenFormStep } from './use-step.ts'

interface Props {
  readonly parts: SchemaFormContext
  readonly go: OpenFormStep
}

/**
 * All problems of a form, each with a link to its field in any step. Shown once somebody has tried to complete the
 * form.
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
          const label = labelOfFormPath(store.schema, v.propertyPath)
          return label === undefined
            ? { message: v.message }
            : { id: elementIdOf(parts, v.propertyPath), ...(label ? { label } : {}), message: v.message }
        })}
      />
    </div>
  )
}

/** Opens the step of a path and moves the focus to its input. */
export function focusFormPath(parts: SchemaFormContext, go: OpenFormStep, path: string): void {
  const place = locateFormPath(parts.store.schema, path)
  if (place) go(place.step, () => focusElementIn(elementIdOf(parts, place.path), undefined, place.nth))
}
