import { describe, expect, test } from 'vitest'
import { createSpecimenKind, openSpecimenPortal } from '#test/support/specimen.ts'

const portal = await openSpecimenPortal()
const client = await portal.client()
const api = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
const other = await portal.client()
const stranger = other.as(await other.user())
const LIST = '/api/test/specimens'
const make = async (more: Record<string, unknown> = {}) => (await api.post(LIST, { name: 'Ash', ...more })).body
const FULL = {
  name: 'Ash',
  code: null,
  zone: 'LS1',
  motto: 'slow',
  story: 'Long\nago',
  html: '<p>Rich</p>',
  mail: 'a@b.example',
  tel: '01632 960001',
  amount: 5,
  big: 2_000_000_000,
  price: 12.34,
  active: true,
  born: '2024-02-29',
  seen: '2024-02-29T10:20:30+00:00',
  due: 1_700_000_000,
  colour: 'red',
  tags: ['a', 'b'],
  extra: { deep: [1, { x: null }] },
}

describe('POST requests', () => {
  test("POST returns 201 with the new item, and the item's IRI as Location and Content-Location", async () => {
    const answer = await api.post(LIST, FULL)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ ...FULL, '@id': `${LIST}/${answer.body.id}`, '@type': 'Specimen' })
    expect(answer.headers.location).toBe(answer.body['@id'])
    expect(answer.headers['content-location']).toBe(answer.body['@id'])
    expect((await api.get(answer.body['@id'])).body).toEqual(answer.body)
  })

  test('POST with @id in the body is rejected with 400', async () => {
    for (const id of [`${LIST}/1`, null, 7]) expect((await api.post(LIST, { '@id': id, name: 'Ash' })).status).toBe(400)
  })

  test('POST ignores @context, @type, id, read-only and unknown keys', async () => {
    const { status, body } = await api.post(LIST, {
      '@context': 'x',
      '@type': 'Nonsense',
      id: 99999,
      clientId: other.id,
      client_id: other.id,
      author: 'somebody',
      updatedAt: '2001-01-01T00:00:00+00:00',
      hidden: 'x',
      unknown: { a: 1 },
      name: 'Ash',
    })
    expect(status).toBe(201)
    expect(body.id).not.toBe(99999)
    expect(body.author).not.toBe('somebody')
    expect(body.updatedAt).not.toBe('2001-01-01T00:00:00+00:00')
    expect(body).not.toHaveProperty('unknown')
  })
})

describe('PUT requests', () => {
  test('PUT is partial: absent keys leave values unchanged, null clears them, and a list replaces the list', async () => {
    const before = await make(FULL)
    const answer = await api.put(before['@id'], { amount: 6 })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-location']).toBe(before['@id'])
    const { updatedAt: _, ...kept } = before
    expect(answer.body).toMatchObject({ ...kept, amount: 6 })
    const cleared = (
      await api.put(before['@id'], {
        zone: null,
        amount: null,
        born: null,
        seen: null,
        extra: null,
        tags: ['c'],
        active: null,
      })
    ).body
    expect(cleared).toMatchObject({
      zone: null,
      amount: null,
      born: null,
      seen: null,
      extra: null,
      tags: ['c'],
      active: false,
    })
    expect((await api.get(before['@id'])).body).toEqual(cleared)
  })

  test('PUT to an unknown id creates no record', async () => {
    expect((await api.put(`${LIST}/99999999`, { name: 'New' })).status).toBe(404)
  })

  test('PUT accepts a complete record as react-admin sends it', async () => {
    const kind = await createSpecimenKind(portal, 'Type')
    const before = await make({ kind: kind['@id'], parent: (await make())['@id'] })
    const answer = await api.put(before['@id'], { ...before, id: before['@id'], originId: before.id, name: 'Oak' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: before.id, name: 'Oak', kind: before.kind, parent: before.parent })
  })
})

describe('PATCH requests', () => {
  test('PATCH merges: absent keys leave values unchanged, and null clears them', async () => {
    const before = await make(FULL)
    const answer = await api.patch(before['@id'], { amount: 7, zone: null, tags: ['z'] })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ name: 'Ash', amount: 7, zone: null, tags: ['z'], price: 12.34 })
  })

  test('items that can be changed announce PATCH in Accept-Patch', async () => {
    const { '@id': iri } = await make()
    expect((await api.get(iri)).headers['accept-patch']).toBe('application/merge-patch+json')
  })
})

