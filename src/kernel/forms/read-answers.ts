import { type Violation, violation } from '../errors.ts'
import type { HtmlSanitiser } from '../text/clean-nodes.ts'
import { ADDITIONAL_ANSWERS_COLUMN, recordToAnswers } from './answers.ts'
import { employeesIn, sanitiseAnswer } from './clean.ts'
import type { ValueLookup } from './conditions.ts'
import { employeeFieldOf, formFieldsIn } from './fields-in.ts'
import { hasAnswer } from './has-answer.ts'
import { findDataLoss } from './losses.ts'
import { formCompletionProblems } from './problems.ts'
import { toPlainObject, toRowObjects } from './rows.ts'
import type { FormField, FormFieldKind, FormSchema } from './schema.ts'
import type { Values } from './visible.ts'
import { visibleFieldsInRow, visibleForm } from './visible.ts'

/**
 * Returns the changes that clear a record's hidden fields. The completed, sealed and printed document must match the
 * one on the screen.
 */
export function clearHiddenFields(schema: FormSchema, record: Values): Values {
  const answers = recordToAnswers(schema, record)
  const seen = visibleForm(schema, answers)
  const shown = new Set(formFieldsIn(seen))
  const changes: Record<string, unknown> = {}
  const additional: Record<string, unknown> = { ...toPlainObject(record[ADDITIONAL_ANSWERS_COLUMN]) }
  for (const field of formFieldsIn(schema)) {
    const value = answers[field.name]
    const kept = shown.has(field) ? withoutHiddenInRows(field, value, seen.value) : null
    if (kept === value || (kept === null && value === undefined)) continue
    if (field.additional) additional[field.name] = kept
    else changes[field.name] = kept
  }
  const same = JSON.stringify(additional) === JSON.stringify(toPlainObject(record[ADDITIONAL_ANSWERS_COLUMN]))
  return same ? changes : { ...changes, [ADDITIONAL_ANSWERS_COLUMN]: additional }
}

/** Clears the values of hidden fields in each row. Returns the value itself if there is nothing to clear. */
function withoutHiddenInRows({ kind, fields = [] }: FormField, value: unknown, around: ValueLookup): unknown {
  if (kind !== 'rows' || !Array.isArray(value) || !fields.some((f) => f.when)) return value
  const rows = toRowObjects(value).map((row) => {
    const seen = visibleFieldsInRow(fields, row, around)
    const hidden = fields.filter((f) => !seen.fields.includes(f) && (row[f.name] ?? null) !== null)
    return hidden.length ? { ...row, ...Object.fromEntries(hidden.map((f) => [f.name, null])) } : row
  })
  return rows.every((row, i) => row === value[i]) ? value : rows
}

/** Answers to store, and everything that prevents acceptance of the form. */
export interface ParsedAnswers {
  readonly kept: Values
  readonly wrong: readonly Violation[]
}

/** True if a signature field has no signature: its pad is blank, or its typed name is hidden. */
const isUnsigned = (f: FormField, value: unknown) => f.kind === 'signature' && !hasAnswer(f, value)

/**
 * Reads the answers to a form. Rejects values that the form does not ask for, and omits the values of hidden fields.
 */
export function parseAnswers(schema: FormSchema, given: unknown, cleanHtml: HtmlSanitiser): ParsedAnswers {
  const values = toPlainObject(given)
  const fields = formFieldsIn(schema)
  const asked = new Set(fields.flatMap((f) => (f.kind === 'person' ? [f.name, employeeFieldOf(f)] : [f.name])))
  const unknown = Object.keys(values).flatMap((name) =>
    asked.has(name) ? [] : [violation(name, `The form has no field “${name.slice(0, 60)}”`)],
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
      return value === null || isUnsigned(f, value) ? [] : [[f.name, sanitiseAnswer(f, value, cleanHtml)] as const]
    }),
  )
  const shown = Object.entries({ ...cleaned, ...clearHiddenFields(schema, cleaned) }).filter(
    ([, value]) => value !== null,
  )
  const answered = Object.fromEntries(shown)
  const kept = {
    ...answered,
    ...employeesIn(
      fields.filter((f) => f.name in answered),
      values,
    ),
  }
  return { kept, wrong: formCompletionProblems(schema, kept) }
}

/** Kinds of answers that each check must give itself: evidence, declarations, people and lists of findings. */
const NOT_PROPOSED = new Set<FormFieldKind>(['uploads', 'signature', 'checkbox', 'rows', 'person'])

/** Returns true if a former answer can be proposed: the question still accepts it, even in another version of the form. */
export const isProposable = (field: FormField, value: unknown): boolean =>
  !NOT_PROPOSED.has(field.kind) &&
  hasAnswer(field, value) &&
  findDataLoss(field, value).length === 0 &&
  (field.kind !== 'select' || (field.options ?? []).some((o) => o.value === value))
