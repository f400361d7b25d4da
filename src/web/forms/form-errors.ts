import { fieldAt, type Violation } from '#kernel/errors.ts'
import { type Fields, labelOf } from '#kernel/fields.ts'
import { problems } from '#kernel/validate.ts'
import { ApiError } from '../api/client.ts'
import { sentValue } from './values.ts'

/** The problems of a form by its declaration, with the server's messages. */
export const problemsIn = (fields: Fields, values: Readonly<Record<string, unknown>>): Violation[] =>
  problems(
    fields,
    Object.fromEntries(Object.entries(fields).map(([name, f]) => [name, sentValue(f, values[name])])),
  ).map((v) => ({ ...v, propertyPath: fieldAt(v.propertyPath) }))

/** Splits the server's refusal: one message for each field of the form, and the rest. */
export function placeErrors(
  error: unknown,
  fields: Fields,
  words: (e: unknown) => string,
): { wrong: Violation[]; rest: string[] } {
  const violations = error instanceof ApiError ? error.violations : []
  if (violations.length === 0) return { wrong: [], rest: [words(error)] }
  const wrong = new Map<string, Violation>()
  const rest: string[] = []
  for (const v of violations) {
    const name = fieldAt(v.propertyPath)
    const field = fields[name]
    if (field && !wrong.has(name)) wrong.set(name, { ...v, propertyPath: name })
    else rest.push(field ? `${labelOf(name, field)}: ${v.message}` : v.message)
  }
  return { wrong: [...wrong.values()], rest }
}
