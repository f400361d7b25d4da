import type { FormCondition } from './schema.ts'

/** Function that looks up the value of a watched field; returns `undefined` if the field is hidden or empty. */
export type ValueLookup = (name: string) => unknown

/**
 * True if all conditions are met. `undefined`, `null` and `''` are equal. An embedded record equals its IRI. A list
 * equals each of its items.
 */
export const areConditionsMet = (when: readonly FormCondition[] | undefined, value: ValueLookup): boolean =>
  when === undefined || when.every((c) => isSatisfied(c, plain(value(c.watch))))

function isSatisfied(c: FormCondition, watched: unknown): boolean {
  const is = (wanted: unknown) =>
    Array.isArray(watched) ? watched.some((v) => plain(v) === plain(wanted)) : watched === plain(wanted)
  return (
    (!('equals' in c) || is(c.equals)) &&
    (!('differs' in c) || !is(c.differs)) &&
    (c.in === undefined || c.in.some(is)) &&
    (c.notIn === undefined || !c.notIn.some(is))
  )
}

function plain(value: unknown): unknown {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return null
  return value !== null && typeof value === 'object' && '@id' in value ? value['@id'] : value
}
