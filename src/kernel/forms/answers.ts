import type { Violation } from '../errors.ts'
import { fieldsIn } from './fields-in.ts'
import { objectOf } from './rows.ts'
import type { FormSchema } from './schema.ts'
import type { Values } from './visible.ts'

/** Column with the values of additional fields, by name. */
export const ADDITIONAL_COLUMN = 'additional'

const additionalNames = (schema: FormSchema) => fieldsIn(schema).flatMap((f) => (f.additional ? [f.name] : []))

/** Converts a record to form answers: additional fields are placed beside the kind's own values. */
export function recordToAnswers(schema: FormSchema, record: Values): Values {
  const kept = objectOf(record[ADDITIONAL_COLUMN])
  const additional = additionalNames(schema).map((name) => [name, kept[name] ?? null])
  return additional.length ? { ...record, ...Object.fromEntries(additional) } : record
}

/** Converts form answers to a record. */
export function answersToRecord(schema: FormSchema, answers: Values): Values {
  const names = new Set(additionalNames(schema))
  const own = Object.entries(answers).filter(([name]) => !names.has(name))
  const additional = Object.entries(answers).filter(([name]) => names.has(name))
  return {
    ...Object.fromEntries(own),
    ...(additional.length ? { [ADDITIONAL_COLUMN]: Object.fromEntries(additional) } : {}),
  }
}

/** Converts the paths of violations from the form to the record. */
export function violationsToRecord(schema: FormSchema, wrong: readonly Violation[]): Violation[] {
  const names = new Set(additionalNames(schema))
  return wrong.map((v) =>
    names.has(v.propertyPath.split(/[.[]/)[0] ?? '')
      ? { ...v, propertyPath: `${ADDITIONAL_COLUMN}.${v.propertyPath}` }
      : v,
  )
}
