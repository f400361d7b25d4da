import { type ComponentType, useId, useMemo } from 'react'
import type { FormStep } from '#kernel/forms/schema.ts'
import type { CustomFieldProps, SchemaFormContext } from './parts.ts'
import { FormProblems } from './problems.tsx'
import { RowsField } from './rows-field.tsx'
import css from './schema-form.module.css'
import { SchemaStep } from './schema-step.tsx'
import { FormStepNavigation, useFormStep } from './step-map.tsx'
import type { FormStore } from './store.ts'
import { useFormPathFromUrl } from './use-requested-place.ts'

interface Props {
  readonly store: FormStore
  readonly readOnly?: boolean
  /** Inputs that a module supplies, by field name. Define this object outside the component that renders the form. */
  readonly custom?: SchemaFormContext['custom']
  /** Component that renders fields of kind `uploads`. */
  readonly uploads?: ComponentType<CustomFieldProps>
  /** Component that renders names of people. */
  readonly person?: ComponentType<CustomFieldProps>
  /** Component that renders a note beneath a field, if there is one. */
  readonly note?: SchemaFormContext['Note']
  /** Returns true for steps that need the full width. The step map is shown above such a step. */
  readonly isWide?: (step: FormStep) => boolean
  /** Component that is shown at the end of each step. */
  readonly stepEnd?: ComponentType<{ readonly step: FormStep }>
  /**
   * Storage for the open step: `address` for the page's URL (`?step=`), `here` for the component's state, as needed in
   * dialogs.
   */
  readonly stepIn?: 'address' | 'here'
}

const NO_CUSTOM_PARTS: SchemaFormContext['custom'] = {}

/**
 * Form that is rendered from a schema. It shows a map of the steps, with how complete each step is, and the fields of
 * the open step.
 */
export function SchemaForm({
  store,
  readOnly = false,
  custom = NO_CUSTOM_PARTS,
  uploads,
  person,
  note,
  isWide,
  stepEnd,
  stepIn = 'address',
}: Props) {
  const id = useId()
  const parts = useMemo(
    (): SchemaFormContext => ({ store, readOnly, custom, uploads, person, Note: note, id, Rows: RowsField }),
    [store, readOnly, custom, uploads, person, note, id],
  )
  const { steps, step, go } = useFormStep(store, stepIn, id)
  useFormPathFromUrl(parts, go)
  if (!step) return null
  const above = isWide?.(step) ?? false
  return (
    <div className={css.form} data-map={(steps.length > 1 && !above) || undefined}>
      {steps.length > 1 && <FormStepNavigation store={store} steps={steps} current={step} go={go} above={above} />}
      <div className={css.body}>
        <FormProblems parts={parts} go={go} />
        <SchemaStep key={step.name} parts={parts} step={step} steps={steps} go={go} End={stepEnd} />
      </div>
    </div>
  )
}
