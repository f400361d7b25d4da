import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_CODES, VIOLATION_CODES } from '#kernel/error-codes.ts'
import { problem } from '#kernel/errors.ts'
import { type Field, labelOf } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { lowerFirst } from '#kernel/text.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { ConstantResponse } from '#server/http/compression.ts'
import { etagOf, matchesCachedEtag, negotiateFormat } from '#server/http/negotiate.ts'
import { documentationUrl, originOf } from '#server/http/origin.ts'
import { openApiDocument } from './openapi.ts'
import { isWritableInBody, publicFields, targetResourceOf } from './schemas.ts'

type Node = Record<string, unknown>

const reference = { '@type': '@id' }
const CONTEXT = {
  hydra: 'http://www.w3.org/ns/hydra/core#',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xmls: 'http://www.w3.org/2001/XMLSchema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  schema: 'https://schema.org/',
  domain: { '@id': 'rdfs:domain', ...reference },
  range: { '@id': 'rdfs:range', ...reference },
  subClassOf: { '@id': 'rdfs:subClassOf', ...reference },
  expects: { '@id': 'hydra:expects', ...reference },
  returns: { '@id': 'hydra:returns', ...reference },
}

const RANGES_BY_KIND: Partial<Record<Field['kind'], string>> = {
  text: 'xmls:string',
  longText: 'xmls:string',
  richText: 'xmls:string',
  email: 'xmls:string',
  phone: 'xmls:string',
  choice: 'xmls:string',
  integer: 'xmls:integer',
  unixSeconds: 'xmls:integer',
  decimal: 'xmls:decimal',
  flag: 'xmls:boolean',
  date: 'xmls:date',
  instant: 'xmls:dateTime',
  strings: 'xmls:array',
}

/** Returns the range of a property: a class for relations, and none for values of any shape. */
function rangeOf(f: Field): Node {
  if (f.kind === 'rows') return { range: `#${targetResourceOf(f).type}` }
  if (f.kind === 'link') return { range: `#${targetResourceOf(f).type}`, 'owl:maxCardinality': 1 }
  const range = RANGES_BY_KIND[f.kind]
  return range ? { range } : {}
}

function property(domain: string, name: string, more: Node & { '@type'?: string }): Node {
  return { '@id': `${domain}/${name}`, '@type': 'rdf:Property', 'rdfs:label': name, domain, ...more }
}

const supported = (r: Resource, name: string, f: Field): Node => ({
  '@type': 'hydra:SupportedProperty',
  'hydra:property': property(`#${r.type}`, name, {
    ...(f.kind === 'link' && !f.embed ? { '@type': 'hydra:Link' } : {}),
    ...rangeOf(f),
  }),
  'hydra:title': name,
  'hydra:required': f.required !== undefined && isWritableInBody(r, f),
  'hydra:readable': !f.writeOnly,
  'hydra:writeable': isWritableInBody(r, f),
  'hydra:description': f.help ? `${labelOf(name, f)}. ${f.help}` : labelOf(name, f),
})

const operation = (method: string, action: string, title: string, returns: string, expects?: string): Node => ({
  '@type': ['hydra:Operation', `schema:${action}`],
  'hydra:method': method,
  'hydra:title': title,
  'rdfs:label': title,
  ...(expects ? { expects } : {}),
  returns,
})

/**
 * Returns the operations on a record. PUT comes before PATCH, because Hydra clients use the first of the two and every
 * client supports PUT.
 */
function itemOperations(r: Resource): Node[] {
  const it = `#${r.type}`
  return [
    ...(r.allow.update
      ? [
          operation('PUT', 'ReplaceAction', `Replaces the ${r.type} resource.`, it, it),
          operation('PATCH', 'UpdateAction', `Updates the ${r.type} resource.`, it, it),
        ]
      : []),
    operation('GET', 'FindAction', `Retrieves a ${r.type} resource.`, it),
    ...(r.allow.delete ? [operation('DELETE', 'DeleteAction', `Deletes the ${r.type} resource.`, 'owl:Nothing')] : []),
  ]
}

