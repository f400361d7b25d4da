import type { Violation } from '../errors.ts'
import { fieldsIn } from './fields-in.ts'
import { objectOf } from './rows.ts'
import type { FormSchema } from './schema.ts'
import type { Values } from './visible.ts'

/** What the values of additional fields are kept in, by their names. */
export const ADDITIONAL_COLUMN = 'additional'

const additionalNames = (schema: FormSchema) => fieldsIn(schema).flatMap((f) => (f.additional ? [f.name] : []))

/** A record as its form asks for it: what is kept of additional fields stands beside the kind's own values. */
export function recordToAnswers(schema: FormSchema, record: Values): Values {
  const kept = objectOf(record[ADDITIONAL_COLUMN])
  const additional = additionalNames(schema).map((name) => [name, kept[name] ?? null])
  return additional.length ? { ...record, ...Object.fromEntries(additional) } : record
}

/** The same the other way round: values by the names of a form, as the record keeps them. */
export function answersToRecord(schema: FormSchema, answers: Values): Values {
  const names = new Set(additionalNames(schema))
  const own = Object.entries(answers).filter(([name]) => !names.has(name))
  const additional = Object.entries(answers).filter(([name]) => names.has(name))
  return {
    ...Object.fromEntries(own),
    ...(additional.length ? { [ADDITIONAL_COLUMN]: Object.fromEntries(additional) } : {}),
  }
}

/** What is wrong with the answers of a form, under the places that the record keeps them in. */
export function violationsToRecord(schema: FormSchema, wrong: readonly Violation[]): Violation[] {
  const names = new Set(additionalNames(schema))
  return wrong.map((v) =>
    names.has(v.propertyPath.split(/[.[]/)[0] ?? '')
      ? { ...v, propertyPath: `${ADDITIONAL_COLUMN}.${v.propertyPath}` }
      : v,
  )
}
