import { describe, expect, test } from 'vitest'
import { type Field, isWritable } from '#kernel/fields.ts'
import { PACKS } from '#kernel/packs.ts'
import { actionsWithUrl, type Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { registryOf } from '#server/engine/registry.ts'
import { testPortal } from '#test/support/portal.ts'
import { sampleShapes, testEach } from '#test/support/scope.ts'

const portal = await testPortal()
const roles = (await portal.db.tx('system', (tx) => tx.rows<{ name: string }>('SELECT name FROM role'))).map(
  (r) => r.name,
)
const client = await portal.client({ packs: PACKS })
/** A user with every role that a client's users can have. */
const person = await client.user({ roles })
const api = client.as(person)
const provider = portal.provider.as(await portal.provider.user({ roles }))
const nobody = client.as(await client.user({ roles: [] }))

const routes = registryOf(portal.engine).modules.flatMap((module) => module.routes ?? [])

/** Resources that are accessible only during impersonation are tested in their own modules. */
const everybodys = portal.engine.addressed.filter((r) => !r.allow.onlyWhileImpersonating)

const resources = sampleShapes(everybodys)
const each = (title: string, check: (r: Resource) => Promise<void>) => testEach(title, resources, (r) => r.type, check)

// The provider writes shared records and clients' settings.
const writerOf = (r: Resource) => (r.tenant === 'shared' || r.allow.resellerScope ? provider : api)

describe('the resources of every module', () => {
  each('its list is a Hydra collection with what the convention asks for', async (r) => {
    for (const who of [api, provider]) {
      const { status, headers, body } = await who.get(`${r.url}?itemsPerPage=5`)
      expect(status).toBe(200)
      expect(headers).toMatchObject({ vary: 'Accept, Accept-Encoding', etag: expect.any(String) })
      expect(body).toMatchObject({
        '@context': `/api/contexts/${r.type}`,
        '@id': r.url,
        '@type': 'hydra:Collection',
        'hydra:totalItems': expect.any(Number),
        'hydra:search': { '@type': 'hydra:IriTemplate' },
      })
      for (const m of body['hydra:member']) {
        expect(m).toMatchObject({ '@id': `${r.url}/${m.id}`, '@type': r.type, id: expect.any(Number) })
        expect(m).not.toHaveProperty('@context')
        for (const [name, f] of Object.entries<Field>(r.fields)) {
          expect(name in m, name).toBe(
            !f.writeOnly && !f.omitFromLists && (!f.visible || hasRole({ roles } as never, f.visible)),
          )
          if (f.kind === 'instant' && m[name]) expect(m[name]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
          if (f.kind === 'link' && m[name]) expect(f.embed ? m[name]['@id'] : m[name]).toMatch(/^\/api\/\w+\/\w+\/\d+$/)
          if (f.kind === 'flag' && name in m) expect(typeof m[name]).toBe('boolean')
        }
        const one = (await who.get(m['@id'])).body
        for (const [name, f] of Object.entries<Field>(r.fields)) if (f.omitFromLists) delete one[name]
        expect(one).toEqual({ '@context': `/api/contexts/${r.type}`, ...m })
      }
    }
  })

  each('plain JSON is a bare array', async (r) => {
    const { body } = await provider.get(`${r.url}?itemsPerPage=2`, { accept: 'application/json' })
    expect(Array.isArray(body)).toBe(true)
    // JSON fields may contain any keys, so the check ignores their contents.
    const written = Object.entries<Field>(r.fields).flatMap(([name, f]) => (f.kind === 'json' ? [name] : []))
    for (const m of body) for (const name of written) delete m[name]
    expect(JSON.stringify(body)).not.toContain('"@')
  })

  each('paging limits, every parameter it names, and none that it does not', async (r) => {
    expect((await api.get(`${r.url}?page=0`)).status).toBe(400)
    expect((await api.get(`${r.url}?itemsPerPage=-1`)).status).toBe(400)
    const empty = await api.get(`${r.url}?page=99999`)
    expect([empty.status, empty.body['hydra:member']]).toEqual([200, []])
    expect((await api.get(`${r.url}?nothing[x]=1&order[nothing]=asc&exists[nothing]=1`)).status).toBe(200)
    const mapping: { variable: string }[] = empty.body['hydra:search']['hydra:mapping']
    expect(mapping.map((m) => m.variable)).toEqual(expect.arrayContaining(['id', 'order[id]']))
    const orders = mapping.filter((m) => m.variable.startsWith('order['))
    const together = mapping.filter((m) => !orders.slice(3).includes(m))
    for (const value of ['1', 'true', 'asc', '2026-01-01', '%00', '1e999', '1..2', ''])
      expect(
        (await api.get(`${r.url}?${together.map((m) => `${encodeURIComponent(m.variable)}=${value}`).join('&')}`))
          .status,
        value,
      ).toBe(200)
    for (const { variable } of orders)
      expect((await provider.get(`${r.url}?${variable}=desc&itemsPerPage=1`)).status, variable).toBe(200)
  })

  each('401 without a token, 403 without the role, 404 for what is not there', async (r) => {
    const anonymous = await portal.anonymous.get(r.url)
    expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    const read = r.allow.read ?? 'member'
    expect((await nobody.get(r.url)).status).toBe(hasRole({ roles: [] } as never, read) ? 200 : 403)
    for (const id of ['0', '999999999', '1.5', '%00', '99999999999999999999'])
      expect((await api.get(`${r.url}/${id}`)).status, id).toBe(404)
  })

  each('verbs: those that are not there are 405 with Allow, the others refuse nonsense', async (r) => {
    const json = { 'content-type': 'application/json' }
    const at = `${r.url}/999999999`
    for (const [method, url, there] of [
      ['POST', r.url, r.allow.create],
      ['PUT', at, r.allow.update],
      ['PATCH', at, r.allow.update],
      ['DELETE', at, r.allow.delete],
      ['PUT', r.url, undefined],
      ['DELETE', r.url, undefined],
    ] as const) {
      if (routes.some((one) => one.method === method && one.path.replace('{id}', '999999999') === url)) continue
      const answer = await writerOf(r).send(method, url, { headers: json, body: '{' })
      if (there)
        expect(answer.status, `${method} ${url}`).toBe({ POST: 400, PUT: 400, PATCH: 415, DELETE: 404 }[method])
      else {
        expect(answer.status, `${method} ${url}`).toBe(405)
        expect(answer.headers.allow).toContain('GET')
        expect(answer.headers.allow).not.toContain(method)
      }
    }
    if (r.allow.update) expect((await writerOf(r).put(at, {})).status).toBe(404)
    if (r.allow.update) expect((await writerOf(r).patch(at, {})).status).toBe(404)
    if (r.allow.create) expect((await writerOf(r).post(r.url, { '@id': `${r.url}/1` })).status).toBe(400)
  })

  each('a change answers with the tag that reading gives', async (r) => {
    if (!r.allow.update) return
    const { body } = await provider.get(`${r.url}?itemsPerPage=20`)
    for (const m of body['hydra:member'] ?? []) {
      const put = await provider.put(m['@id'], {})
      if (put.status !== 200) continue
      expect(put.headers.etag).toBe((await provider.get(m['@id'])).headers.etag)
      break
    }
  })

  each('each field refuses another type, an unknown IRI and an unknown target', async (r) => {
    if (!r.allow.create) return
    for (const [name, f] of Object.entries<Field>(r.fields)) {
      if (!isWritable(f) || f.kind === 'json') continue
      const wrong =
        f.kind === 'link' || f.kind === 'strings' || f.kind === 'rows'
          ? [5, {}, true]
          : f.kind === 'flag'
            ? ['x', 1]
            : [{}, [], true]
      for (const value of wrong)
        expect((await writerOf(r).post(r.url, { [name]: value })).status, `${name}: ${JSON.stringify(value)}`).toBe(400)
      if (f.kind !== 'link') continue
      const target = (f.target as () => typeof r)()
      for (const [given, message] of [
        ['nonsense', 'Invalid IRI "nonsense".'],
        [`${target.url}/999999999`, `Item not found for "${target.url}/999999999".`],
      ]) {
        const { status, body } = await writerOf(r).post(r.url, { ...filled, [name]: given })
        // Status 422 means that other required values are missing too.
        if (status === 422) continue
        expect([status, body['hydra:description']], name).toEqual([400, message])
      }
    }
  })

  each('actions are addressed below the record', async (r) => {
    for (const [, a] of actionsWithUrl(r)) {
      expect((await api.get(`${r.url}/999999999/${a.path}`)).headers.allow).toBe('POST, OPTIONS')
      expect((await portal.anonymous.post(`${r.url}/999999999/${a.path}`, {})).status).toBe(401)
    }
  })
})

/** These values make the body valid for most classes, so that only the relation is wrong. */
const filled = {
  name: 'Ash',
  username: `ash.${client.id}`,
  label: 'Ash',
  text: 'Ash',
  company: 'Ash Ltd',
  companyName: 'Ash Ltd',
}

test('every successful JSON response to a GET request is an object whose @id is a path', async () => {
  const { body: lead } = await api.post('/api/crm/contacts', { companyName: 'Ash Ltd' })
  const skipped = /switch|unswitch|password\/reset/
  for (const route of routes) {
    if (route.method !== 'GET' || skipped.test(route.path)) continue
    const url = route.path.replace('{id}', String(lead.id))
    if (url.includes('{')) continue
    const answer = await api.get(url)
    if (answer.status !== 200 || !/json/.test(String(answer.headers['content-type']))) continue
    expect(typeof answer.body['@id'], url).toBe('string')
    expect(answer.body['@id']).toMatch(/^\/api\//)
    expect(answer.headers.link, url).toBeTruthy()
    if (answer.body['@type'] === 'hydra:Collection') {
      expect(answer.body['@id'], url).not.toContain('?')
      expect(answer.body['@context'], url).toMatch(/^\/api\/contexts\//)
      for (const m of answer.body['hydra:member']) expect(String(m['@id']), url).toMatch(/^\/api\//)
      expect(Array.isArray((await api.get(url, { accept: 'application/json' })).body), url).toBe(true)
    }
  }
})

test('literal URL segments take precedence over {id}', async () => {
  expect((await api.get('/api/crm/contacts/count')).body).toEqual({
    '@id': '/api/crm/contacts/count',
    count: expect.any(Number),
  })
})
