import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '#kernel/errors.ts'
import type { Resource } from '#kernel/resource.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { etagOf, matchesCachedTag, negotiateFormat } from '#server/http/negotiate.ts'
import { docsUrl, originOf } from '#server/http/origin.ts'
import { hydraDocumentation } from './documentation.ts'
import { lowerFirst, shownFields } from './names.ts'
import { openApiDocument } from './openapi.ts'

type Context = Record<string, unknown>

const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const iri = { '@type': '@id' }

const base = (origin: string): Context => ({ '@vocab': `${docsUrl(origin)}#`, hydra: HYDRA })

/** Page links are typed as addresses; otherwise RDF clients would read strings. */
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

/** JSON-LD context of a class; `undefined` for an unknown class. */
function contextOf(origin: string, resources: readonly Resource[], name: string): Context | undefined {
  if (name === 'Entrypoint')
    return {
      ...base(origin),
      ...Object.fromEntries(
        resources.map((r) => [lowerFirst(r.type), { '@id': `Entrypoint/${lowerFirst(r.type)}`, '@type': '@id' }]),
      ),
    }
  // Clients expect violations, propertyPath and message in the vocabulary itself.
  if (name === 'Error' || name === 'ConstraintViolationList') return base(origin)
  const r = resources.find((one) => one.type === name)
  return r && ofResource(origin, r)
}

const LD = 'application/ld+json'
const OPENAPI = 'application/vnd.openapi+json'
/** Placeholder for the origin in a cached text. */
const ORIGIN_PLACEHOLDER = 'https://portal.invalid'

interface CachedDocument {
  readonly text: string
  readonly etag: string
}

/**
 * Registers the entrypoint, the documentation and the contexts. They are public, because JSON-LD processors send no
 * token.
 */
export function registerHydraRoutes(app: FastifyInstance, engine: Engine): void {
  const { addressed: resources, config } = engine
  const { modules } = registryOf(engine)
  const title = `${config.provider} portal`
  /** Documents as generated, and as last served: a portal normally has one origin. */
  const written = new Map<string, string>()
  const read = new Map<string, CachedDocument & { readonly origin: string }>()

  /** Returns the document for this request's origin. Invented hosts can't cause it to be generated again. */
  const document = (request: FastifyRequest, key: string, make: (origin: string) => unknown): CachedDocument => {
    const origin = originOf(config, request)
    const last = read.get(key)
    if (last?.origin === origin) return last
    const text = (written.get(key) ?? remember(key, JSON.stringify(make(ORIGIN_PLACEHOLDER)))).replaceAll(
      ORIGIN_PLACEHOLDER,
      origin,
    )
    const now = { origin, text, etag: etagOf(text) }
    read.set(key, now)
    return now
  }
  const remember = (key: string, text: string): string => {
    written.set(key, text)
    return text
  }
  const send = (request: FastifyRequest, reply: FastifyReply, type: string, { text, etag }: CachedDocument) => {
    reply.headers({ etag, 'cache-control': 'public, no-cache' })
    if (matchesCachedTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(`${type}; charset=utf-8`).send(text)
  }
  const lists = Object.fromEntries(resources.map((r) => [lowerFirst(r.type), r.url]))
  app.get('/api', (request, reply) => {
    const format = negotiateFormat(request.headers.accept)
    const linked = { '@context': '/api/contexts/Entrypoint', '@id': '/api', '@type': 'Entrypoint', ...lists }
    const made = document(request, `entrypoint ${format}`, () => (format === LD ? linked : lists))
    return send(request, reply, format, made)
  })
  app.get('/api/docs.jsonld', (request, reply) =>
    send(
      request,
      reply,
      LD,
      document(request, 'docs', (origin) => hydraDocumentation(origin, title, resources)),
    ),
  )
  app.get('/api/docs.json', (request, reply) => {
    const plain = /application\/json/.test(request.headers.accept ?? '') && !request.headers.accept?.includes(OPENAPI)
    const made = document(request, 'openapi', (origin) => openApiDocument(origin, title, modules, resources))
    return send(request, reply, plain ? 'application/json' : OPENAPI, made)
  })
  app.get('/api/contexts/:name', (request, reply) => {
    const { name } = request.params as { name: string }
    if (!contextOf('', resources, name)) throw problem.notFound()
    const made = document(request, `context ${name}`, (origin) => ({ '@context': contextOf(origin, resources, name) }))
    return send(request, reply, LD, made)
  })
}
