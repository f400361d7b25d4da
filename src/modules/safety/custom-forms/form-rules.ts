import { type Violation, violation } from '#kernel/errors.ts'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import { readForm } from '#kernel/forms/read-form.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'

/** What somebody made, as a form: the same on the screen and at every door. */
export const readCustomForm = (title: string, given: unknown) =>
  readForm({ schema: { title, steps: [] }, title: '', taken: [], free: true }, given)

/** What keeps a form from being published, beyond what keeps it from being saved. */
export const publishProblems = (form: FormSchema): Violation[] => [
  ...(fieldsIn(form).length ? [] : [violation('schema.steps', 'Please ask at least one question')]),
  ...form.steps.flatMap((step, i) =>
    fieldsIn({ steps: [step] }).length ? [] : [violation(`schema.steps[${i}]`, `“${step.title}” asks for nothing`)],
  ),
]

/** A form that asks for nothing yet: one step, to begin with. */
export const EMPTY_STEPS = [{ name: 'step', title: 'Questions', groups: [{ fields: [] }] }] as const
