import type { Resource } from '#kernel/resource.ts'
import { docsUrl } from '#server/http/origin.ts'
import { lcfirst, shownFields } from './names.ts'

type Context = Record<string, unknown>

const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const iri = { '@type': '@id' }

const base = (origin: string): Context => ({ '@vocab': `${docsUrl(origin)}#`, hydra: HYDRA })

/** Page links are addresses; without this, RDF clients see strings. */
const LINKS = { 'hydra:first': iri, 'hydra:last': iri, 'hydra:next': iri, 'hydra:previous': iri }

const ofResource = (origin: string, r: Resource): Context => ({
  ...base(origin),
  ...LINKS,
  ...Object.fromEntries(
    shownFields(r).map(([name, f]) => {
      const id = `${r.type}/${name}`
      return [name, f.kind === 'link' && !f.embed ? { '@id': id, '@type': '@id' } : id]
    }),
  ),
})

/** The context of a class's JSON; `undefined` for an unknown class. */
export function contextOf(origin: string, resources: readonly Resource[], name: string): Context | undefined {
  if (name === 'Entrypoint')
    return {
      ...base(origin),
      ...Object.fromEntries(
        resources.map((r) => [lcfirst(r.type), { '@id': `Entrypoint/${lcfirst(r.type)}`, '@type': '@id' }]),
      ),
    }
  // Clients look for violations, propertyPath and message in the vocabulary itself.
  if (name === 'Error' || name === 'ConstraintViolationList') return base(origin)
  const r = resources.find((one) => one.type === name)
  return r && ofResource(origin, r)
}
