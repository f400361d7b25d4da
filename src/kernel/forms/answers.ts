import type { Violation } from '../errors.ts'
import { violation } from '../errors.ts'
import { formFieldsByName, formFieldsIn } from './fields-in.ts'
import { hasAnswer } from './has-answer.ts'
import { findDataLoss } from './losses.ts'
import { toPlainObject, toRowObjects } from './rows.ts'
import type { FormField, FormSchema } from './schema.ts'
import type { Values } from './visible.ts'

/** Column that stores the values of additional fields, by name. */
export const ADDITIONAL_ANSWERS_COLUMN = 'additional'

const additionalNames = (schema: FormSchema) => formFieldsIn(schema).flatMap((f) => (f.additional ? [f.name] : []))

/** Converts a record to form answers, with additional fields alongside the type's own fields. */
export function recordToAnswers(schema: FormSchema, record: Values): Values {
  const kept = toPlainObject(record[ADDITIONAL_ANSWERS_COLUMN])
  const additional = additionalNames(schema).map((name) => [name, kept[name] ?? null])
  return additional.length ? { ...record, ...Object.fromEntries(additional) } : record
}

export function convertAnswersToRecord(schema: FormSchema, answers: Values): Values {
  const names = new Set(additionalNames(schema))
  const own = Object.entries(answers).filter(([name]) => !names.has(name))
  const additional = Object.entries(answers).filter(([name]) => names.has(name))
  return {
    ...Object.fromEntries(own),
    ...(additional.length ? { [ADDITIONAL_ANSWERS_COLUMN]: Object.fromEntries(additional) } : {}),
  }
}

/** Converts the paths of violations from the form to the record. */
export function toRecordViolations(schema: FormSchema, wrong: readonly Violation[]): Violation[] {
  const names = new Set(additionalNames(schema))
  return wrong.map((v) =>
    names.has(v.propertyPath.split(/[.[]/)[0] ?? '')
      ? { ...v, propertyPath: `${ADDITIONAL_ANSWERS_COLUMN}.${v.propertyPath}` }
      : v,
  )
}

/** An answer for which the form no longer has a suitable field. Shown to the author until it is moved or discarded. */
export interface UnplacedAnswer {
  readonly name: string
  readonly label: string
  readonly kind: string
  readonly value: unknown
}

/** Column that stores answers for which the form has no suitable field. */
export const UNPLACED_ANSWERS_COLUMN = 'unplaced'

export const unplacedAnswers = (record: Values): readonly UnplacedAnswer[] =>
  toRowObjects(record[UNPLACED_ANSWERS_COLUMN]).flatMap(({ name, label, kind, value }) =>
    typeof name === 'string' && typeof label === 'string' && typeof kind === 'string'
      ? [{ name, label, kind, value }]
      : [],
  )

/** Returns a violation if there are unplaced answers. Each must first be moved or discarded. */
export const unplacedAnswerViolations = (record: Values): Violation[] =>
  unplacedAnswers(record).length
    ? [
        violation(
          UNPLACED_ANSWERS_COLUMN,
          'This form has no field for an earlier answer: please move the answer to another field, or discard it',
        ),
      ]
    : []

/** True if the field has an answer other than the placeholder. */
export const hasNonPlaceholderAnswer = (field: FormField, value: unknown): boolean =>
  hasAnswer(field, value) && (field.placeholder === undefined || value !== field.placeholder)

/**
 * Returns the changes that convert a record to another form. Moves values that fit, stores the others as unplaced
 * answers, and restores earlier unplaced answers to a free field. No value is lost.
 */
export function convertRecordToForm(from: FormSchema, to: FormSchema, record: Values): Values {
  const there = formFieldsByName(to)
  const answers = recordToAnswers(from, record)
  const given = formFieldsIn(from).filter((f) => f.kind !== 'custom' && hasNonPlaceholderAnswer(f, answers[f.name]))
  const fitting = given.filter((f) => fits(f, there.get(f.name), answers[f.name]))
  const kept = new Map(fitting.map((f) => [f.name, answers[f.name]]))
  const before = unplacedAnswers(record)
  const back = before.filter((u) => !kept.has(u.name) && comesBack(u, there.get(u.name)))
  const lost = given.filter((f) => !fitting.includes(f))
  const aside = [
    ...before.filter((u) => !back.includes(u)),
    ...lost.map(({ name, label, kind }) => ({ name, label, kind, value: answers[name] })),
  ]
  const additional = [
    ...fitting.filter((f) => f.additional).map((f) => [f.name, answers[f.name]] as const),
    ...back.filter((u) => there.get(u.name)?.additional).map((u) => [u.name, u.value] as const),
  ]
  return {
    ...Object.fromEntries(lost.filter((f) => !f.additional).map((f) => [f.name, null])),
    ...Object.fromEntries(back.filter((u) => !there.get(u.name)?.additional).map((u) => [u.name, u.value])),
    ...(additional.length || Object.keys(toPlainObject(record[ADDITIONAL_ANSWERS_COLUMN])).length
      ? { [ADDITIONAL_ANSWERS_COLUMN]: Object.fromEntries(additional) }
      : {}),
    ...(aside.length || before.length ? { [UNPLACED_ANSWERS_COLUMN]: aside } : {}),
  }
}

/** True if the field is the same in both forms and can store the value unchanged. */
const fits = (was: Pick<FormField, 'kind' | 'additional'>, is: FormField | undefined, value: unknown): boolean =>
  is !== undefined && is.kind === was.kind && is.additional === was.additional && holdsWhole(is, value)

const comesBack = (u: UnplacedAnswer, is: FormField | undefined): boolean =>
  is !== undefined && is.kind === u.kind && holdsWhole(is, u.value)

const holdsWhole = (field: FormField, value: unknown): boolean =>
  findDataLoss(field, value).length === 0 &&
  (field.kind !== 'select' || !field.options || field.options.some((o) => o.value === value))
