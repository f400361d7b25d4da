import { type Violation, violation } from '../errors.ts'
import type { CleanHtml } from '../text/clean-nodes.ts'
import { cleanAnswer } from './clean.ts'
import { fieldsIn } from './fields-in.ts'
import { hasAnswer } from './filled.ts'
import { findDataLoss } from './losses.ts'
import { formProblems } from './problems.ts'
import { objectOf } from './rows.ts'
import type { FormField, FormSchema } from './schema.ts'
import type { Values } from './visible.ts'
import { clearHiddenFields } from './without-hidden.ts'

/** Answers to store, and everything that prevents the form from being accepted. */
export interface AnswersResult {
  readonly kept: Values
  readonly wrong: readonly Violation[]
}

/** An empty pad, or a hidden typed name, is not a signature. */
const isUnsigned = (f: FormField, value: unknown) => f.kind === 'signature' && !hasAnswer(f, value)

/** Reads the answers of a form: nothing that it does not ask for, and nothing in hidden fields. */
export function readAnswers(schema: FormSchema, given: unknown, cleanHtml: CleanHtml): AnswersResult {
  const values = objectOf(given)
  const fields = fieldsIn(schema)
  const asked = new Set(fields.map((f) => f.name))
  const unknown = Object.keys(values).flatMap((name) =>
    asked.has(name) ? [] : [violation(name, `The form does not ask for “${name.slice(0, 60)}”`)],
  )
  const wrong = [
    ...(values === given ? [] : [violation('', 'The answers are not valid. Reload the form and try again.')]),
    ...unknown,
    ...fields.flatMap((f) => findDataLoss(f, values[f.name])),
  ]
  if (wrong.length) return { kept: {}, wrong }
  const cleaned = Object.fromEntries(
    fields.flatMap((f) => {
      const value = values[f.name] ?? null
      return value === null || isUnsigned(f, value) ? [] : [[f.name, cleanAnswer(f, value, cleanHtml)] as const]
    }),
  )
  const shown = Object.entries({ ...cleaned, ...clearHiddenFields(schema, cleaned) }).filter(
    ([, value]) => value !== null,
  )
  const kept = Object.fromEntries(shown)
  return { kept, wrong: formProblems(schema, kept) }
}
