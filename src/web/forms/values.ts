import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'

/** A relation as the API sends it: an IRI, or an object with the embedded fields. */
export type Linked = string | { readonly '@id': string; readonly [key: string]: unknown }

export const iriOfLink = (value: unknown): string | null =>
  typeof value === 'string'
    ? value || null
    : value && typeof value === 'object' && '@id' in value
      ? String(value['@id'])
      : null

/** The words for a linked record, when it brought them. */
export function nameOfLink(target: Resource, value: unknown): string | undefined {
  if (!value || typeof value !== 'object') return undefined
  const row = value as Record<string, unknown>
  const told = row[target.title ?? 'name'] ?? row.name
  return told === undefined || told === null ? undefined : String(told)
}

/** What an input starts with: nothing is an empty string where one types. */
export function startValue(f: Field, value: unknown): unknown {
  const given = value ?? f.default ?? null
  if (f.kind === 'link') return given
  if (f.kind === 'strings') return Array.isArray(given) ? given : []
  if (f.kind === 'flag') return given === true
  return given ?? (typing(f) ? '' : null)
}

/** What is sent: an empty text is null unless the field's own empty value is ''; a relation is its IRI. */
export function sentValue(f: Field, value: unknown): unknown {
  if (f.kind === 'link') return iriOfLink(value)
  if (value === '' || value === undefined) return typing(f) && f.default === '' ? '' : null
  return typeof value === 'string' && f.kind !== 'longText' && f.kind !== 'richText' ? value.trim() : value
}

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

const TYPED = new Set<Field['kind']>(['text', 'longText', 'richText', 'email', 'phone'])
const typing = (f: Field) => TYPED.has(f.kind)
