import type { Field, FieldKind, Fields } from '../fields.ts'
import { formFieldsIn } from './fields-in.ts'
import type { FormField, FormFieldKind, FormSchema } from './schema.ts'

const STORED_KINDS: Readonly<Record<FormFieldKind, FieldKind>> = {
  text: 'text',
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

/** Kinds whose limits the engine checks; limits of rows are checked by the form. */
const LIMITED = new Set<FieldKind>(['text', 'longText', 'richText', 'decimal'])

/** Returns the engine's field for a form field. */
export function toEngineField(f: FormField): Field {
  const kind = STORED_KINDS[f.kind]
  const limits = LIMITED.has(kind)
    ? { ...(f.min === undefined ? {} : { min: f.min }), ...(f.max === undefined ? {} : { max: f.max }) }
    : {}
  return { kind, label: f.label, ...limits }
}

/**
 * Returns the fields that a resource declares for a form, stored in the jsonb column `content`, without `custom` ones.
 * None is required, as drafts may be incomplete: the form reports missing values.
 */
export function toEngineFields(schema: FormSchema): Fields {
  const all = formFieldsIn(schema)
  return Object.fromEntries(
    all.filter((f) => f.kind !== 'custom').map((f) => [f.name, { ...toEngineField(f), inJson: 'content' }]),
  )
}
