import { type Violation, violationFieldName } from '#kernel/errors.ts'
import { type Fields, labelOf } from '#kernel/fields.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { ApiError } from '../api/client.ts'
import { valueToSend } from './values.ts'

/** Finds problems in a form according to its declaration. The messages are the same as the server's. */
export const findFormProblems = (fields: Fields, values: Readonly<Record<string, unknown>>): Violation[] =>
  fieldViolations(
    fields,
    Object.fromEntries(Object.entries(fields).map(([name, f]) => [name, valueToSend(f, values[name])])),
  ).map((v) => ({ ...v, propertyPath: violationFieldName(v.propertyPath) }))

/** Splits an error response from the server into one message for each field of the form, and all other messages. */
export function assignFormErrors(
  error: unknown,
  fields: Fields,
  words: (e: unknown) => string,
): { wrong: Violation[]; rest: string[] } {
  const violations = error instanceof ApiError ? error.violations : []
  if (violations.length === 0) return { wrong: [], rest: [words(error)] }
  const wrong = new Map<string, Violation>()
  const rest: string[] = []
  for (const v of violations) {
    const name = violationFieldName(v.propertyPath)
    const field = fields[name]
    if (field && !wrong.has(name)) wrong.set(name, { ...v, propertyPath: name })
    else rest.push(field ? `${labelOf(name, field)}: ${v.message}` : v.message)
  }
  return { wrong: [...wrong.values()], rest }
}
