import { parseHydraDocumentation, type Resource } from '@api-platform/api-doc-parser'
import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { startClientWorld } from './world.ts'

const { origin, headers } = await startClientWorld()
const { engine } = await testPortal()
const { api, status } = await parseHydraDocumentation(`${origin}/api`, { headers: new Headers(headers) })
const resources = api.resources as Resource[]
const resource = (name: string) => resources.find((r) => r.name === name) as Resource
const names = (list: unknown) => (list as { name: string }[]).map((f) => f.name)

test('api-doc-parser finds every resource, named after its URL', () => {
  expect(status).toBe(200)
  expect(api.entrypoint).toBe(`${origin}/api`)
  expect(names(resources)).toEqual(engine.addressed.map((r) => r.url.replace('/api/', '')))
  for (const r of engine.addressed)
    expect(resource(r.url.replace('/api/', ''))).toMatchObject({ title: r.type, url: `${origin}${r.url}` })
})

test('api-doc-parser reads the name, type and required, readable and writable flags of each field', () => {
  const contact = resource('crm/contacts')
  const field = (name: string) => contact.fields?.find((f) => f.name === name)
  expect(field('companyName')).toMatchObject({ type: 'string', required: false })
  expect(field('ir35')).toMatchObject({ type: 'boolean' })
  expect(field('expiry')).toMatchObject({ type: 'integer' })
  expect(field('updatedAt')).toMatchObject({ type: 'dateTime' })
  expect(names(contact.readableFields)).toEqual(expect.arrayContaining(['companyName', 'category', 'updatedAt']))
  expect(names(contact.writableFields)).toEqual(expect.arrayContaining(['companyName', 'owner']))
  for (const readonly of ['category', 'updatedAt', 'lastEditBy'])
    expect(names(contact.writableFields)).not.toContain(readonly)
  expect(names(contact.fields)).not.toContain('leaseUser')
  expect(resource('portal/users').fields?.find((f) => f.name === 'username')?.required).toBe(true)
  expect(resource('portal/users').fields?.find((f) => f.name === 'roles')?.type).toBe('array')
})

test('api-doc-parser links relations to their resources, as references or as embedded records', () => {
  const fields = resource('crm/contacts').fields ?? []
  const client = fields.find((f) => f.name === 'client')
  expect(client).toMatchObject({ reference: { name: 'portal/clients' }, maxCardinality: 1, embedded: null })
  const owner = fields.find((f) => f.name === 'owner')
  expect(owner).toMatchObject({ embedded: { name: 'crm/staff' }, maxCardinality: 1, reference: null })
})

test('api-doc-parser finds exactly the existing operations, with PUT for updates', () => {
  const methods = (name: string, type: string) =>
    resource(name)
      .operations?.filter((o) => o.type === type)
      .map((o) => o.method)
  expect(methods('crm/contacts', 'list')).toEqual(['GET'])
  expect(methods('crm/contacts', 'create')).toEqual(['POST'])
  expect(methods('crm/contacts', 'show')).toEqual(['GET'])
  expect(methods('crm/contacts', 'edit')).toEqual(['PUT', 'PATCH'])
  expect(methods('crm/contacts', 'delete')).toEqual([])
  expect(methods('portal/visits', 'edit')).toEqual([])
})

test('api-doc-parser reads the list parameters from hydra:search', async () => {
  const contact = resource('crm/contacts')
  await contact.getParameters?.()
  const variables = contact.parameters?.map((p) => p.variable)
  expect(variables).toEqual(expect.arrayContaining(['id', 'companyName', 'order[companyName]', 'ir35', 'owner', 'q']))
})
