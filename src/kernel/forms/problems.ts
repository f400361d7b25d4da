import { type Violation, violation } from '../errors.ts'
import { parseSignature, signatureProblems } from '../signature.ts'
import { hasVisibleText } from '../text.ts'
import { fieldViolations, requiredMessage } from '../validate.ts'
import { sanitiseAnswer, unreadableAnswerMessage } from './clean.ts'
import type { ValueLookup } from './conditions.ts'
import { toEngineField } from './fields.ts'
import { formFieldsIn } from './fields-in.ts'
import { hasAnswer, isEmergencyContactComplete } from './has-answer.ts'
import { toRowObjects } from './rows.ts'
import type { FormField, FormFieldKind, FormSchema } from './schema.ts'
import { type Values, visibleFieldsInRow, visibleForm } from './visible.ts'

const TEXT = 'Field required, please enter text'

const NUMBER = 'Field required, please enter number'

const CHOICE = 'Field required, select an option'

/** Message for an emergency contact whose number can't be dialled: only digits and the usual separators are allowed. */
const TELEPHONE = 'Please enter a telephone number in digits'

const DIALLED = /^\+?(?=\D*\d)[\d\s()./-]+(?:(?:x|ext\.?)\s*\d+)?$/i

const DATES = new Set<FormFieldKind>(['date', 'dateTime'])

/**
 * Messages for missing answers that differ from the engine's. The specification (section 5) sets some of them; the
 * others are for kinds of fields for which the specification has no message.
 */
const MISSING: Partial<Record<FormFieldKind, string>> = {
  select: CHOICE,
  autocomplete: CHOICE,
  remoteSelect: CHOICE,
  combobox: CHOICE,
  imageCards: CHOICE,
  checkbox: 'Field required',
  switch: TEXT,
  uploads: 'Field required, please add a file',
  signature: 'Field required, please sign',
  rows: 'Field required, please add at least one row',
  custom: 'Field required',
}

/** Returns the problems that prevent completion of the form, in the order of the form. Hidden fields are ignored. */
export function formCompletionProblems(schema: FormSchema, values: Values): Violation[] {
  const seen = visibleForm(schema, values)
  const fields = formFieldsIn(seen)
  return fields.flatMap((f) => fieldProblems(f, values[f.name], f.name, seen.value))
}

/**
 * Returns the problems of one field and its content. `around` looks up values for the conditions of fields within rows.
 */
function fieldProblems(field: FormField, value: unknown, path: string, around: ValueLookup): Violation[] {
  // A required checkbox must be ticked.
  const missing = field.kind === 'checkbox' ? value !== true : !hasAnswer(field, value)
  if (missing && !field.required) return []
  if (missing)
    return field.kind === 'emergencyContacts'
      ? [violation(`${path}[0].name`, TEXT), violation(`${path}[0].number`, NUMBER)]
      : [violation(path, missingMessage(field))]
  if (field.kind === 'rows') return rowsProblems(field, value, path, around)
  if (field.kind === 'emergencyContacts')
    return toRowObjects(sanitiseAnswer(field, value)).flatMap((c, i) => contactProblems(c, `${path}[${i}]`))
  if (field.kind === 'signature') {
    const given = parseSignature(value)
    return given ? signatureProblems(given).map((v) => ({ ...v, propertyPath: `${path}.${v.propertyPath}` })) : []
  }
  const message = problemWith(field, value)
  return message ? [violation(path, message)] : []
}

const missingMessage = (f: FormField): string =>
  f.message ?? MISSING[f.kind] ?? requiredMessage({ ...toEngineField(f), required: true })

function rowsProblems(field: FormField, value: unknown, path: string, around: ValueLookup): Violation[] {
  const rows = toRowObjects(value)
  const count =
    field.min !== undefined && rows.length < field.min
      ? `${field.label}: the minimum number of rows is ${field.min}`
      : field.max !== undefined && rows.length > field.max
        ? `${field.label} can have at most ${field.max} rows`
        : undefined
  const inside = rows.flatMap((row, i) => {
    const seen = visibleFieldsInRow(field.fields ?? [], row, around)
    return seen.fields.flatMap((f) => fieldProblems(f, row[f.name], `${path}[${i}].${f.name}`, seen.value))
  })
  return count ? [violation(path, count), ...inside] : inside
}

/**
 * Returns the problems of a contact that has only a name, only a number, or a number that can't be dialled. An empty
 * contact has no problems.
 */
function contactProblems(contact: Values, path: string): Violation[] {
  if (!isEmergencyContactComplete(contact)) return []
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

/** Returns the error message for a value that is not empty; `undefined` if the value is valid. */
function problemWith(f: FormField, value: unknown): string | undefined {
  if (f.kind === 'number' && !Number.isFinite(Number(value))) return NUMBER
  if (DATES.has(f.kind) && sanitiseAnswer(f, value) === null) return unreadableAnswerMessage(f)
  if (f.kind === 'select' && f.options && !f.options.some((o) => o.value === value))
    return 'Please select one of the options'
  const kept = { [f.name]: { ...toEngineField(f), label: f.label } }
  return fieldViolations(kept, { [f.name]: f.kind === 'number' ? Number(value) : value })[0]?.message
}
