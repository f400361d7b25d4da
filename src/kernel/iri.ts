import { idFromIri, type Resource } from './resource.ts'

/** Parses the ID of a record from a path, query or body: `"12"` or `12`. `undefined` for anything else. */
export function parseId(given: unknown): number | undefined {
  if (typeof given === 'number') return Number.isInteger(given) ? parseId(String(given)) : undefined
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : undefined
}

/** Returns the last segment of an IRI: a number or an alias. */
export const lastIriSegment = (iri: string): string => iri.slice(iri.lastIndexOf('/') + 1)

/** Returns the ID at the end of any resource's IRI. */
export const idFromAnyIri = (iri: unknown): number | undefined =>
  typeof iri === 'string' ? parseId(lastIriSegment(iri)) : undefined

/** Returns the ID from an IRI of this resource; `undefined` for an IRI of another resource. */
export const idFromResourceIri = (r: Pick<Resource, 'url' | 'path'>, iri: unknown): number | undefined =>
  typeof iri === 'string' ? parseId(idFromIri(r, iri)) : undefined

/** Returns the ID from an IRI of this resource, or from a plain number. */
export const idFromIriOrNumber = (r: Pick<Resource, 'url' | 'path'>, given: unknown): number | undefined =>
  typeof given === 'string' && given.startsWith('/') ? idFromResourceIri(r, given) : parseId(given)

export const areAllIds = (ids: (number | undefined)[]): ids is number[] => !ids.includes(undefined)
