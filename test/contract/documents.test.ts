/* oxlint-disable vitest/expect-expect -- a helper of the file expects */

import { describe, expect, test } from 'vitest'
import { bulkActions } from '#kernel/bulk.ts'
import { actionsWithUrl } from '#kernel/resource.ts'
import { countableFields } from '#server/data/totals.ts'
import { registryOf } from '#server/engine/registry.ts'
import { openSpecimenPortal, specimen } from '#test/support/specimen.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON documents of many shapes
type Json = any
const portal = await openSpecimenPortal()
const { anonymous } = portal
const host = { host: 'portal.test' }
const get = async (url: string, headers: Record<string, string> = host): Promise<Json> => {
  const answer = await anonymous.get(url, headers)
  expect(answer.status, url).toBe(200)
  return answer.body
}
const VOCAB = 'http://portal.test/api/docs.jsonld#'
const lcfirst = (s: string) => s.charAt(0).toLowerCase() + s.slice(1)

test('the entrypoint has exactly one key per list', async () => {
  const { '@context': context, '@id': id, '@type': type, ...lists } = await get('/api')
  expect([context, id, type]).toEqual(['/api/contexts/Entrypoint', '/api', 'Entrypoint'])
  expect(lists).toEqual(Object.fromEntries(portal.engine.addressed.map((r) => [lcfirst(r.type), r.url])))
  expect(lists).toMatchObject({ crmClient: '/api/crm/clients', client: '/api/portal/clients' })
  expect(await get('/api', { accept: 'application/json' })).toEqual(lists)
})

test('resources that nobody can read have no URL and are absent from the API documentation', async () => {
  const inner = portal.engine.resources.filter((r) => r.allow.read === 'nobody')
  expect(inner.length).toBeGreaterThan(0)
  const { paths } = await get('/api/docs.json')
  for (const r of inner) {
    expect((await anonymous.get(r.url)).status).toBe(404)
    expect((await anonymous.get(`/api/contexts/${r.type}`)).status).toBe(404)
    expect(Object.keys(paths).filter((path) => path.startsWith(r.url))).toEqual([])
  }
})

test('the declared request body of a route is documented', async () => {
  const { paths } = await get('/api/docs.json')
  const { content, required } = paths['/api/portal/clock'].post.requestBody
  expect(required).toBe(true)
  expect(content['application/json'].schema).toMatchObject({
    properties: { days: { type: 'integer', minimum: 0, maximum: 3650 } },
    required: ['days'],
  })
})

describe('JSON-LD contexts', () => {
  test('the entrypoint has a JSON-LD context', async () => {
    const { '@context': c } = await get('/api/contexts/Entrypoint')
    expect(c).toMatchObject({
      '@vocab': VOCAB,
      hydra: 'http://www.w3.org/ns/hydra/core#',
      contact: { '@id': 'Entrypoint/contact', '@type': '@id' },
    })
  })

  test('the context of a class types relations sent as IRIs as references, and maps all other fields to plain terms', async () => {
    const body = await get('/api/contexts/Specimen')
    expect(Object.keys(body)).toEqual(['@context'])
    expect(body['@context']).toMatchObject({
      '@vocab': VOCAB,
      hydra: 'http://www.w3.org/ns/hydra/core#',
      'hydra:next': { '@type': '@id' },
      name: 'Specimen/name',
      parent: { '@id': 'Specimen/parent', '@type': '@id' },
      kind: 'Specimen/kind',
      staffNote: 'Specimen/staffNote',
    })
    expect(body['@context']).not.toHaveProperty('hidden')
  })

  test('the context of errors defines violations, propertyPath and message only through @vocab', async () => {
    for (const name of ['Error', 'ConstraintViolationList'])
      expect((await get(`/api/contexts/${name}`))['@context']).toEqual({
        '@vocab': VOCAB,
        hydra: 'http://www.w3.org/ns/hydra/core#',
      })
  })

  test.each(['Empty', 'constructor', '__proto__', 'specimen', 'hydra:Error'])(
    'there is no JSON-LD context for %s',
    async (name) => {
      expect((await anonymous.get(`/api/contexts/${name}`)).status).toBe(404)
    },
  )

  test('every @context that is sent can be fetched', async () => {
    for (const r of portal.engine.addressed) await get(`/api/contexts/${r.type}`)
  })
})

