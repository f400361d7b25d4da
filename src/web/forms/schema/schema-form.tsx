import { type ComponentType, useEffect, useEffectEvent, useId, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { FormStep } from '#kernel/forms/schema.ts'
import type { CustomFieldProps, SchemaFormParts } from './parts.ts'
import type { OpenStep } from './problems.tsx'
import { FormProblems, focusPath, useFormStep } from './problems.tsx'
import { RowsField } from './rows-field.tsx'
import css from './schema-form.module.css'
import { SchemaStep } from './schema-step.tsx'
import { StepMap } from './step-map.tsx'
import type { FormStore } from './store.ts'

/** The parameter of an address that names a path in the form: `?step=hazards&at=controls[3].probability`. */
const AT = 'at'

/** The address of a path in the form at the address `form`. */
export const formPathAddress = (form: string, step: string, path: string): string =>
  `${form}?${new URLSearchParams({ step, [AT]: path })}`

/** Opens the path in the page's address, once, and shows all problems. */
function useRequestedPath(parts: SchemaFormParts, go: OpenStep): void {
  const [search, setSearch] = useSearchParams()
  const place = search.get(AT)
  const arrive = useEffectEvent((path: string) => {
    parts.store.check()
    focusPath(parts, go, path)
    const rest = new URLSearchParams(search)
    rest.delete(AT)
    // Keeps the target in view.
    setSearch(rest, { replace: true, preventScrollReset: true })
  })
  useEffect(() => {
    if (place) arrive(place)
  }, [place])
}

interface Props {
  readonly store: FormStore
  readonly readOnly?: boolean
  /** A module's own inputs by field name. Define the object outside the component that renders this. */
  readonly custom?: SchemaFormParts['custom']
  /** Draws the fields of kind `uploads`. */
  readonly uploads?: ComponentType<CustomFieldProps>
  /** Draws a note beneath a field, if any. */
  readonly note?: SchemaFormParts['Note']
  /** Steps that need the full width: the step map is shown above them. */
  readonly isWide?: (step: FormStep) => boolean
  /** Stores the open step in the page's address as `?step=`, or, in a dialog, in the component. */
  readonly stepIn?: 'address' | 'here'
}

const NONE: SchemaFormParts['custom'] = {}

/** Draws any form from its schema: a map of its steps with their completion, and the open step's fields. */
export function SchemaForm({
  store,
  readOnly = false,
  custom = NONE,
  uploads,
  note,
  isWide,
  stepIn = 'address',
}: Props) {
  const id = useId()
  const parts = useMemo(
    (): SchemaFormParts => ({ store, readOnly, custom, uploads, Note: note, id, Rows: RowsField }),
    [store, readOnly, custom, uploads, note, id],
  )
  const { steps, step, go } = useFormStep(store, stepIn, id)
  useRequestedPath(parts, go)
  if (!step) return null
  const above = isWide?.(step) ?? false
  return (
    <div className={css.form} data-map={(steps.length > 1 && !above) || undefined}>
      {steps.length > 1 && <StepMap store={store} steps={steps} current={step} go={go} above={above} />}
      <div className={css.body}>
        <FormProblems parts={parts} go={go} />
        <SchemaStep key={step.name} parts={parts} step={step} steps={steps} go={go} />
      </div>
    </div>
  )
}
