import type { Field, Fields, Kind } from '../fields.ts'
import { fieldsIn } from './fields-in.ts'
import type { FormField, FormKind, FormSchema } from './schema.ts'

const KEPT: Readonly<Record<FormKind, Kind>> = {
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

/** Numbers and texts have limits of their own; those of rows are the form's to judge. */
const LIMITED = new Set<Kind>(['text', 'longText', 'richText', 'decimal'])

/** What the engine keeps a form's field as. */
export function engineField(f: FormField): Field {
  const kind = KEPT[f.kind]
  const limits = LIMITED.has(kind)
    ? { ...(f.min === undefined ? {} : { min: f.min }), ...(f.max === undefined ? {} : { max: f.max }) }
    : {}
  return { kind, label: f.label, ...limits }
}

/**
 * The declaration's fields for a form: every field but the `custom` ones, kept in the jsonb column `content`. None is
 * required, as a draft may be incomplete: the form itself says what is missing.
 */
export function fieldsOf(schema: FormSchema): Fields {
  const all = fieldsIn(schema)
  return Object.fromEntries(
    all.filter((f) => f.kind !== 'custom').map((f) => [f.name, { ...engineField(f), inJson: 'content' }]),
  )
}
