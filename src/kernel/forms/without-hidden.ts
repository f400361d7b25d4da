import { ADDITIONAL_COLUMN, recordToAnswers } from './answers.ts'
import type { ValueLookup } from './conditions.ts'
import { fieldsIn } from './fields-in.ts'
import { objectOf, rowsOf } from './rows.ts'
import type { FormField, FormSchema } from './schema.ts'
import { type Values, visibleForm, visibleInRow } from './visible.ts'

/**
 * Returns the changes that clear the hidden fields of a record, so that what people see while editing is what is
 * completed, sealed and printed.
 */
export function clearHiddenFields(schema: FormSchema, record: Values): Values {
  const answers = recordToAnswers(schema, record)
  const seen = visibleForm(schema, answers)
  const shown = new Set(fieldsIn(seen))
  const changes: Record<string, unknown> = {}
  const additional: Record<string, unknown> = { ...objectOf(record[ADDITIONAL_COLUMN]) }
  for (const field of fieldsIn(schema)) {
    const value = answers[field.name]
    const kept = shown.has(field) ? withoutHiddenInRows(field, value, seen.value) : null
    if (kept === value || (kept === null && value === undefined)) continue
    if (field.additional) additional[field.name] = kept
    else changes[field.name] = kept
  }
  const same = JSON.stringify(additional) === JSON.stringify(objectOf(record[ADDITIONAL_COLUMN]))
  return same ? changes : { ...changes, [ADDITIONAL_COLUMN]: additional }
}

/** Returns the same value if no row has hidden values. */
function withoutHiddenInRows({ kind, fields = [] }: FormField, value: unknown, around: ValueLookup): unknown {
  if (kind !== 'rows' || !Array.isArray(value) || !fields.some((f) => f.when)) return value
  const rows = rowsOf(value).map((row) => {
    const seen = visibleInRow(fields, row, around)
    const hidden = fields.filter((f) => !seen.fields.includes(f) && (row[f.name] ?? null) !== null)
    return hidden.length ? { ...row, ...Object.fromEntries(hidden.map((f) => [f.name, null])) } : row
  })
  return rows.every((row, i) => row === value[i]) ? value : rows
}
