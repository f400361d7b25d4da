import { expect, test } from 'vitest'
import type { Field } from '#kernel/fields.ts'
import { testPortal } from '#test/support/portal.ts'

// What a validator that others wrote says of it, `npm run check` tells; this is what no validator knows.

const portal = await testPortal()
const { paths, components } = (await portal.anonymous.get('/api/docs.json')).body
const { resources, rooms } = portal.engine
const PLAIN = 'application/json'
const contentOf = (path: string) => {
  const { responses } = paths[path].get
  return (responses[200] ?? responses['2XX']).content
}
const namesOf = (path: string, method = 'get') =>
  (paths[path][method].parameters ?? []).map(
    (p: { name?: string; $ref?: string }) => p.name ?? p.$ref?.split('/').at(-1),
  )

test('components have names that every generator takes', () => {
  const names = Object.values<object>(components).flatMap(Object.keys)
  expect(names.filter((name) => !/^[\w.-]+$/.test(name))).toEqual([])
})

test('rows have the shape of their class: in full as sent, without their way back as accepted', () => {
  const rows = resources.flatMap((r) =>
    Object.entries<Field>(r.fields).flatMap(([name, f]) => (f.kind === 'rows' ? [{ r, name, f }] : [])),
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { r, name, f } of rows) {
    const { type } = (f.target as () => { type: string })()
    const items = (schema: string) => components.schemas[schema]?.properties[name]?.items?.$ref
    expect(items(r.type)).toBe(`#/components/schemas/${type}`)
    expect(items(`${r.type}.jsonld`)).toBe(`#/components/schemas/${type}.jsonld`)
    if (!f.readonly && r.allow.update) expect(items(`${r.type}.update`)).toBe(`#/components/schemas/${type}.row`)
    expect(Object.keys(components.schemas[`${type}.row`].properties)).not.toContain(f.by)
  }
})

test('a change has no defaults: what it leaves out stays as it is', () => {
  const withDefault = Object.entries<{ properties: Record<string, object> }>(components.schemas)
    .filter(([name]) => name.endsWith('.update') || name.endsWith('.row'))
    .flatMap(([name, { properties }]) =>
      Object.entries(properties).flatMap(([key, schema]) => ('default' in schema ? [`${name}.${key}`] : [])),
    )
  expect(withDefault).toEqual([])
})

test('lists are arrays in plain JSON, at the addresses of routes too', () => {
  const lists = [
    ...portal.engine.addressed.map((r) => r.url),
    ...rooms.flatMap((room) => room.routes ?? []).flatMap((r) => (r.lists ? [r.path] : [])),
  ]
  for (const path of lists) expect([path, contentOf(path)[PLAIN].schema.type]).toEqual([path, 'array'])
})

test('what routes take from the query is listed', () => {
  expect(namesOf('/api/security/user/switch')).toEqual(['username', 'client', 'reason'])
  expect(namesOf('/api/crm/contacts/next')).toEqual(expect.arrayContaining(['after', 'city', 'order[callbackDate]']))
  expect(namesOf('/api/crm/contacts/{id}/actions')).toEqual(expect.arrayContaining(['id', 'page', 'sticky']))
  expect(namesOf('/api/safety/hazards/component_hazards_list')).toEqual(
    expect.arrayContaining(['q', 'industry', 'exclude[]', 'group[]']),
  )
})

test('a filter that means more than its name says so', () => {
  const { parameters } = paths['/api/safety/risk_items'].get
  const at = parameters.find(({ name }: { name: string }) => name === 'documentNumber')
  expect(at.description).toContain('newest revision')
})

test('what a route does not say that it takes, it does not see', async () => {
  const client = await portal.client()
  const staff = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  await staff.post('/api/crm/contacts', { companyName: 'Ash', phone: '01632 960001' })
  const found = (query: string) => staff.get(`/api/crm/contacts/dupes?${query}`).then((a) => a.body['hydra:totalItems'])
  expect([await found('companyName=Ash'), await found('name=Ash')]).toEqual([1, 0])
})
