import { expect, test } from 'vitest'
import { createSpecimenKind, openSpecimenPortal } from '#test/support/specimen.ts'

const portal = await openSpecimenPortal()
const client = await portal.client()
const api = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
const LIST = '/api/test/specimens'
const { body: dust } = await api.post(LIST, { name: 'Dust' })
const LD = 'application/ld+json; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

test.each([
  [undefined, LD],
  ['*/*', LD],
  ['application/*', LD],
  ['application/json, text/plain, */*', LD],
  ['application/ld+json, application/json', LD],
  ['application/json, application/ld+json', LD],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', LD],
  ['APPLICATION/LD+JSON', LD],
  ['application/ld+json;q=0.5, application/json;q=0.6', JSON_TYPE],
  ['application/ld+json;q=0, */*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/json; charset=utf-8', JSON_TYPE],
  ['application/json, application/ld+json;q=0.9', JSON_TYPE],
])('a request with Accept: %s gets %s', async (accept, type) => {
  for (const url of [LIST, dust['@id']]) {
    const answer = await api.get(url, accept === undefined ? {} : { accept })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe(type)
    expect(answer.headers.vary).toBe('Accept, Accept-Encoding')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  }
})

test.each(['text/html', 'application/xml', 'image/*', 'application/json;q=0', 'application/hal+json'])(
  'a request with Accept: %s is rejected with 406',
  async (accept) => {
    const answer = await api.get(LIST, { accept })
    expect(answer.status).toBe(406)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  },
)

test('a request for the media type of a file returns the file', async () => {
  const url = '/api/safety/ppe_signs/M003.svg'
  const answer = await api.get(url, { accept: 'image/svg+xml' })
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
  expect((await api.get(url, { 'if-none-match': answer.headers.etag ?? '' })).status).toBe(304)
  expect((await api.get('/api/financial/acceptances/0-0-x/pdf', { accept: 'application/pdf' })).status).toBe(404)
})

test('a plain JSON list is a bare array of items without @ keys, with relations as IRIs or objects', async () => {
  const kind = await createSpecimenKind(portal, 'Powder')
  const { body: made } = await api.post(LIST, { name: 'Flour', kind: kind['@id'], parent: dust['@id'] })
  const { body: list } = await api.get(`${LIST}?name=Flour`, { accept: 'application/json' })
  expect(list).toHaveLength(1)
  expect(list[0]).toMatchObject({ id: made.id, kind: { id: kind.id, name: 'Powder' }, parent: dust['@id'] })
  const { body: one } = await api.get(made['@id'], { accept: 'application/json' })
  expect(one).toEqual(list[0])
  expect(JSON.stringify(one)).not.toContain('"@')
})

test('plain JSON leaves the contents of JSON fields unchanged', async () => {
  const extra = { '@id': '/api/test/specimens/1', '@type': 'Specimen', '@note': ['by hand', { '@id': '/x' }] }
  const { body: made } = await api.post(LIST, { name: 'Annotated', extra })
  const { body: one } = await api.get(made['@id'], { accept: 'application/json' })
  expect(one.extra).toEqual(extra)
  expect(one).not.toHaveProperty('@id')
})

test.each([
  ['POST', 'application/json', 201],
  ['POST', 'application/ld+json; charset=utf-8', 201],
  ['PUT', 'application/json', 200],
  ['PUT', 'application/ld+json', 200],
  ['PATCH', 'application/merge-patch+json', 200],
  ['PATCH', 'application/merge-patch+json; charset=utf-8', 200],
  ['POST', 'application/merge-patch+json', 415],
  ['POST', 'text/plain', 415],
  ['POST', 'application/x-www-form-urlencoded', 415],
  ['POST', 'application/xml', 415],
  ['POST', 'nonsense', 415],
  ['PUT', 'application/merge-patch+json', 415],
  ['PATCH', 'application/json', 415],
  ['PATCH', 'application/ld+json', 415],
  ['POST', '', 415],
  ['PUT', '', 415],
  ['PATCH', '', 415],
])('a %s request with a body of type "%s" gets status %i', async (method, type, status) => {
  const url = method === 'POST' ? LIST : dust['@id']
  const answer = await api.send(method, url, {
    headers: type ? { 'content-type': type } : {},
    body: Buffer.from('{"name":"Dust"}'),
  })
  expect(answer.status).toBe(status)
})

