import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { defectFieldsOf, isDefect } from '#kernel/forms/fine.ts'
import { hasAnswer } from '#kernel/forms/has-answer.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import type { FormField, FormFieldKind, FormSchema } from '#kernel/forms/schema.ts'
import { calculateAnswerPoints } from '#kernel/forms/score.ts'
import { type Values, visibleFieldsInRow, visibleForm } from '#kernel/forms/visible.ts'
import { formAnswerText } from './pdf-body.ts'

const TEXT_KINDS = new Set<FormFieldKind>(['text', 'longText'])

/** Answer in a completed form that a corrective action can put right. */
interface FailedAnswer {
  /** Path of the answer, such as `lamps` or `tyres[1].tread`. */
  readonly at: string
  /** The question and its answer, such as `Tyres, row 2: Tread: Worn (defect)`. */
  readonly label: string
  /** Answers that describe the defect; empty if the form asks for none. */
  readonly details: string
}

/** Returns true for a defect, and for an answer that earns none of its question's points. */
function isFailed(field: FormField, value: unknown): boolean {
  if (isDefect(field, value)) return true
  const [points, outOf] = (hasAnswer(field, value) && calculateAnswerPoints(field, value)) || [0, 0]
  return outOf > 0 && points <= 0
}

/** Returns the visible answers of a form that failed, in the order of the form. */
export function findFailedAnswers(schema: FormSchema, values: Values): FailedAnswer[] {
  const seen = visibleForm(schema, values)
  const detailsOf = (field: FormField) =>
    defectFieldsOf(schema, field)
      .flatMap((f) => (TEXT_KINDS.has(f.kind) && formAnswerText(f, values[f.name])) || [])
      .join('\n')
  const failed = (field: FormField, value: unknown, at: string, place: string): FailedAnswer[] => {
    const colon = field.label.endsWith('?') ? '' : ':'
    const label = `${place}${field.label}${colon} ${formAnswerText(field, value)}`
    return isFailed(field, value) ? [{ at, label, details: place ? '' : detailsOf(field) }] : []
  }
  return formFieldsIn(seen).flatMap((field) => {
    const value = values[field.name]
    if (field.kind !== 'rows') return failed(field, value, field.name, '')
    return toRowObjects(value).flatMap((row, i) =>
      visibleFieldsInRow(field.fields ?? [], row, seen.value).fields.flatMap((own) =>
        failed(own, row[own.name], `${field.name}[${i}].${own.name}`, `${field.label}, row ${i + 1}: `),
      ),
    )
  })
}
