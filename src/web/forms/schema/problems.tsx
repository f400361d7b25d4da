import { useSyncExternalStore } from 'react'
import type { Violation } from '#kernel/errors.ts'
import { ErrorSummary } from '../error-summary.tsx'
import { idOf } from '../store/path.ts'
import { focusIn } from './focus.ts'
import type { FormParts } from './parts.ts'
import { labelAt, placeOf } from './places.ts'
import type { Go } from './use-step.ts'

interface Props {
  readonly parts: FormParts
  readonly go: Go
}

/** All problems, once somebody has tried to complete the form, each a link to its field in any step. */
export function Problems({ parts, go }: Props) {
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
        const v = link && violations.find((x) => `#${idOf(parts, x.propertyPath)}` === link.getAttribute('href'))
        if (!v) return
        e.preventDefault()
        e.stopPropagation()
        leadTo(parts, go, v.propertyPath)
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

/** Opens the step of a path and moves the focus to its input. */
export function leadTo(parts: FormParts, go: Go, path: string): void {
  const place = placeOf(parts.store.schema, path)
  if (place) go(place.step, () => focusIn(idOf(parts, place.path), undefined, place.nth))
}
