import { type Fields, labelOf } from '#kernel/fields.ts'
import { problems } from '#kernel/validate.ts'
import { ApiError } from '../api/client.ts'
import { sentValue } from './values.ts'

/** Sentences by field, as react-hook-form takes them. */
export type Wrong = Record<string, { type: string; message: string }>

/** What the declaration finds wrong with what is in a form: the sentences that the server would answer with. */
export const wrongWith = (fields: Fields, values: Readonly<Record<string, unknown>>): Wrong =>
  Object.fromEntries(
    problems(
      fields,
      Object.fromEntries(Object.entries(fields).map(([name, f]) => [name, sentValue(f, values[name])])),
    ).map((v) => [v.propertyPath, { type: 'declared', message: v.message }]),
  )

/** The server's refusal: by field where the form has it, and the rest as sentences. */
export function placed(
  error: unknown,
  fields: Fields,
  words: (e: unknown) => string,
): { wrong: Wrong; rest: string[] } {
  const violations = error instanceof ApiError ? error.violations : []
  if (violations.length === 0) return { wrong: {}, rest: [words(error)] }
  const wrong: Wrong = {}
  const rest: string[] = []
  for (const { propertyPath, message } of violations) {
    const name = propertyPath.split(/[.[]/)[0] ?? ''
    if (name in fields && !wrong[name]) wrong[name] = { type: 'server', message }
    else rest.push(name in fields ? `${labelOf(name, fields[name]!)}: ${message}` : message)
  }
  return { wrong, rest }
}