describe('DELETE requests', () => {
  test('DELETE returns 204 without a body, and 404 when repeated', async () => {
    const { '@id': iri } = await make()
    const answer = await api.delete(iri)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await api.delete(iri)).status).toBe(404)
    expect((await api.get(iri)).status).toBe(404)
  })
})

describe('relations in bodies', () => {
  test('a relation is set by IRI or by an object with @id, whose other keys are ignored, and cleared by null', async () => {
    const parent = await make({ name: 'Parent' })
    expect((await make({ parent: parent['@id'] })).parent).toBe(parent['@id'])
    const child = await make({ parent: { ...parent, name: 'Renamed' } })
    expect(child.parent).toBe(parent['@id'])
    expect((await api.get(parent['@id'])).body.name).toBe('Parent')
    expect((await api.put(child['@id'], { parent: null })).body.parent).toBeNull()
  })

  test.each([
    ['nonsense', 'Invalid IRI "nonsense".'],
    ['/api/test/specimen_kinds/1', 'Invalid IRI "/api/test/specimen_kinds/1".'],
    ['/api/test/specimens/', 'Invalid IRI "/api/test/specimens/".'],
    ['/api/test/specimens/%', 'Invalid IRI "/api/test/specimens/%".'],
    ['/api/test/specimens/abc', 'Invalid IRI "/api/test/specimens/abc".'],
    ['/api/test/specimens/99999999', 'Item not found for "/api/test/specimens/99999999".'],
  ])('the relation %s is rejected with the message %s', async (parent, message) => {
    for (const value of [parent, { '@id': parent }]) {
      const { status, body } = await api.post(LIST, { name: 'Ash', parent: value })
      expect([status, body['hydra:description']]).toEqual([400, message])
    }
  })

  test('a relation is set by an object with only an id, so that embedded records in plain JSON can be written back', async () => {
    const kind = await createSpecimenKind(portal, 'Type')
    const made = await make({ kind: kind['@id'], parent: (await make())['@id'], html: '<p>a</p>', tags: ['x'] })
    const plain = await api.get(made['@id'], { accept: 'application/json' })
    expect(plain.body.kind).toEqual({ id: kind.id, name: 'Type' })
    const answer = await api.put(made['@id'], plain.body)
    expect([answer.status, answer.body]).toEqual([200, made])
    const parent = await make()
    for (const given of [{ id: parent.id }, { id: parent['@id'] }, { id: `${parent.id}` }])
      expect((await make({ parent: given })).parent).toBe(parent['@id'])
    expect((await api.post(LIST, { name: 'Ash', parent: { id: 99999999 } })).body.code).toBe('unknown_target')
  })

  test('a relation given as an object without id, a list or a number is rejected with 400', async () => {
    for (const parent of [
      {},
      { id: 'x' },
      { id: 1.5 },
      { id: '/api/test/specimen_kinds/1' },
      [],
      ['/api/test/specimens/1'],
      1,
      true,
      { '@id': 5 },
    ])
      expect((await api.post(LIST, { name: 'Ash', parent })).status, JSON.stringify(parent)).toBe(400)
  })

  test('a record of another client is treated as unknown: 400 as a relation, 404 as a URL', async () => {
    const theirs = (await stranger.post(LIST, { name: 'Theirs' })).body['@id']
    const { status, body } = await api.post(LIST, { name: 'Ash', parent: theirs })
    expect([status, body['hydra:description']]).toEqual([400, `Item not found for "${theirs}".`])
    expect((await api.get(theirs)).status).toBe(404)
    expect((await api.put(theirs, { name: 'My views' })).status).toBe(404)
    expect((await api.patch(theirs, { name: 'My views' })).status).toBe(404)
    expect((await api.delete(theirs)).status).toBe(404)
    expect((await api.post(`${theirs}/paint`, { coats: 1 })).status).toBe(404)
    expect((await stranger.get(theirs)).body.name).toBe('Theirs')
  })

  test('templates are readable by everybody, but writable only by the provider', async () => {
    const provider = portal.provider.as(await portal.provider.user())
    const { '@id': template } = (await provider.post('/api/test/patterns', { name: 'Template' })).body
    expect((await api.get(template)).body.name).toBe('Template')
    expect((await api.put(template, { name: 'My views' })).status).toBe(403)
    expect((await api.delete(template)).status).toBe(403)
  })
})