describe('the origin of URLs in responses', () => {
  test('the Link header and @vocab contain the same URL, derived from the request', async () => {
    for (const url of ['/api/contexts/Specimen', '/api/docs.jsonld']) {
      const { headers, body } = await anonymous.get(url, { host: 'other.test:8080' })
      expect(body['@context']['@vocab']).toBe('http://other.test:8080/api/docs.jsonld#')
      expect(headers.link).toContain('<http://other.test:8080/api/docs.jsonld>')
    }
  })

  test('PUBLIC_URL overrides the host of the request', async () => {
    const { anonymous: configured } = await portal.with({ PUBLIC_URL: 'https://portal.example/' })
    const { headers, body } = await configured.get('/api/contexts/Contact', { host: 'internal:3000' })
    expect(body['@context']['@vocab']).toBe('https://portal.example/api/docs.jsonld#')
    expect(headers.link).toContain('<https://portal.example/api/docs.jsonld>')
    expect((await configured.get('/api/docs.json')).body.servers).toEqual([{ url: 'https://portal.example' }])
  })

  test('a forwarded host and scheme are used only if a trusted proxy sends them', async () => {
    const forwarded = { host: 'internal', 'x-forwarded-host': 'outside.test', 'x-forwarded-proto': 'https' }
    const { anonymous: trusting } = await portal.with({ TRUST_PROXY: 'true' })
    const trusted = await trusting.get('/api/docs.jsonld', forwarded)
    expect(trusted.body['@context']['@vocab']).toBe('https://outside.test/api/docs.jsonld#')
    expect(trusted.headers.link).toContain('<https://outside.test/api/docs.jsonld>')
    const not = await anonymous.get('/api/docs.jsonld', forwarded)
    expect(not.body['@context']['@vocab']).toBe('http://internal/api/docs.jsonld#')
  })

  test('an invalid Host header is ignored', async () => {
    const { headers } = await anonymous.get('/api', { host: 'a>b"c' })
    expect(headers.link).toContain('<http://localhost/api/docs.jsonld>')
  })
})

const docs = await get('/api/docs.jsonld')
const openapi = await get('/api/docs.json')

