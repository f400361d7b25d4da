import { type Violation, violation } from '#kernel/errors.ts'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import { readForm } from '#kernel/forms/read-form.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'

/** Parses a custom form by the rules shared by the screen and all routes. */
export const parseCustomForm = (title: string, given: unknown) =>
  readForm({ schema: { title, steps: [] }, title: '', taken: [], free: true }, given)

/** Problems that block publishing but not saving. */
export const publishProblems = (form: FormSchema): Violation[] => [
  ...(fieldsIn(form).length ? [] : [violation('schema.steps', 'Please add at least one question')]),
  ...form.steps.flatMap((step, i) =>
    fieldsIn({ steps: [step] }).length ? [] : [violation(`schema.steps[${i}]`, `“${step.title}” has no questions`)],
  ),
]

/** Steps of a new form: one step without questions. */
export const EMPTY_STEPS = [{ name: 'step', title: 'Questions', groups: [{ fields: [] }] }] as const
