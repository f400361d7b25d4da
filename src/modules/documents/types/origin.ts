import { type Violation, violation } from '#kernel/errors.ts'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import { hasAnswer } from '#kernel/forms/filled.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { visible } from '#kernel/forms/visible.ts'
import { textOf } from '#kernel/text.ts'

type Values = Readonly<Record<string, unknown>>

/** The form that a record is written by, and what its kind asks about beside: the fields of its own inputs. */
interface Asks {
  readonly schema: FormSchema
  readonly confirms?: readonly string[] | undefined
}

const confirmable = ({ schema, confirms = [] }: Asks): FormField[] =>
  fieldsIn(schema).filter((f) => f.confirm || confirms.includes(f.name))

/** The answers of a copy that somebody has to look at: of place, day and people, where the copied one says something. */
export const copiedAnswers = (kind: Asks, values: Values): string[] =>
  confirmable(kind).flatMap((f) => (hasAnswer(f, values[f.name]) ? [f.name] : []))

/** What is still unconfirmed after a change: a name stays until it is left out, or what it names is changed or emptied. */
export function stillUnconfirmed(kind: Asks, before: Values, changes: Values): string[] {
  const asked = changes.unconfirmed
  const next = { ...before, ...changes }
  const open = new Set(copiedAnswers(kind, next))
  return namesIn(before.unconfirmed).filter(
    (name) => !(name in changes) && open.has(name) && (asked === undefined || namesIn(asked).includes(name)),
  )
}

export const namesIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []

/** What a person is asked about an answer that came with a copy. */
export const stillRight = (record: Values): string =>
  `Copied from ${textOf(record.copiedFrom) || 'another document'}: is it still right?`

/** The answers that nobody has said to hold, where they are shown. */
export function unconfirmedAnswers(schema: FormSchema, record: Values): Violation[] {
  const names = namesIn(record.unconfirmed)
  if (!names.length) return []
  const shown = fieldsIn(visible(schema, record))
  return shown.flatMap((f) =>
    names.includes(f.name) && hasAnswer(f, record[f.name])
      ? [violation(f.name, stillRight(record), 'unconfirmed')]
      : [],
  )
}