describe('docs.jsonld', () => {
  const classes: Json[] = docs['hydra:supportedClass']
  const classOf = (name: string): Json => classes.find((c) => c['@id'] === `#${name}`)
  const property = (of: string, name: string): Json =>
    classOf(of)['hydra:supportedProperty'].find((p: Json) => p['hydra:title'] === name)

  test('docs.jsonld has the structure that Hydra clients expect', async () => {
    expect((await anonymous.get('/api/docs.jsonld', { accept: 'text/html' })).headers['content-type']).toBe(
      'application/ld+json; charset=utf-8',
    )
    expect(docs).toMatchObject({
      '@id': '/api/docs.jsonld',
      '@type': 'hydra:ApiDocumentation',
      'hydra:entrypoint': '/api',
      'hydra:title': expect.any(String),
    })
    const { '@context': c } = docs
    expect(Object.keys(c).sort()).toEqual(
      [
        '@vocab',
        'hydra',
        'rdf',
        'rdfs',
        'xmls',
        'owl',
        'schema',
        'domain',
        'range',
        'subClassOf',
        'expects',
        'returns',
      ].sort(),
    )
    for (const key of ['domain', 'range', 'subClassOf', 'expects', 'returns']) expect(c[key]['@type']).toBe('@id')
  })

  test('docs.jsonld describes every class exactly once', () => {
    const names = classes.map((c) => c['@id'])
    expect(names).toEqual([
      ...portal.engine.addressed.map((r) => `#${r.type}`),
      '#Entrypoint',
      '#ConstraintViolation',
      '#ConstraintViolationList',
      '#Error',
    ])
    expect(new Set(names).size).toBe(names.length)
  })

  test('documented properties have the JSON key as their title and the range of their field kind', () => {
    expect(property('Specimen', 'name')).toEqual({
      '@type': 'hydra:SupportedProperty',
      'hydra:property': {
        '@id': '#Specimen/name',
        '@type': 'rdf:Property',
        'rdfs:label': 'name',
        domain: '#Specimen',
        range: 'xmls:string',
      },
      'hydra:title': 'name',
      'hydra:required': true,
      'hydra:readable': true,
      'hydra:writeable': true,
      'hydra:description': 'Name',
    })
    const range = (name: string) => property('Specimen', name)['hydra:property'].range
    expect(
      Object.fromEntries(
        Object.keys(specimen.fields)
          .filter((k) => k !== 'hidden')
          .map((k) => [k, range(k)]),
      ),
    ).toEqual({
      name: 'xmls:string',
      code: 'xmls:string',
      zone: 'xmls:string',
      motto: 'xmls:string',
      story: 'xmls:string',
      html: 'xmls:string',
      mail: 'xmls:string',
      tel: 'xmls:string',
      amount: 'xmls:integer',
      big: 'xmls:integer',
      price: 'xmls:decimal',
      active: 'xmls:boolean',
      born: 'xmls:date',
      seen: 'xmls:dateTime',
      due: 'xmls:integer',
      colour: 'xmls:string',
      tags: 'xmls:array',
      extra: undefined,
      kind: '#SpecimenKind',
      parent: '#Specimen',
      secret: 'xmls:string',
      staffNote: 'xmls:string',
      author: 'xmls:string',
      updatedAt: 'xmls:dateTime',
    })
  })

  test('documented relations are links with at most one value, and documented embedded relations are properties with a class', () => {
    expect(property('Specimen', 'parent')['hydra:property']).toMatchObject({
      '@type': 'hydra:Link',
      range: '#Specimen',
      'owl:maxCardinality': 1,
    })
    expect(property('Specimen', 'kind')['hydra:property']).toMatchObject({
      '@type': 'rdf:Property',
      range: '#SpecimenKind',
      'owl:maxCardinality': 1,
    })
  })

  test('hidden fields are not documented, and read-only and write-only fields are marked as such', () => {
    expect(property('Specimen', 'hidden')).toBeUndefined()
    expect(property('Specimen', 'secret')).toMatchObject({ 'hydra:readable': false, 'hydra:writeable': true })
    expect(property('Specimen', 'author')).toMatchObject({ 'hydra:readable': true, 'hydra:writeable': false })
    for (const p of classOf('Visit')['hydra:supportedProperty']) expect(p['hydra:writeable']).toBe(false)
    expect(JSON.stringify(docs)).not.toMatch(/leaseUser|skipUntil/)
  })

  const methods = (operations: Json[]) => operations.map((o) => o['hydra:method'])
  test('documented operations list PUT before PATCH, and DELETE only where allowed, with a title and result for each', () => {
    expect(methods(classOf('Specimen')['hydra:supportedOperation'])).toEqual(['PUT', 'PATCH', 'GET', 'DELETE'])
    expect(methods(classOf('Contact')['hydra:supportedOperation'])).toEqual(['PUT', 'PATCH', 'GET'])
    expect(methods(classOf('Visit')['hydra:supportedOperation'])).toEqual(['GET'])
    for (const c of classes.filter((one) => one['hydra:supportedOperation']))
      for (const o of c['hydra:supportedOperation']) {
        expect(o).toMatchObject({ 'hydra:title': expect.any(String), 'rdfs:label': expect.any(String) })
        const it = o['hydra:method'] === 'DELETE' ? 'owl:Nothing' : c['@id']
        expect(o.returns).toBe(it)
        expect(o.expects).toBe(['PUT', 'PATCH'].includes(o['hydra:method']) ? c['@id'] : undefined)
      }
  })

  test('the Hydra class Entrypoint has a link to every list', () => {
    const links = classOf('Entrypoint')['hydra:supportedProperty'].map((p: Json) => p['hydra:property'])
    expect(links.map((l: Json) => l['@id'])).toEqual(
      portal.engine.addressed.map((r) => `#Entrypoint/${lcfirst(r.type)}`),
    )
    const contact = links.find((l: Json) => l['@id'] === '#Entrypoint/contact')
    expect(contact).toMatchObject({
      '@type': 'hydra:Link',
      range: [
        { '@id': 'hydra:Collection' },
        {
          'owl:equivalentClass': {
            'owl:onProperty': { '@id': 'hydra:member' },
            'owl:allValuesFrom': { '@id': '#Contact' },
          },
        },
      ],
    })
    expect(methods(contact['hydra:supportedOperation'])).toEqual(['GET', 'POST'])
    const visit = links.find((l: Json) => l['@id'] === '#Entrypoint/visit')
    expect(methods(visit['hydra:supportedOperation'])).toEqual(['GET'])
  })
})

