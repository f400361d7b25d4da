import { problem, violation } from '#kernel/errors.ts'
import { idByIri } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'

/** An id from an IRI in a body; throws 422 where it is missing, 400 where it is no such IRI. */
export function idIn(body: Readonly<Record<string, unknown>>, name: string, r: Resource): number {
  const given = body[name]
  if (given === undefined || given === null || given === '')
    throw problem.invalid([violation(name, 'Field required, select an option')])
  const iri = typeof given === 'object' && '@id' in given ? given['@id'] : given
  const id = idByIri(r, iri)
  if (id === undefined) throw problem.invalidIri(iri)
  return id
}