describe('request bodies', () => {
  test.each([
    ['name', 5, 'string'],
    ['name', ['x'], 'string'],
    ['name', { x: 1 }, 'string'],
    ['amount', '5', 'int'],
    ['amount', 5.5, 'int'],
    ['amount', true, 'int'],
    ['price', '12', 'float'],
    ['active', 'true', 'bool'],
    ['active', 1, 'bool'],
    ['tags', 'a', 'array'],
    ['tags', [1], 'array'],
    ['born', 20240229, 'string'],
    ['seen', 5, 'string'],
    ['due', '2024-02-29', 'int'],
    ['colour', 1, 'string'],
  ])('the field %s with value %j is rejected with 400, expected %s', async (field, value, expected) => {
    const { status, body } = await api.post(LIST, { name: 'Ash', [field]: value })
    expect(status).toBe(400)
    expect(body['hydra:description']).toMatch(
      new RegExp(`^The type of the "${field}" attribute must be "${expected}", "\\w+" given\\.$`),
    )
  })

  test.each([
    '',
    ' ',
    '{',
    '{"name":}',
    '[]',
    '[{"name":"x"}]',
    'null',
    '"name"',
    '5',
    '{"name":"x"}}',
    "{'name':'x'}",
  ])('a body of %j is rejected with 400', async (text) => {
    const { '@id': iri } = await make()
    const json = { 'content-type': 'application/json' }
    const merge = { 'content-type': 'application/merge-patch+json' }
    for (const answer of [
      await api.send('POST', LIST, { headers: json, body: text }),
      await api.send('PUT', iri, { headers: json, body: text }),
      await api.send('PATCH', iri, { headers: merge, body: text }),
    ])
      expect([answer.status, answer.body['@type']]).toEqual([400, 'hydra:Error'])
  })

  test('a missing body is rejected with 400', async () => {
    const { '@id': iri } = await make()
    for (const [method, url] of [
      ['POST', LIST],
      ['PUT', iri],
      ['PATCH', iri],
    ] as const)
      expect((await api.send(method, url)).status).toBe(400)
  })
})

