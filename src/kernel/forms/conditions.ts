import type { Condition } from './schema.ts'

/** What a watched field holds; undefined for one that is hidden or empty. */
export type Lookup = (name: string) => unknown

/**
 * Do all the conditions hold? Nothing, null and '' are the same; an embedded record is its IRI; a list equals each thing in it.
 */
export const conditionsMet = (when: readonly Condition[] | undefined, value: Lookup): boolean =>
  when === undefined || when.every((c) => isSatisfied(c, plain(value(c.watch))))

function isSatisfied(c: Condition, watched: unknown): boolean {
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
