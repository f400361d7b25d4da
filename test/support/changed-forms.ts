import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { riskAssessmentForm } from '#modules/safety/risk/form.ts'

export const GAS_MONITOR_FIELD: FormField = {
  name: 'gasMonitor',
  kind: 'text',
  label: 'Gas monitor',
  additional: true,
  required: true,
}

/** Returns the assessment form with a changed first step. */
export const changeFirstStepFields = (
  change: (fields: readonly FormField[]) => readonly FormField[],
  base: FormSchema = riskAssessmentForm,
) => ({
  ...base,
  steps: base.steps.map((step, i) =>
    i > 0 ? step : { ...step, groups: step.groups.map((g, n) => (n > 0 ? g : { ...g, fields: change(g.fields) })) },
  ),
})
/** Returns the assessment form with an additional required field. */
export const withGasMonitorField = (more: Partial<FormField> = {}) =>
  changeFirstStepFields((fields) => [...fields, { ...GAS_MONITOR_FIELD, ...more }])

/** Returns the assessment form without the named fields. */
export const withoutFormFields = (...names: string[]) =>
  changeFirstStepFields((fields) => fields.filter((f) => !names.includes(f.name)))