describe('statuses of rejected requests', () => {
  test('missing and malformed tokens get 401 and WWW-Authenticate', async () => {
    const { '@id': iri } = await make()
    for (const who of [
      portal.anonymous,
      portal.bearing('nonsense'),
      portal.bearing(''),
      portal.bearing('é'.repeat(3000)),
    ])
      for (const answer of [
        await who.get(LIST),
        await who.get(iri),
        await who.post(LIST, { name: 'x' }),
        await who.delete(iri),
      ]) {
        expect(answer.status).toBe(401)
        expect(answer.headers['www-authenticate']).toBe('Bearer')
        expect(answer.body['@type']).toBe('hydra:Error')
      }
    expect((await portal.anonymous.get(LIST, { authorization: 'Basic YTpi' })).status).toBe(401)
  })

  test('an expired token gets 401', async () => {
    const person = await client.user()
    const { token } = await portal.sessions.open(
      { clientId: client.id, userId: person.id },
      { address: '127.0.0.1', agent: 'test', browser: false },
    )
    expect((await portal.bearing(token).get(LIST)).status).toBe(200)
    await portal.db.tx('system', (tx) =>
      tx.rows(
        "UPDATE access_token a SET expires_at = now() - interval '1 second' FROM session s WHERE s.client_id = a.client_id AND s.id = a.session_id AND s.user_id = $1",
        [person.id],
      ),
    )
    portal.sessions.forget()
    const over = await portal.bearing(token).get(LIST)
    expect([over.status, over.headers['www-authenticate'], over.body['hydra:description']]).toEqual([
      401,
      'Bearer',
      'Your session has ended. Please sign in again.',
    ])
  })

  test("a request that the user's roles do not permit gets 403", async () => {
    const plain = client.as(await client.user())
    const { '@id': iri } = await make()
    expect((await plain.delete(iri)).status).toBe(403)
    expect((await plain.get(iri)).status).toBe(200)
  })

  test.each([
    '0',
    '99999999',
    'abc',
    '1.5',
    '-1',
    '1e3',
    '99999999999999999999999',
    '%00',
    '1%00',
    '%2e%2e',
    '1%20',
    "1'--",
    '%F0%9F%92%A9',
    '',
  ])('the unknown id "%s" gets 404, worded as in the API convention', async (id) => {
    const { status, body } = await api.get(`${LIST}/${id}`)
    expect([status, body['@type'], body.status]).toEqual([404, 'hydra:Error', 404])
  })

  test('an unsupported method gets 405 and an Allow header', async () => {
    const { '@id': iri } = await make()
    for (const [method, url, allow] of [
      ['PUT', LIST, 'GET, POST, HEAD, OPTIONS'],
      ['PATCH', LIST, 'GET, POST, HEAD, OPTIONS'],
      ['DELETE', LIST, 'GET, POST, HEAD, OPTIONS'],
      ['POST', iri, 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'],
      ['GET', `${iri}/paint`, 'POST, OPTIONS'],
      ['HEAD', `${iri}/paint`, 'POST, OPTIONS'],
      ['DELETE', '/api/test/specimen_kinds/1', 'GET, HEAD, OPTIONS'],
      ['POST', '/api', 'GET, HEAD, OPTIONS'],
      ['PUT', '/api/docs.jsonld', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/api/contexts/Specimen', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await api.send(method, url)
      expect([answer.status, answer.headers.allow], `${method} ${url}`).toEqual([405, allow])
    }
  })

  test('a duplicate value is rejected with 422, and a conflicting state with 409', async () => {
    await make({ code: 'only-one' })
    const taken = await api.post(LIST, { name: 'Ash', code: 'only-one' })
    expect([taken.status, taken.body.violations]).toMatchObject([422, [{ propertyPath: 'code', code: 'duplicate' }]])
    const red = await make({ colour: 'red' })
    expect((await api.post(`${red['@id']}/paint`, { coats: 1 })).body).toMatchObject({
      '@id': `${red['@id']}`,
      colour: 'green',
    })
    expect((await api.post(`${red['@id']}/paint`, { coats: 1 })).status).toBe(409)
  })
})

describe('ETags', () => {
  test('GET returns a strong ETag, and 304 without a body for a matching If-None-Match', async () => {
    const { '@id': iri } = await make()
    for (const url of [iri, LIST, '/api', '/api/docs.jsonld', '/api/docs.json', '/api/contexts/Specimen']) {
      const { etag, 'cache-control': cache } = (await api.get(url)).headers
      expect(etag, url).toMatch(/^"[\w-]+"$/)
      expect(cache).toMatch(url.startsWith(LIST) ? /private/ : /public/)
      for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await api.get(url, { 'if-none-match': String(held) })
        expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
        expect(again.headers['content-type']).toBeUndefined()
      }
      expect((await api.get(url, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  })

  test('ETags differ by format and change with the record', async () => {
    const { '@id': iri } = await make()
    const first = (await api.get(iri)).headers.etag
    expect((await api.get(iri, { accept: 'application/json' })).headers.etag).not.toBe(first)
    await api.put(iri, { amount: 1 })
    expect((await api.get(iri)).headers.etag).not.toBe(first)
  })

  test('a mismatching If-Match is rejected with 412 in both formats, for PUT, PATCH and DELETE', async () => {
    const kind = await createSpecimenKind(portal, 'Type')
    for (const accept of ['application/ld+json', 'application/json']) {
      const { '@id': iri } = await make({ ...FULL, kind: kind['@id'], staffNote: 'not for all' })
      const stale = { 'if-match': String((await api.get(iri, { accept })).headers.etag) }
      expect((await api.put(iri, { amount: 1 }, stale)).status).toBe(200)
      expect((await api.put(iri, { amount: 2 }, stale)).status).toBe(412)
      expect((await api.patch(iri, { amount: 2 }, stale)).status).toBe(412)
      expect((await api.delete(iri, stale)).status).toBe(412)
      expect((await api.get(iri)).body.amount).toBe(1)
      const fresh = { 'if-match': `"other", ${(await api.get(iri, { accept })).headers.etag}` }
      expect((await api.patch(iri, { amount: 3 }, fresh)).status).toBe(200)
      expect((await api.put(iri, { amount: 4 }, { 'if-match': '*' })).status).toBe(200)
      const last = { 'if-match': String((await api.get(iri, { accept })).headers.etag) }
      expect((await api.delete(iri, last)).status).toBe(204)
    }
  })

  test('an ETag read by provider staff with access to all clients is accepted in their If-Match', async () => {
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    const { '@id': iri } = await make(FULL)
    const { etag } = (await staff.get(iri)).headers
    expect((await staff.put(iri, { amount: 9 }, { 'if-match': String(etag) })).status).toBe(200)
  })
})
