import type { Field, FieldKind, Fields } from '../fields.ts'
import { employeeFieldOf, formFieldsIn } from './fields-in.ts'
import type { FormField, FormFieldKind, FormSchema } from './schema.ts'

const STORED_KINDS: Readonly<Record<FormFieldKind, FieldKind>> = {
  text: 'text',
  person: 'text',
  longText: 'longText',
  richText: 'richText',
  number: 'decimal',
  date: 'date',
  dateTime: 'instant',
  select: 'text',
  autocomplete: 'text',
  remoteSelect: 'text',
  combobox: 'strings',
  checkbox: 'flag',
  switch: 'flag',
  imageCards: 'json',
  emergencyContacts: 'json',
  uploads: 'json',
  signature: 'json',
  rows: 'json',
  custom: 'json',
}

/** Kinds of fields whose limits the engine checks. The form checks the limits within rows. */
const LIMITED = new Set<FieldKind>(['text', 'longText', 'richText', 'decimal'])

export function toEngineField(f: FormField): Field {
  const kind = STORED_KINDS[f.kind]
  const limits = LIMITED.has(kind)
    ? { ...(f.min === undefined ? {} : { min: f.min }), ...(f.max === undefined ? {} : { max: f.max }) }
    : {}
  return { kind, label: f.label, ...limits }
}

/** Employee ID beside the name in a `person` field. */
const EMPLOYEE_FIELD: Field = { kind: 'integer', label: 'Employee', min: 0, inJson: 'content' }

/**
 * Converts a form to the fields that a resource declares for it, stored in the jsonb column `content`. `custom` fields
 * are not included. No field is required, because drafts may be incomplete: the form reports missing values.
 */
export function toEngineFields(schema: FormSchema): Fields {
  const all = formFieldsIn(schema)
  const employees = all.filter((f) => f.kind === 'person').map((f) => [employeeFieldOf(f), EMPLOYEE_FIELD])
  return Object.fromEntries([
    ...all.filter((f) => f.kind !== 'custom').map((f) => [f.name, { ...toEngineField(f), inJson: 'content' }]),
    ...employees,
  ])
}
