import { type Violation, violation } from '../errors.ts'
import { formFieldsByName, formFieldsIn } from './fields-in.ts'
import { isPlainObject, toRowObjects } from './rows.ts'
import type { FormField, FormFieldOption, FormSchema } from './schema.ts'
import { type Values, visibleForm } from './visible.ts'

/** Questions in one section that one press answered with their fine options. */
export interface FineAnswers {
  /** Time of the press on the device, in ISO 8601; null if the device's clock was wrong. */
  readonly at: string | null
  /** Names of the questions, in the order of the form. */
  readonly questions: readonly string[]
}

/** Maximum number of presses that a completed form records. */
const MAX_PRESSES = 60

/** Returns the option that a form's author has marked as fine; undefined if there is none. */
export const fineOptionOf = ({ kind, options = [] }: FormField): FormFieldOption | undefined =>
  kind === 'select' ? options.find((o) => o.means === 'fine') : undefined

export const isDefect = ({ kind, options = [] }: FormField, value: unknown): boolean =>
  kind === 'select' && options.some((o) => o.means === 'defect' && o.value === value)

/** Returns the fields about a question's defects: they are shown only while the question is answered with a defect. */
export const defectFieldsOf = (form: FormSchema, question: FormField): FormField[] =>
  formFieldsIn(form).filter(({ when: [condition, ...others] = [] }) => {
    if (condition?.watch !== question.name || others.length) return false
    const values = 'equals' in condition ? [condition.equals] : (condition.in ?? [])
    return values.length > 0 && values.every((value) => isDefect(question, value))
  })

/** Returns the field for photos of a question's defects. */
export const defectPhotoOf = (form: FormSchema, question: FormField): FormField | undefined =>
  defectFieldsOf(form, question).find(({ kind }) => kind === 'uploads')

const hasFineAnswer = (field: FormField, values: Values): boolean => {
  const fine = fineOptionOf(field)
  return fine !== undefined && values[field.name] === fine.value
}

const isUnanswered = (value: unknown) => value === undefined || value === null || value === ''

/** Returns the visible questions of a section that are unanswered and have a fine option. */
export const questionsLeftForFine = (schema: FormSchema, step: string, values: Values): readonly FormField[] =>
  visibleForm(schema, values).steps.flatMap((shown) =>
    shown.step.name === step
      ? formFieldsIn({ steps: [shown] }).filter((f) => fineOptionOf(f) && isUnanswered(values[f.name]))
      : [],
  )

/** Removes the questions that no longer have their fine answers, and presses without questions. */
export function pickFineAnswers(
  schema: FormSchema,
  values: Values,
  presses: readonly FineAnswers[],
): readonly FineAnswers[] {
  const fine = new Set(formFieldsIn(schema).flatMap((f) => (hasFineAnswer(f, values) ? [f.name] : [])))
  return presses.flatMap((press) => {
    const questions = press.questions.filter((name) => fine.has(name))
    return questions.length === press.questions.length ? [press] : questions.length ? [{ ...press, questions }] : []
  })
}

/**
 * Reads which answers were entered together. `answers` excludes those of hidden questions. Each question must be
 * answered with its fine option and be listed only once. A time after `now` comes from a wrong clock and becomes `now`;
 * one before the form was published comes from a wrong clock too, and the time of the press is unknown.
 */
export function parseFineAnswers(
  schema: FormSchema,
  answers: Values,
  given: unknown,
  { published, now }: { readonly published: Temporal.Instant; readonly now: Temporal.Instant },
): { readonly kept: readonly FineAnswers[]; readonly wrong: readonly Violation[] } {
  if (given === undefined || given === null) return { kept: [], wrong: [] }
  if (!Array.isArray(given) || given.length > MAX_PRESSES || !given.every(isPlainObject))
    return {
      kept: [],
      wrong: [violation('', 'The answers entered together are not valid. Please send the form again')],
    }
  const byName = formFieldsByName(schema)
  const named = new Set<unknown>()
  const wrong: Violation[] = []
  const kept = toRowObjects(given).map(({ at, questions }, i): FineAnswers => {
    const pressed = parseInstant(at)
    if (!pressed) wrong.push(violation(`[${i}].at`, 'Please enter the time, such as 2026-02-28T10:20:00Z'))
    if (!Array.isArray(questions) || questions.length === 0)
      wrong.push(violation(`[${i}].questions`, 'Please name the questions that were answered together'))
    const names = (Array.isArray(questions) ? questions : []).map(String)
    for (const name of names) {
      const field = byName.get(name)
      if (!field || !hasFineAnswer(field, answers))
        wrong.push(
          violation(
            `[${i}].questions`,
            `“${(field?.label ?? name).slice(0, 120)}” is not answered with its fine option`,
          ),
        )
      if (named.has(name)) wrong.push(violation(`[${i}].questions`, `“${name.slice(0, 60)}” is named twice`))
      named.add(name)
    }
    const isBefore = pressed && Temporal.Instant.compare(pressed, published) < 0
    const time = pressed && Temporal.Instant.compare(pressed, now) < 0 ? pressed : now
    return { at: isBefore ? null : time.toString(), questions: names }
  })
  return wrong.length ? { kept: [], wrong } : { kept, wrong }
}

function parseInstant(value: unknown): Temporal.Instant | undefined {
  try {
    return typeof value === 'string' ? Temporal.Instant.from(value) : undefined
  } catch {
    return undefined
  }
}

/** Returns the number of visible answers that are defects, including those in rows. */
export function countDefects(schema: FormSchema, values: Values): number {
  const countIn = (field: FormField, value: unknown): number =>
    field.kind === 'rows'
      ? toRowObjects(value).reduce(
          (sum, row) => sum + (field.fields ?? []).filter((own) => isDefect(own, row[own.name])).length,
          0,
        )
      : Number(isDefect(field, value))
  return formFieldsIn(visibleForm(schema, values)).reduce((sum, f) => sum + countIn(f, values[f.name]), 0)
}
