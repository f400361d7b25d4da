import { describe, expect, test } from 'vitest'
import { importOptionalPackage } from './outside.ts'
import { startClientWorld } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the package is not always there, so neither are its types
type Json = any
const alcaeus = await importOptionalPackage('alcaeus')

/** Alcaeus is a generic Hydra client, based on RDF. */
describe.runIf(alcaeus)('Alcaeus as a client', async () => {
  if (!alcaeus) return
  const { default: rdf } = await importOptionalPackage('@zazuko/env')
  const { default: Environment } = await importOptionalPackage('@zazuko/env/Environment.js')
  const { default: formats } = await importOptionalPackage('@rdfjs/formats')
  const { origin, headers, contacts } = await startClientWorld()
  const env: Json = new Environment(alcaeus.default(), { parent: rdf })
  env.formats.import(formats)
  env.hydra.baseUri = origin
  env.hydra.defaultHeaders = headers
  const HYDRA = 'http://www.w3.org/ns/hydra/core#'
  const vocab = (name: string) => env.namedNode(`${origin}/api/docs.jsonld#${name}`)
  const load = async (path: string) => {
    const { representation, response } = await env.hydra.loadResource(`${origin}${path}`)
    expect(response.xhr.ok).toBe(true)
    return representation.root
  }

  test('Alcaeus finds the documentation and its classes through the Link header', async () => {
    await load('/api')
    const docs = env.hydra.apiDocumentations[0].root
    expect(docs.types.has(env.namedNode(`${HYDRA}ApiDocumentation`))).toBe(true)
    expect(docs.supportedClass.map((c: Json) => c.id.value)).toContain(`${origin}/api/docs.jsonld#Contact`)
  })

  test('Alcaeus follows links from the entrypoint to a list, and from page to page', async () => {
    const entrypoint = await load('/api')
    const url = entrypoint.pointer.out(vocab('Entrypoint/contact')).value
    expect(url).toBe(`${origin}/api/crm/contacts`)
    const list = await load('/api/crm/contacts')
    expect(list.totalItems).toBe(40)
    expect(list.member).toHaveLength(30)
    const [view] = list.view
    const next = view.pointer.out(env.namedNode(`${HYDRA}next`))
    expect([next.term.termType, next.value]).toEqual(['NamedNode', `${origin}/api/crm/contacts?page=2`])
    const second = await env.hydra.loadResource(next.value)
    expect(second.representation.root.member).toHaveLength(10)
  })

  test('Alcaeus lists and executes the operations of a record', async () => {
    const contact = await load(contacts[0] as string)
    expect(contact.pointer.out(vocab('Contact/companyName')).value).toBe('Company 01')
    const methods = contact.operations.map((o: Json) => o.method)
    expect(methods).toEqual(expect.arrayContaining(['GET', 'PUT', 'PATCH']))
    const put = contact.operations.find((o: Json) => o.method === 'PUT')
    const { response, representation } = await env.hydra.invokeOperation(
      put,
      { 'content-type': 'application/ld+json' },
      JSON.stringify({ companyName: 'Renamed' }),
    )
    expect(response.xhr.status).toBe(200)
    expect(representation.root.pointer.out(vocab('Contact/companyName')).value).toBe('Renamed')
  })

  test('Alcaeus creates a record through the list operations of the entrypoint', async () => {
    const entrypoint = await load('/api')
    const operations = entrypoint.getOperationsDeep({ namespaces: [vocab('').value] })
    const post = operations.find((o: Json) => o.method === 'POST' && o.target.id.value === `${origin}/api/crm/contacts`)
    const { response, representation } = await env.hydra.invokeOperation(
      post,
      { 'content-type': 'application/ld+json' },
      JSON.stringify({ companyName: 'Added' }),
    )
    expect(response.xhr.status).toBe(201)
    expect(representation.root.pointer.out(vocab('Contact/companyName')).value).toBe('Added')
  })

  test('Alcaeus fills in the search template', async () => {
    const list = await load('/api/crm/contacts')
    const search = list.search ?? list.pointer.out(env.namedNode(`${HYDRA}search`))
    const template = search.template ?? search.out(env.namedNode(`${HYDRA}template`)).value
    expect(template).toMatch(/^\/api\/crm\/contacts\{\?/)
  })
})