describe('docs.json', () => {
  const api = openapi

  test('docs.json is OpenAPI 3.1 under both media types', async () => {
    const typed = async (accept?: string) =>
      (await anonymous.get('/api/docs.json', accept ? { accept } : {})).headers['content-type']
    expect(await typed()).toBe('application/vnd.openapi+json; charset=utf-8')
    expect(await typed('application/vnd.openapi+json')).toBe('application/vnd.openapi+json; charset=utf-8')
    expect(await typed('application/json')).toBe('application/json; charset=utf-8')
    expect(await typed('application/json, text/plain, */*')).toBe('application/json; charset=utf-8')
    expect(api).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'http://portal.test' }],
      security: [{ bearer: [] }],
    })
  })

  test('docs.json contains exactly the routes of the portal, with their methods', () => {
    const documented = Object.entries<Json>(api.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((k) => k !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = [
      ...registryOf(portal.engine)
        .modules.flatMap((module) => module.routes ?? [])
        .map((r) => `${r.method} ${r.path}`),
      ...portal.engine.addressed.flatMap((r) => [
        `GET ${r.url}`,
        `GET ${r.url}/export.{format}`,
        ...(bulkActions(r).length ? [`POST ${r.url}/bulk`] : []),
        ...(countableFields(r).length ? [`GET ${r.url}/counts`] : []),
        `GET ${r.url}/{id}`,
        ...(r.allow.create ? [`POST ${r.url}`] : []),
        ...(r.allow.update ? [`PUT ${r.url}/{id}`, `PATCH ${r.url}/{id}`] : []),
        ...(r.allow.delete ? [`DELETE ${r.url}/{id}`] : []),
        ...actionsWithUrl(r).map(([, a]) => `POST ${r.url}/{id}/${a.path}`),
      ]),
    ]
    expect(documented.sort()).toEqual(served.sort())
  })

  test('docs.json has unique operation ids, valid references and declared path parameters', () => {
    const ids: string[] = []
    for (const [path, item] of Object.entries<Json>(api.paths))
      for (const [method, o] of Object.entries<Json>(item)) {
        if (method === 'parameters') continue
        ids.push(o.operationId)
        const declared = [...(item.parameters ?? []), ...(o.parameters ?? [])]
        const names = declared.filter((p: Json) => p.in === 'path').map((p: Json) => `{${p.name}}`)
        expect(names, path).toEqual(path.match(/\{\w+\}/g) ?? [])
        const keys = declared.map((p: Json) => p.$ref ?? `${p.in} ${p.name}`)
        expect(new Set(keys).size, path).toBe(keys.length)
        expect(Object.keys(o.responses).some((s) => s.startsWith('2'))).toBe(true)
      }
    expect(new Set(ids).size).toBe(ids.length)
    const walk = (v: Json): void => {
      if (!v || typeof v !== 'object') return
      if (typeof v.$ref === 'string')
        expect(
          v.$ref
            .slice(2)
            .split('/')
            .reduce((at: Json, k: string) => at?.[k], api),
          v.$ref,
        ).toBeDefined()
      for (const x of Object.values(v)) walk(x)
    }
    walk(api)
  })

  test('schemas state types, formats, lengths, choices, defaults and required fields', () => {
    const {
      Specimen,
      'Specimen.jsonld': linked,
      'Specimen.create': create,
      'Specimen.update': update,
    } = api.components.schemas
    expect(Specimen.properties).toMatchObject({
      id: { type: 'integer' },
      name: { type: ['string', 'null'], maxLength: 255 },
      amount: { type: ['integer', 'null'], minimum: -1000, maximum: 1000 },
      born: { type: ['string', 'null'], format: 'date' },
      seen: { type: ['string', 'null'], format: 'date-time' },
      active: { type: 'boolean' },
      colour: { enum: ['red', 'green', null] },
      parent: { type: ['string', 'null'], format: 'iri-reference' },
    })
    for (const absent of ['secret', 'hidden', '@id']) expect(Specimen.properties).not.toHaveProperty([absent])
    expect(linked.required).toEqual(['@id', '@type', 'id'])
    expect(create.required).toEqual(['name'])
    expect(update).not.toHaveProperty('required')
    expect(Object.keys(create.properties)).toContain('secret')
    for (const absent of ['author', 'updatedAt', 'hidden', 'id']) expect(create.properties).not.toHaveProperty(absent)
    expect(create.properties.active.default).toBe(false)
  })

  test('documented maximum lengths are the same as the enforced ones', async () => {
    const client = await portal.client()
    const person = client.as(await client.user())
    const { properties } = api.components.schemas['Specimen.create']
    for (const [field, { maxLength }] of Object.entries<Json>(properties)) {
      if (!maxLength || ['mail', 'colour'].includes(field)) continue
      const post = (n: number) => person.post('/api/test/specimens', { name: 'Ash', [field]: 'x'.repeat(n) })
      expect([(await post(maxLength)).status, (await post(maxLength + 1)).status], field).toEqual([201, 422])
    }
  })

  test('documented lists state their filters and paging, and public routes require no token', () => {
    const { parameters } = api.paths['/api/test/specimens'].get
    expect(parameters).toEqual(
      expect.arrayContaining([
        { $ref: '#/components/parameters/page' },
        {
          name: 'order[name]',
          in: 'query',
          required: false,
          schema: {
            type: 'string',
            enum: ['asc', 'desc'],
            description: 'A list can be ordered by at most three fields.',
          },
        },
        { name: 'active', in: 'query', required: false, schema: { type: 'boolean' } },
      ]),
    )
    expect(parameters).not.toContainEqual({ $ref: '#/components/parameters/pagination' })
    expect(api.paths['/api/test/specimen_kinds'].get.parameters).toContainEqual({
      $ref: '#/components/parameters/pagination',
    })
    expect(api.paths['/api/security/login'].post.security).toEqual([])
    expect(Object.keys(api.paths['/api/test/specimens/{id}'].patch.requestBody.content)).toEqual([
      'application/merge-patch+json',
    ])
  })
})
