import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { formatPlainValue } from './words.ts'

/** Returns the IRI of a linked record. The API sends either the IRI or an object with the embedded fields. */
export const linkedRecordIri = (value: unknown): string | null =>
  typeof value === 'string'
    ? value || null
    : value && typeof value === 'object' && '@id' in value
      ? formatPlainValue(value['@id'])
      : null

/** Returns the label of a linked record, if the record was embedded. */
export function linkedRecordName(target: Resource, value: unknown): string | undefined {
  if (!value || typeof value !== 'object') return undefined
  const row = value as Record<string, unknown>
  return formatPlainValue(row[target.title ?? 'name'] ?? row.name) || undefined
}

/** Returns the initial value for an input. For empty text, this is an empty string. */
export function getInitialInputValue(f: Field, value: unknown): unknown {
  const given = value ?? f.default ?? null
  if (f.kind === 'link') return given
  if (f.kind === 'strings') return Array.isArray(given) ? given : []
  if (f.kind === 'flag') return given === true
  return given ?? (isTyped(f) ? '' : null)
}

/**
 * Returns the value to send. Empty text is sent as null, unless '' is the field's own empty value. A linked record is
 * sent as its IRI.
 */
export function getValueToSend(f: Field, value: unknown): unknown {
  if (f.kind === 'link') return linkedRecordIri(value)
  if (value === '' || value === undefined) return isTyped(f) && f.default === '' ? '' : null
  return typeof value === 'string' && f.kind !== 'longText' && f.kind !== 'richText' ? value.trim() : value
}

const TYPED = new Set<Field['kind']>(['text', 'longText', 'richText', 'email', 'phone'])
const isTyped = (f: Field) => TYPED.has(f.kind)
