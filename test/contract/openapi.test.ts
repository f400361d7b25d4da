import { expect, test } from 'vitest'
import { type Field, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Context } from '#server/engine/types.ts'
import { testPortal } from '#test/support/portal.ts'

// `npm run check` runs a third-party validator; these tests check what a validator can't know.

const portal = await testPortal()
const { paths, components } = (await portal.anonymous.get('/api/docs.json')).body
const { resources } = portal.engine
const { modules } = registryOf(portal.engine)
const PLAIN = 'application/json'
const contentOf = (path: string, method = 'get') => {
  const { responses } = paths[path][method]
  return (responses[200] ?? responses['2XX']).content
}
const namesOf = (path: string, method = 'get') =>
  (paths[path][method].parameters ?? []).map(
    (p: { name?: string; $ref?: string }) => p.name ?? p.$ref?.split('/').at(-1),
  )

test('component names are accepted by every code generator', () => {
  const names = Object.values<object>(components).flatMap(Object.keys)
  expect(names.filter((name) => !/^[\w.-]+$/.test(name))).toEqual([])
})

test('nested rows have the schema of their class, in full in responses but without the parent reference in requests', () => {
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

test('update schemas have no defaults, because omitted fields remain unchanged', () => {
  const withDefault = Object.entries<{ properties: Record<string, object> }>(components.schemas)
    .filter(([name]) => name.endsWith('.update') || name.endsWith('.row'))
    .flatMap(([name, { properties }]) =>
      Object.entries(properties).flatMap(([key, schema]) => ('default' in schema ? [`${name}.${key}`] : [])),
    )
  expect(withDefault).toEqual([])
})

test('lists, including those returned by custom routes, are documented as arrays in plain JSON', () => {
  const lists = [
    ...portal.engine.addressed.map((r) => ({ path: r.url, method: 'GET' })),
    ...modules.flatMap((module) => module.routes ?? []).filter((r) => r.listOf),
  ]
  for (const { path, method } of lists)
    expect([path, contentOf(path, method.toLowerCase())[PLAIN].schema.type]).toEqual([path, 'array'])
})

test('an endpoint that returns a file documents its media type', () => {
  expect(Object.keys(contentOf('/api/financial/quotes/{id}/pdf'))).toEqual(['application/pdf'])
  expect(Object.keys(contentOf('/api/safety/documents/pack'))).toEqual(['application/pdf'])
  expect(Object.keys(contentOf('/api/portal/runs/{id}/file'))).toContain('text/csv; charset=utf-8')
  expect(Object.keys(contentOf('/api/safety/uploaded_documents/{id}/thumbnail'))).toContain('image/webp')
  expect(JSON.stringify(paths)).not.toContain('"*/*"')
})

test('query parameters of routes are documented', () => {
  expect(namesOf('/api/security/user/switch')).toEqual(['username', 'client', 'reason'])
  expect(namesOf('/api/crm/contacts/next')).toEqual(expect.arrayContaining(['after', 'city', 'order[callbackDate]']))
  expect(namesOf('/api/crm/contacts/{id}/actions')).toEqual(expect.arrayContaining(['id', 'page', 'sticky']))
  expect(namesOf('/api/safety/hazards/component_hazards_list')).toEqual(
    expect.arrayContaining(['q', 'industry', 'exclude[]', 'group[]']),
  )
})

test('query parameters of actions are documented, including list filters and sort orders that affect the response', () => {
  const outcome = '/api/crm/contacts/{id}/outcomes'
  expect(namesOf(outcome, 'post')).toEqual(
    expect.arrayContaining(['idempotencyKey', 'owner', 'lastResult.category', 'order[callbackDate]']),
  )
  expect(namesOf(outcome, 'post')).toEqual(expect.not.arrayContaining(['page', 'itemsPerPage']))
  expect(namesOf('/api/crm/contacts/{id}/undo', 'post')).toEqual(['idempotencyKey'])
})

test('a filter whose meaning differs from its name has a description', () => {
  const { parameters } = paths['/api/safety/risk_items'].get
  const at = parameters.find(({ name }: { name: string }) => name === 'documentNumber')
  expect(at.description).toContain('newest revision')
})

test('a route does not receive undeclared query parameters', async () => {
  const client = await portal.client()
  const staff = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  await staff.post('/api/crm/contacts', { companyName: 'Ash', phone: '01632 960001' })
  const found = (query: string) => staff.get(`/api/crm/contacts/dupes?${query}`).then((a) => a.body['hydra:totalItems'])
  expect([await found('companyName=Ash'), await found('name=Ash')]).toEqual([1, 0])
})

test('an action does not receive undeclared query parameters', async () => {
  const crate = resource({
    type: 'Crate',
    service: 'test',
    path: 'crates',
    table: 'test_crate',
    tenant: 'own',
    fields: { name: text({ filter: true }) },
    allow: { read: 'member', create: 'member' },
    actions: {
      next: { path: 'next', title: 'Next', allow: 'member', input: {}, filters: true },
      close: { path: 'close', title: 'Close', allow: 'member', input: {} },
    },
  })
  const told = (c: Context) => ({ answer: () => ({ query: { ...c.query } }) })
  await portal.db.tx('owner', (tx) =>
    tx.script(
      `CREATE TABLE test_crate (client_id int NOT NULL REFERENCES client (id), id bigint GENERATED BY DEFAULT AS IDENTITY, name text, PRIMARY KEY (client_id, id));
       SELECT tenant_table('test_crate')`,
    ),
  )
  const behaviours = [behaviour(crate, { actions: { next: told, close: told } })]
  const own = await portal.with({}, [{ name: 'test-crates', resources: [crate], behaviours }])
  const client = await own.client()
  const api = client.as(await client.user())
  const { body } = await api.post('/api/test/crates', { name: 'a' })
  const query = { name: 'a', 'order[id]': 'asc' }
  const asked = (action: string) =>
    api.post(`${body['@id']}/${action}?name=a&order[id]=asc`, {}).then((a) => a.body.query)
  expect([await asked('next'), await asked('close')]).toEqual([query, {}])
})

test('every operation documents the general error statuses and those of its method', () => {
  for (const [path, operations] of Object.entries<Record<string, { responses?: object }>>(paths))
    for (const [method, { responses }] of Object.entries(operations)) {
      if (!responses) continue
      const named = Object.keys(responses)
      const writes = method === 'get' || method === 'delete' ? [] : ['400', '413', '415', '422']
      for (const status of ['406', '429', '500', '503', ...writes])
        expect([path, method, named]).toEqual([path, method, expect.arrayContaining([status])])
    }
  expect(Object.keys(paths['/api/security/login'].post.responses)).toContain('401')
  expect(Object.keys(paths['/api/security/user/write'].post.responses)).toContain('409')
  expect(Object.keys(paths['/api/safety/hazards'].get.responses)).toContain('422')
})
