import { expect, test } from 'vitest'
import { registryOf } from '#server/engine/registry.ts'
import { IdempotencyKeyClaim } from '#server/http/idempotency.ts'
import { openSpecimenPortal } from '#test/support/specimen.ts'

const portal = await openSpecimenPortal()
const client = await portal.client()
const person = await client.user()
const api = client.as(person)
const LIST = '/api/test/specimens'
const once = (key: string) => ({ 'idempotency-key': key })
const named = async (name: string) => (await api.get(`${LIST}?name=${name}`)).body['hydra:totalItems']

test('a repeated request with the same Idempotency-Key and body returns the first response without a second effect', async () => {
  const first = await api.post(LIST, { name: 'Once', amount: 1 }, once('a'))
  const again = await api.post(LIST, { name: 'Once', amount: 1 }, once('a'))
  expect(first.status).toBe(201)
  expect(first.headers).not.toHaveProperty('idempotency-replayed')
  expect([again.status, again.body]).toEqual([201, first.body])
  for (const name of ['location', 'content-location', 'content-type', 'link'])
    expect(again.headers[name]).toBe(first.headers[name])
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(await named('Once')).toBe(1)
})

test('a repeated response has the requested format', async () => {
  const { body } = await api.post(LIST, { name: 'Format' }, once('format'))
  const again = await api.post(LIST, { name: 'Format' }, { ...once('format'), accept: 'application/json' })
  expect(again.body).toMatchObject({ id: body.id, name: 'Format' })
  expect(again.body).not.toHaveProperty('@id')
})

test('an Idempotency-Key reused with another body or URL is rejected with 422', async () => {
  await api.post(LIST, { name: 'Twice' }, once('b'))
  expect((await api.post(LIST, { name: 'Other' }, once('b'))).status).toBe(422)
  expect((await api.post('/api/test/specimen_kinds', { name: 'Twice' }, once('b'))).status).toBe(422)
  expect(await named('Other')).toBe(0)
})

test('an Idempotency-Key reused during its first request is rejected with 409', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => api.post(LIST, { name: 'Racing' }, once('c'))))
  const statuses = answers.map((a) => a.status)
  expect(statuses.filter((s) => s === 201).length).toBeGreaterThanOrEqual(1)
  for (const a of answers)
    expect(a.status === 409 || a.headers['idempotency-replayed'] === 'true' || a.status === 201).toBe(true)
  expect(await named('Racing')).toBe(1)
  await portal.db.tx('system', (tx) =>
    tx.rows(
      "INSERT INTO idempotency (client_id, user_id, key, fingerprint) SELECT client_id, user_id, 'running', fingerprint FROM idempotency WHERE key = 'c' AND client_id = $1",
      [client.id],
    ),
  )
  expect((await api.post(LIST, { name: 'Racing' }, once('running'))).status).toBe(409)
})

test('a request whose Idempotency-Key was taken over by a later request has no effect', async () => {
  const actor = { userId: person.id, clientId: client.id, username: 'x', name: 'x', roles: [], scopes: [] }
  const [first, second] = [
    new IdempotencyKeyClaim(actor, 'passed', 'first'),
    new IdempotencyKeyClaim(actor, 'passed', 'second'),
  ]
  const later = () =>
    portal.db.tx('system', (tx) =>
      tx.rows("UPDATE idempotency SET created_at = now() - interval '3 minutes' WHERE key = 'passed'"),
    )
  expect(await first.take(portal.db, 'x')).toBeUndefined()
  expect(await second.take(portal.db, 'x')).toMatchObject({ status: null })
  await later()
  expect(await second.take(portal.db, 'x')).toBeUndefined()
  const store = (claim: IdempotencyKeyClaim, text: string) =>
    portal.db.tx('system', (tx) => claim.store(tx, { status: 200, text }))
  await expect(store(first, 'first')).rejects.toMatchObject({ status: 409 })
  await first.release(portal.db)
  await store(second, 'second')
  await later()
  expect(await first.take(portal.db, 'x')).toMatchObject({ status: 200, body: 'second' })
})

test('a repeated body may have its keys in another order, but not the items in its lists', async () => {
  const send = (body: Record<string, unknown>) => api.post(LIST, body, once('order'))
  const first = await send({ name: 'Order', amount: 1, extra: { a: 1, b: [1, 2] } })
  const again = await send({ extra: { b: [1, 2], a: 1 }, amount: 1, name: 'Order' })
  expect([again.status, again.body]).toEqual([201, first.body])
  expect((await send({ name: 'Order', amount: 1, extra: { a: 1, b: [2, 1] } })).status).toBe(422)
})

test('an empty Idempotency-Key is refused with an error message', async () => {
  for (const key of ['', ' ', '\t']) {
    const { status, body } = await api.post(LIST, { name: 'Empty' }, once(key))
    expect([status, body.code]).toEqual([400, 'bad_request'])
    expect(body.detail).toContain('Idempotency-Key is empty')
  }
  expect(await named('Empty')).toBe(0)
})

test('the Idempotency-Keys of different users are independent', async () => {
  const colleague = client.as(await client.user())
  await api.post(LIST, { name: 'My views' }, once('d'))
  const theirs = await colleague.post(LIST, { name: 'Theirs' }, once('d'))
  expect([theirs.status, theirs.body.name]).toEqual([201, 'Theirs'])
})

test('an Idempotency-Key is valid across processes and restarts', async () => {
  const first = await api.post(LIST, { name: 'Kept' }, once('e'))
  const elsewhere = await specimenElsewhere()
  const again = await elsewhere.post(LIST, { name: 'Kept' }, once('e'))
  expect([again.headers['idempotency-replayed'], again.body.id]).toEqual(['true', first.body.id])
})

test('an Idempotency-Key can be used again after a day, or after its request was refused', async () => {
  expect((await api.post(LIST, {}, once('f'))).status).toBe(422)
  expect((await api.post(LIST, { name: 'Mended' }, once('f'))).status).toBe(201)
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE idempotency SET created_at = now() - interval '25 hours' WHERE client_id = $1", [client.id]),
  )
  expect((await api.post(LIST, { name: 'Next day' }, once('f'))).status).toBe(201)
})

test('actions and routes accept an Idempotency-Key too, but a key that is too long is rejected with 400', async () => {
  const { '@id': iri } = (await api.post(LIST, { name: 'Red', colour: 'red' })).body
  expect((await api.post(`${iri}/paint`, { coats: 1 }, once('g'))).status).toBe(200)
  expect((await api.post(`${iri}/paint`, { coats: 1 }, once('g'))).headers['idempotency-replayed']).toBe('true')
  await api.post('/api/test/ping', {}, once('h'))
  expect((await api.post('/api/test/ping', {}, once('h'))).headers['idempotency-replayed']).toBe('true')
  expect((await api.post(LIST, { name: 'Long' }, once('x'.repeat(201)))).status).toBe(400)
})

/** Returns the same user's API at another process of the portal, which shares only the database. */
async function specimenElsewhere() {
  const second = await portal.with(
    {},
    registryOf(portal.engine).modules.filter((r) => r.name === 'test'),
  )
  const token = await portal.sessions.open(
    { clientId: client.id, userId: person.id },
    { address: '127.0.0.1', agent: 'test', browser: false },
  )
  return second.bearing(token.token)
}
