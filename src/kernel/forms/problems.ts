import { type Violation, violation } from '../errors.ts'
import { readSignature, signatureProblems } from '../signature.ts'
import { hasVisibleText } from '../text.ts'
import { fieldViolations, requiredMessage } from '../validate.ts'
import { cleanAnswer, unreadableAnswerMessage } from './clean.ts'
import type { ValueLookup } from './conditions.ts'
import { toEngineField } from './fields.ts'
import { fieldsIn } from './fields-in.ts'
import { hasAnswer, isContactComplete } from './filled.ts'
import { rowsOf } from './rows.ts'
import type { FormField, FormKind, FormSchema } from './schema.ts'
import { type Values, visibleForm, visibleInRow } from './visible.ts'

const TEXT = 'Field required, please enter text'

const NUMBER = 'Field required, please enter number'

const CHOICE = 'Field required, select an option'

/** Emergency contacts are dialled: digits and the usual separators. */
const TELEPHONE = 'Please enter a telephone number in digits'

const DIALLED = /^\+?(?=\D*\d)[\d\s()./-]+(?:(?:x|ext\.?)\s*\d+)?$/i

const DATES = new Set<FormKind>(['date', 'dateTime'])

/** Messages that differ from the engine's: fixed by the specification (section 5), or for values without one. */
const MISSING: Partial<Record<FormKind, string>> = {
  select: CHOICE,
  autocomplete: CHOICE,
  remoteSelect: CHOICE,
  combobox: CHOICE,
  imageCards: CHOICE,
  checkbox: 'Field required',
  switch: TEXT,
  uploads: 'Field required, please add a file',
  signature: 'Field required, please sign',
  rows: 'Field required, please add at least one',
  custom: 'Field required',
}

/** Returns what prevents the form from being complete, in the form's order; only visible fields count. */
export function formProblems(schema: FormSchema, values: Values): Violation[] {
  const seen = visibleForm(schema, values)
  const fields = fieldsIn(seen)
  return fields.flatMap((f) => fieldProblems(f, values[f.name], f.name, seen.value))
}

/** Returns the problems of one field and its content; `around` is what the conditions of its rows may watch. */
function fieldProblems(field: FormField, value: unknown, path: string, around: ValueLookup): Violation[] {
  // A box that must be ticked requires a yes.
  const missing = field.kind === 'checkbox' ? value !== true : !hasAnswer(field, value)
  if (missing && !field.required) return []
  if (missing)
    return field.kind === 'emergencyContacts'
      ? [violation(`${path}[0].name`, TEXT), violation(`${path}[0].number`, NUMBER)]
      : [violation(path, missingMessage(field))]
  if (field.kind === 'rows') return rowsProblems(field, value, path, around)
  if (field.kind === 'emergencyContacts')
    return rowsOf(cleanAnswer(field, value)).flatMap((c, i) => contactProblems(c, `${path}[${i}]`))
  if (field.kind === 'signature') {
    const given = readSignature(value)
    return given ? signatureProblems(given).map((v) => ({ ...v, propertyPath: `${path}.${v.propertyPath}` })) : []
  }
  const message = problemWith(field, value)
  return message ? [violation(path, message)] : []
}

const missingMessage = (f: FormField): string =>
  f.message ?? MISSING[f.kind] ?? requiredMessage({ ...toEngineField(f), required: true })

function rowsProblems(field: FormField, value: unknown, path: string, around: ValueLookup): Violation[] {
  const rows = rowsOf(value)
  const count =
    field.min !== undefined && rows.length < field.min
      ? `${field.label} must have at least ${field.min}`
      : field.max !== undefined && rows.length > field.max
        ? `${field.label} can have at most ${field.max}`
        : undefined
  const inside = rows.flatMap((row, i) => {
    const seen = visibleInRow(field.fields ?? [], row, around)
    return seen.fields.flatMap((f) => fieldProblems(f, row[f.name], `${path}[${i}].${f.name}`, seen.value))
  })
  return count ? [violation(path, count), ...inside] : inside
}

/** A contact has both a name and a number, or neither. */
function contactProblems(contact: Values, path: string): Violation[] {
  if (!isContactComplete(contact)) return []
  const text = (part: unknown) => typeof part === 'string' && hasVisibleText(part)
  return [
    ...(text(contact.name) ? [] : [violation(`${path}.name`, TEXT)]),
    ...(text(contact.number)
      ? DIALLED.test(String(contact.number).trim())
        ? []
        : [violation(`${path}.number`, TELEPHONE)]
      : [violation(`${path}.number`, NUMBER)]),
  ]
}

/** Returns the problem of a given value. */
function problemWith(f: FormField, value: unknown): string | undefined {
  if (f.kind === 'number' && !Number.isFinite(Number(value))) return NUMBER
  if (DATES.has(f.kind) && cleanAnswer(f, value) === null) return unreadableAnswerMessage(f)
  if (f.kind === 'select' && f.options && !f.options.some((o) => o.value === value))
    return 'Please select one of the options'
  const kept = { [f.name]: { ...toEngineField(f), label: f.label } }
  return fieldViolations(kept, { [f.name]: f.kind === 'number' ? Number(value) : value })[0]?.message
}
