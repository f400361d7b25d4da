import { type Violation, violation } from '#kernel/errors.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { parseFormVersion } from '#kernel/forms/read-form.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'

/** Parses a custom form. The screen and all routes apply the same rules. */
export const parseCustomForm = (title: string, given: unknown) =>
  parseFormVersion({ schema: { title, steps: [] }, title: '', taken: [], free: true }, given)

/** Returns the problems that block publishing a form but not saving it. */
export const formPublishingProblems = (form: FormSchema): Violation[] => [
  ...(formFieldsIn(form).length ? [] : [violation('schema.steps', 'Please add at least one question')]),
  ...form.steps.flatMap((step, i) =>
    formFieldsIn({ steps: [step] }).length ? [] : [violation(`schema.steps[${i}]`, `“${step.title}” has no questions`)],
  ),
]

/** Steps of a new form: one step without questions. */
export const NEW_FORM_STEPS = [{ name: 'step', title: 'Questions', groups: [{ fields: [] }] }] as const
