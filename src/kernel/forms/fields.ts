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

/** Kinds with limits of their own; limits of rows are checked by the form. */
const LIMITED = new Set<Kind>(['text', 'longText', 'richText', 'decimal'])

/** Returns the engine's field for a form field. */
export function toEngineField(f: FormField): Field {
  const kind = KEPT[f.kind]
  const limits = LIMITED.has(kind)
    ? { ...(f.min === undefined ? {} : { min: f.min }), ...(f.max === undefined ? {} : { max: f.max }) }
    : {}
  return { kind, label: f.label, ...limits }
}

/**
 * Returns the declaration's fields for a form: all but `custom` ones, stored in the jsonb column `content`. None is
 * required, as a draft may be incomplete: the form itself reports what is missing.
 */
export function fieldsOf(schema: FormSchema): Fields {
  const all = fieldsIn(schema)
  return Object.fromEntries(
    all.filter((f) => f.kind !== 'custom').map((f) => [f.name, { ...toEngineField(f), inJson: 'content' }]),
  )
}
