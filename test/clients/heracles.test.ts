import { describe, expect, test } from 'vitest'
import { importOptionalPackage } from './outside.ts'
import { startClientWorld } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the package is not always there, so neither are its types
type Json = any
const heracles = await importOptionalPackage('@hydra-cg/heracles.ts')

/** Heracles is the reference client of the Hydra community group. */
describe.runIf(heracles)('Heracles as a client', async () => {
  if (!heracles) return
  const { origin, headers, contacts } = await startClientWorld()
  const client = heracles.default
    .configure()
    .withDefaults()
    .with((url: string, options: RequestInit = {}) =>
      fetch(url, { ...options, headers: { ...headers, ...(options.headers as Record<string, string>) } }),
    )
    .andCreate()
  const read = (path: string): Promise<Json> => client.getResource(`${origin}${path}`)

  const docs = await client.getApiDocumentation(`${origin}/api`)
  const named = (list: Iterable<Json>, end: string) => [...list].find(({ iri }) => iri.endsWith(end))
  /** Executes an operation from the API documentation on a URL. */
  const invoke = (operations: Iterable<Json>, method: string, path: string, body: object): Promise<Response> => {
    const operation = [...operations].find((o) => o.method === method)
    return client.invoke({ method: operation.method, target: { iri: `${origin}${path}` } }, body)
  }
  /** Returns the IRIs of a page's members. The collection has its own URL, without the query. */
  const membersOf = ({ items }: Json): string[] =>
    [...items].flatMap(({ members = [] }) => [...members].map(({ iri }) => iri))
  const classOf = (name: string) => named(docs.supportedClasses, `#${name}`)

  test('Heracles finds the documentation and its classes through the Link header', () => {
    expect(docs.iri).toBe(`${origin}/api/docs.jsonld`)
    const contact = classOf('Contact')
    const { property, readable, writable } = [...contact.supportedProperties].find(
      (p) => p.displayName === 'companyName',
    )
    expect([property.iri, readable, writable]).toEqual([`${origin}/api/docs.jsonld#Contact/companyName`, true, true])
    expect([...contact.supportedOperations].map((o) => o.method)).toEqual(['PUT', 'PATCH', 'GET'])
  })

  test('Heracles lists records, follows pages, and fills in the search template', async () => {
    const list = await read('/api/crm/contacts')
    expect([list.collection.totalItems, list.collection.members.length]).toEqual([40, 30])
    expect(list.collection.view.next.iri).toBe(`${origin}/api/crm/contacts?page=2`)
    expect(membersOf(await client.getResource(list.collection.view.next))).toHaveLength(10)
    const [search] = [...list.links].filter((link) => link.template)
    const found = await client.getResource(search.expandTarget({ companyName: 'company 07' }))
    expect(membersOf(found)).toEqual([`${origin}${contacts[6]}`])
  })

  test('Heracles creates and edits records through the documented operations', async () => {
    const links = [...classOf('Entrypoint').supportedProperties].map((p) => p.property)
    const { supportedOperations } = named(links, '#Entrypoint/contact')
    const made = await invoke(supportedOperations, 'POST', '/api/crm/contacts', { companyName: 'Added' })
    expect(made.status).toBe(201)
    const at = made.headers.get('location') as string
    const changed = await invoke(classOf('Contact').supportedOperations, 'PUT', at, { companyName: 'Updated' })
    expect([changed.status, (await changed.json()).companyName]).toEqual([200, 'Updated'])
    expect((await read(at)).type.contains(`${origin}/api/docs.jsonld#Contact`)).toBe(true)
  })
})