test('multipart/form-data is accepted for uploads only', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const body = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nDust\r\n--x--\r\n'
  expect((await api.send('POST', LIST, { headers, body })).status).toBe(415)
  expect((await api.send('POST', '/api/test/ping', { headers, body })).status).toBe(415)
  expect((await api.send('POST', '/api/test/upload', { headers, body })).status).toBe(204)
})

test.each(['text/plain', 'application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense'])(
  'a Content-Type of %s on GET and DELETE is ignored',
  async (type) => {
    const headers = { 'content-type': type }
    const { body } = await api.post(LIST, { name: 'Gone' })
    expect((await api.get(body['@id'], headers)).status).toBe(200)
    expect((await api.delete(body['@id'], headers)).status).toBe(204)
  },
)

test('routes and actions may be called without a body, with any content type', async () => {
  expect((await api.post('/api/test/ping')).body).toEqual({ '@id': '/api/test/ping', keys: 0 })
  for (const type of ['application/json', 'application/x-www-form-urlencoded'])
    expect((await api.send('POST', '/api/test/ping', { headers: { 'content-type': type } })).status).toBe(200)
})

test('HEAD returns the same headers as GET, without a body', async () => {
  for (const url of [LIST, dust['@id'], '/api', '/api/docs.jsonld', '/api/contexts/Specimen']) {
    const [get, head] = [await api.get(url), await api.head(url)]
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['content-type', 'etag', 'link', 'content-length'])
      expect(head.headers[name], `${name} of ${url}`).toBe(get.headers[name])
  }
})

const LINK = '<http://portal.test/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"'

test('every response has exactly one Link header to the documentation', async () => {
  const host = { host: 'portal.test' }
  const headers = { ...host, 'content-type': 'application/json' }
  const answers = [
    await api.get('/api', host),
    await api.get('/api/docs.jsonld', host),
    await api.get('/api/docs.json', host),
    await api.get('/api/contexts/Specimen', host),
    await api.get(LIST, host),
    await api.head(LIST, host),
    await api.get('/api/test/specimens/count', host),
    await api.send('POST', LIST, { headers, body: { name: 'Linked' } }),
    await api.send('POST', LIST, { headers, body: {} }),
    await api.send('POST', LIST, { headers, body: '{' }),
    await api.send('POST', LIST, { headers: { ...host, 'content-type': 'text/plain' }, body: 'x' }),
    await portal.anonymous.get(LIST, host),
    await portal.bearing('nonsense').get(LIST, host),
    await api.get(`${LIST}/999999`, host),
    await api.get('/api/no/such/thing', host),
    await api.get('/api/%zz', host),
    await api.get(`${LIST}/${'9'.repeat(600)}`, host),
    await api.get('/api/test/boom', host),
    await api.get(LIST, { ...host, accept: 'text/html' }),
    await api.send('OPTIONS', LIST, { headers: host }),
    await api.delete(LIST, host),
    await api.delete((await api.post(LIST, { name: 'Gone' })).body['@id'], host),
    await api.get(dust['@id'], { ...host, 'if-none-match': '*' }),
  ]
  expect(answers.map((a) => a.status)).toEqual([
    200, 200, 200, 200, 200, 200, 200, 201, 422, 400, 415, 401, 401, 404, 404, 404, 404, 500, 406, 204, 405, 204, 304,
  ])
  for (const a of answers) expect(a.headers.link).toBe(LINK)
})

test('CORS exposes and allows the headers that clients need, for the configured origins', async () => {
  const origin = 'https://elsewhere.test'
  const served = await portal.with({ API_ORIGINS: origin })
  const ask = { headers: { origin, 'access-control-request-method': 'PUT' } }
  const address = '/api/portal/users'
  const preflight = await served.anonymous.send('OPTIONS', address, ask)
  expect(preflight.status).toBe(204)
  const listed = (h: string | undefined) => (h ?? '').toLowerCase().split(/\s*,\s*/)
  for (const name of ['authorization', 'content-type', 'if-none-match'])
    expect(listed(preflight.headers['access-control-allow-headers'])).toContain(name)
  for (const method of ['get', 'post', 'put', 'patch', 'delete'])
    expect(listed(preflight.headers['access-control-allow-methods'])).toContain(method)
  for (const url of [address, '/api/docs.jsonld']) {
    const answer = await served.anonymous.get(url, { origin })
    expect(answer.headers['access-control-allow-origin']).toBe(url === address ? origin : '*')
    for (const name of ['link', 'location', 'content-location', 'etag', 'allow'])
      expect(listed(answer.headers['access-control-expose-headers'])).toContain(name)
  }
})
