import { parseHydraDocumentation } from '@api-platform/api-doc-parser'
import { describe, expect, test } from 'vitest'
import { importOptionalPackage } from './outside.ts'
import { startClientWorld } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the package is not always there, so neither are its types
type Json = any
const admin = await importOptionalPackage('@api-platform/admin')

/** Tests the data provider and error reader of API Platform Admin, without its screens. */
describe.runIf(admin)('API Platform Admin as a client', async () => {
  if (!admin) return
  const { origin, headers, contacts, api } = await startClientWorld()
  Object.assign(globalThis, { window: { location: { href: origin } } })
  const provider = admin.hydraDataProvider({
    entrypoint: `${origin}/api`,
    httpClient: (url: URL, options: object = {}) =>
      admin.fetchHydra(url, { ...options, headers: new Headers(headers) }),
    apiDocumentationParser: (entrypoint: string) =>
      parseHydraDocumentation(entrypoint, { headers: new Headers(headers) }),
    mercure: false,
  })
  const { data: schema } = await provider.introspect()
  const list = (more: object = {}) =>
    provider.getList('crm/contacts', {
      pagination: { page: 1, perPage: 10 },
      sort: { field: 'companyName', order: 'ASC' },
      filter: {},
      ...more,
    })
  const companies = (found: Json) => found.data.map((d: Json) => d.companyName)

  test('API Platform Admin finds every resource through the documentation', () => {
    expect(schema.resources.map((r: Json) => r.name)).toContain('crm/contacts')
  })

  test('API Platform Admin lists, pages through and sorts records', async () => {
    const first = await list()
    expect([first.total, companies(first)[0], first.data.length]).toEqual([40, 'Company 01', 10])
    const last = await list({ pagination: { page: 4, perPage: 10 }, sort: { field: 'companyName', order: 'DESC' } })
    expect(companies(last).at(-1)).toBe('Company 01')
  })

  test('API Platform Admin filters records, including by fields of a related record', async () => {
    expect(companies(await list({ filter: { companyName: 'company 07' } }))).toEqual(['Company 07'])
    expect((await list({ filter: { id: contacts.slice(0, 3) } })).total).toBe(3)
    expect((await list({ filter: { exists: { owner: false } } })).total).toBe(40)
  })

  test('API Platform Admin loads one record and many records', async () => {
    const { data } = await provider.getOne('crm/contacts', { id: contacts[2] })
    expect(data).toMatchObject({ id: contacts[2], originId: expect.any(String), companyName: 'Company 03' })
    const many = await provider.getMany('crm/contacts', { ids: contacts.slice(0, 2) })
    expect(companies(many)).toEqual(['Company 01', 'Company 02'])
  })

  test('API Platform Admin creates a record, and saves a complete record with its embedded relations', async () => {
    const owner = (await api.post('/api/crm/staff', { username: `someone.${Date.now()}`, name: 'Someone' })).body
    const { data: made } = await provider.create('crm/contacts', {
      data: { companyName: 'Added', owner: owner['@id'] },
    })
    expect(made).toMatchObject({ companyName: 'Added', owner: { '@id': owner['@id'], name: 'Someone' } })
    const { data: changed } = await provider.update('crm/contacts', {
      id: made.id,
      data: { ...made, companyName: 'Updated' },
      previousData: made,
    })
    expect(changed).toMatchObject({ id: made.id, companyName: 'Updated', owner: { '@id': owner['@id'] } })
    expect((await list({ filter: { owner: owner['@id'] } })).total).toBe(1)
  })

  test('API Platform Admin shows violations at their form fields', async () => {
    const refused = await provider
      .create('crm/contacts', { data: { companyName: '', email: 'nonsense' } })
      .catch((e: unknown) => e)
    expect(refused).toMatchObject({ status: 422 })
    expect(refused.message).toMatch(/^email: Please enter an e-mail address/)
    expect(admin.hydraSchemaAnalyzer().getSubmissionErrors(refused)).toEqual({
      email: expect.stringMatching(/^Please enter an e-mail address/),
    })
  })

  test('API Platform Admin shows the message of an error without field violations', async () => {
    for (const [work, status, message] of [
      [() => provider.getOne('crm/contacts', { id: '/api/crm/contacts/999999' }), 404, 'Not found.'],
      [() => provider.create('crm/contacts', { data: { companyName: 5 } }), 400, /must be "string"/],
      [
        () => provider.create('crm/contacts', { data: { companyName: 'x', owner: 'nonsense' } }),
        400,
        'Invalid IRI "nonsense".',
      ],
    ] as const) {
      const refused = await work().catch((e: unknown) => e)
      expect(refused.status).toBe(status)
      expect(refused.message).toMatch(message)
    }
  })

  test('API Platform Admin derives the right filters, sort order and inputs from the documentation', async () => {
    const analyzer = admin.hydraSchemaAnalyzer()
    const contact = schema.resources.find((r: Json) => r.name === 'crm/contacts')
    const resolved = { ...contact, parameters: await contact.getParameters() }
    const order = await analyzer.getOrderParametersFromSchema(resolved)
    expect(order).toEqual(expect.arrayContaining(['companyName', 'callbackDate']))
    const filters = await analyzer.getFiltersParametersFromSchema(resolved)
    expect(filters.map((f: Json) => f.name)).toEqual(expect.arrayContaining(['companyName', 'ir35']))
    const type = (name: string) => analyzer.getFieldType(contact.fields.find((f: Json) => f.name === name))
    expect([type('companyName'), type('ir35'), type('expiry'), type('updatedAt')]).toEqual([
      'text',
      'boolean',
      'integer',
      'dateTime',
    ])
  })
})
