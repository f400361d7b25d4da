import { type Violation, violation } from '#kernel/errors.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { hasAnswer } from '#kernel/forms/has-answer.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { visibleForm } from '#kernel/forms/visible.ts'
import { toText } from '#kernel/text.ts'

type Values = Readonly<Record<string, unknown>>

/** A record's form, and the fields to confirm in a copy in addition to those marked in the form. */
interface Asks {
  readonly schema: FormSchema
  readonly confirms?: readonly string[] | undefined
}

const confirmable = ({ schema, confirms = [] }: Asks): FormField[] =>
  formFieldsIn(schema).filter((f) => f.confirm || confirms.includes(f.name))

/** Returns the names of copied answers to confirm, such as place, date and people, if they have a value. */
export const answersToConfirm = (kind: Asks, values: Values): string[] =>
  confirmable(kind).flatMap((f) => (hasAnswer(f, values[f.name]) ? [f.name] : []))

/**
 * Returns the names of the fields that are still unconfirmed after a change. A change confirms a field by changing or
 * clearing its value, or by removing the field from the list of unconfirmed fields.
 */
export function remainingUnconfirmedFields(kind: Asks, before: Values, changes: Values): string[] {
  const asked = changes.unconfirmed
  const next = { ...before, ...changes }
  const open = new Set(answersToConfirm(kind, next))
  return parseFieldNames(before.unconfirmed).filter(
    (name) => !(name in changes) && open.has(name) && (asked === undefined || parseFieldNames(asked).includes(name)),
  )
}

export const parseFieldNames = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []

export const formatCopiedAnswerPrompt = (record: Values): string =>
  `Copied from ${toText(record.copiedFrom) || 'another document'}: is this still correct?`

export function unconfirmedAnswerViolations(schema: FormSchema, record: Values): Violation[] {
  const names = parseFieldNames(record.unconfirmed)
  if (!names.length) return []
  const shown = formFieldsIn(visibleForm(schema, record))
  return shown.flatMap((f) =>
    names.includes(f.name) && hasAnswer(f, record[f.name])
      ? [violation(f.name, formatCopiedAnswerPrompt(record), 'unconfirmed')]
      : [],
  )
}
