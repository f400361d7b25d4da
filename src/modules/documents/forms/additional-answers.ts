import { recordToAnswers } from '#kernel/forms/answers.ts'
import { hasAnswer } from '#kernel/forms/has-answer.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { type Values, visibleForm } from '#kernel/forms/visible.ts'

interface Further {
  /** Heading: the step's title, followed by `: further details` unless the step has only additional fields. */
  readonly title: string
  readonly fields: readonly { readonly field: FormField; readonly value: unknown }[]
}

export function additionalAnswers(schema: FormSchema, record: Values): Further[] {
  const answers = recordToAnswers(schema, record)
  return visibleForm(schema, answers).steps.flatMap(({ step, groups }) => {
    const shown = groups.flatMap((g) => g.fields)
    const fields = shown
      .filter((field) => field.additional && hasAnswer(field, answers[field.name]))
      .map((field) => ({ field, value: answers[field.name] }))
    const alone = shown.every((field) => field.additional)
    return fields.length ? [{ title: alone ? step.title : `${step.title}: further details`, fields }] : []
  })
}
