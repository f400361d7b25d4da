import { idFromIri, type Resource } from './resource.ts'

/** A record's number as an address, a query or a body has it: `"12"` or `12`. `undefined` for what is none. */
export function readId(given: unknown): number | undefined {
  if (typeof given === 'number') return Number.isInteger(given) ? readId(String(given)) : undefined
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : undefined
}

/** What an IRI ends in: a number, or an alias. */
export const endOfIri = (iri: string): string => iri.slice(iri.lastIndexOf('/') + 1)

/** The number that an IRI ends in, whatever record it is of. */
export const idAtEnd = (iri: unknown): number | undefined =>
  typeof iri === 'string' ? readId(endOfIri(iri)) : undefined

/** The number of a record of this resource, by its IRI. */
export const idByIri = (r: Pick<Resource, 'url' | 'path'>, iri: unknown): number | undefined =>
  typeof iri === 'string' ? readId(idFromIri(r, iri)) : undefined

/** The same, where the bare number does too. */
export const idByEither = (r: Pick<Resource, 'url' | 'path'>, given: unknown): number | undefined =>
  typeof given === 'string' && given.startsWith('/') ? idByIri(r, given) : readId(given)

/** Is every one of these an id? */
export const areAll = (ids: (number | undefined)[]): ids is number[] => !ids.includes(undefined)