const classOf = (r: Resource): Node => ({
  '@id': `#${r.type}`,
  '@type': 'hydra:Class',
  'rdfs:label': r.type,
  'hydra:title': r.type,
  'hydra:supportedProperty': publicFields(r).map(([name, f]) => supported(r, name, f)),
  'hydra:supportedOperation': itemOperations(r),
})

const listLink = (r: Resource): Node => ({
  '@type': 'hydra:SupportedProperty',
  'hydra:property': {
    '@id': `#Entrypoint/${lowerFirst(r.type)}`,
    '@type': 'hydra:Link',
    domain: '#Entrypoint',
    'rdfs:label': `The collection of ${r.type} resources`,
    range: [
      { '@id': 'hydra:Collection' },
      {
        'owl:equivalentClass': {
          'owl:onProperty': { '@id': 'hydra:member' },
          'owl:allValuesFrom': { '@id': `#${r.type}` },
        },
      },
    ],
    'hydra:supportedOperation': [
      operation('GET', 'FindAction', `Retrieves the collection of ${r.type} resources.`, 'hydra:Collection'),
      ...(r.allow.create
        ? [operation('POST', 'CreateAction', `Creates a ${r.type} resource.`, `#${r.type}`, `#${r.type}`)]
        : []),
    ],
  },
  'hydra:title': lowerFirst(r.type),
  'hydra:readable': true,
  'hydra:writeable': false,
})

const propertyNode = (domain: string, name: string, range: string, description: string): Node => ({
  '@type': 'hydra:SupportedProperty',
  'hydra:property': property(domain, name, { range }),
  'hydra:title': name,
  'hydra:description': description,
  'hydra:readable': true,
  'hydra:writeable': false,
})

const errorCodeNote = (codes: readonly (readonly [string, string])[]) =>
  codes.map(([code, meaning]) => `${code}: ${meaning}`).join('\n')

const ERROR_CODE = propertyNode(
  '#Error',
  'code',
  'xmls:string',
  errorCodeNote(Object.entries(ERROR_CODES).map(([code, { status, meaning }]) => [code, `${status}. ${meaning}`])),
)

const ERRORS: Node[] = [
  {
    '@id': '#ConstraintViolation',
    '@type': 'hydra:Class',
    'hydra:title': 'A constraint violation',
    'hydra:supportedProperty': [
      propertyNode('#ConstraintViolation', 'propertyPath', 'xmls:string', 'The property path of the violation'),
      propertyNode('#ConstraintViolation', 'message', 'xmls:string', 'The message associated with the violation'),
      propertyNode('#ConstraintViolation', 'code', 'xmls:string', errorCodeNote(Object.entries(VIOLATION_CODES))),
    ],
  },
  {
    '@id': '#ConstraintViolationList',
    '@type': 'hydra:Class',
    subClassOf: 'hydra:Error',
    'hydra:title': 'A constraint violation list',
    'hydra:supportedProperty': [
      propertyNode('#ConstraintViolationList', 'violations', '#ConstraintViolation', 'The violations'),
      ERROR_CODE,
    ],
  },
  {
    '@id': '#Error',
    '@type': 'hydra:Class',
    subClassOf: 'hydra:Error',
    'hydra:title': 'An error response',
    'hydra:supportedProperty': [ERROR_CODE],
  },
]

/** Returns the Hydra documentation of every resource, for clients at this origin. */
const hydraDocumentation = (origin: string, title: string, resources: readonly Resource[]): Node => ({
  '@context': { '@vocab': `${documentationUrl(origin)}#`, ...CONTEXT },
  '@id': '/api/docs.jsonld',
  '@type': 'hydra:ApiDocumentation',
  'hydra:title': title,
  'hydra:entrypoint': '/api',
  'hydra:supportedClass': [
    ...resources.map(classOf),
    {
      '@id': '#Entrypoint',
      '@type': 'hydra:Class',
      'hydra:title': 'The API entrypoint',
      'hydra:supportedProperty': resources.map(listLink),
      'hydra:supportedOperation': [operation('GET', 'FindAction', 'The API entrypoint.', '#Entrypoint')],
    },
    ...ERRORS,
  ],
})

type Context = Record<string, unknown>

const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const iri = { '@type': '@id' }

const base = (origin: string): Context => ({ '@vocab': `${documentationUrl(origin)}#`, hydra: HYDRA })

/** JSON-LD terms that type page links as IRIs, because RDF clients would otherwise read them as strings. */
const LINKS = { 'hydra:first': iri, 'hydra:last': iri, 'hydra:next': iri, 'hydra:previous': iri }

const ofResource = (origin: string, r: Resource): Context => ({
  ...base(origin),
  ...LINKS,
  ...Object.fromEntries(
    publicFields(r).map(([name, f]) => {
      const id = `${r.type}/${name}`
      return [name, f.kind === 'link' && !f.embed ? { '@id': id, '@type': '@id' } : id]
    }),
  ),
})

/** Returns the JSON-LD context for a class; `undefined` for an unknown class. */
function contextOf(origin: string, resources: readonly Resource[], name: string): Context | undefined {
  if (name === 'Entrypoint')
    return {
      ...base(origin),
      ...Object.fromEntries(
        resources.map((r) => [lowerFirst(r.type), { '@id': `Entrypoint/${lowerFirst(r.type)}`, '@type': '@id' }]),
      ),
    }
  // Clients expect `violations`, `propertyPath` and `message` in the vocabulary itself.
  if (name === 'Error' || name === 'ConstraintViolationList') return base(origin)
  const r = resources.find((one) => one.type === name)
  return r && ofResource(origin, r)
}

const LD = 'application/ld+json'
const OPENAPI = 'application/vnd.openapi+json'
/** Placeholder for the origin in cached text. */
const ORIGIN_PLACEHOLDER = 'https://portal.invalid'

/** Number of origins for which each document is cached. A portal with a configured address has one. */
const MAX_ORIGINS = 4

interface OriginDocument {
  readonly response: ConstantResponse
  readonly isCached: boolean
}

/**
 * Registers the entrypoint, the documentation and the JSON-LD contexts. These are public, because JSON-LD processors
 * send no token.
 */
export function registerHydraRoutes(app: FastifyInstance, engine: Engine): void {
  const { addressed: resources, config } = engine
  const { modules } = registryOf(engine)
  const title = `${config.provider} portal`
  /** Documents as generated, and as served for the first few origins. */
  const written = new Map<string, { readonly text: string; readonly served: Map<string, ConstantResponse> }>()

  /**
   * Returns the document for the origin of this request. Requests with invented hosts cause it to be neither generated
   * nor compressed again.
   */
  const document = (request: FastifyRequest, key: string, make: (origin: string) => unknown): OriginDocument => {
    const origin = originOf(config, request)
    const { text, served } = written.get(key) ?? remember(key, JSON.stringify(make(ORIGIN_PLACEHOLDER)))
    const known = served.get(origin)
    if (known) return { response: known, isCached: true }
    const own = text.replaceAll(ORIGIN_PLACEHOLDER, origin)
    const response = new ConstantResponse(own, etagOf(own))
    const isCached = served.size < MAX_ORIGINS
    if (isCached) served.set(origin, response)
    return { response, isCached }
  }
  const remember = (key: string, text: string) => {
    const made = { text, served: new Map<string, ConstantResponse>() }
    written.set(key, made)
    return made
  }
  const send = (request: FastifyRequest, reply: FastifyReply, type: string, { response, isCached }: OriginDocument) => {
    reply.headers({ etag: response.etag, 'cache-control': 'public, no-cache' })
    if (matchesCachedEtag(request.headers['if-none-match'], response.etag)) return reply.code(304).send()
    reply.type(`${type}; charset=utf-8`)
    return isCached ? response.send(request, reply) : response.sendUncompressed(reply)
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
