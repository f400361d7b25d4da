import { expect, test } from 'vitest'
import { makeSecondFactorPortals, problemOf, SECOND_FACTOR_TEST_PASSWORD } from '#test/support/factors.ts'
import type { TestUser } from '#test/support/portal.ts'
import { OWN_SIGNING_PIN_URL } from './signing-pin.ts'

const { base, portal, signedIn, tenMinutesLater, withAppOf } = await makeSecondFactorPortals()

const PIN = { pin: '482915' }
const of = (p: TestUser) => `${p.iri}/signing_pin`

/** Creates a person and an administrator of the same client, both signed in. */
async function world(roles = ['ROLE_CLIENT_ADMIN']) {
  const client = await base.client()
  const password = SECOND_FACTOR_TEST_PASSWORD
  const person = (name: string, more: object) =>
    client.user({ username: `${name}.${client.id}`, email: `${name}.${client.id}@client.example`, password, ...more })
  const [owner, admin] = [await person('owner', {}), await person('keeper', { name: 'Kay Keeper', roles })]
  return { client, owner, admin, ownerApi: await signedIn(owner), adminApi: await signedIn(admin) }
}
const hashOf = async ({ id, clientId }: TestUser) =>
  (
    await base.db.tx('system', (tx) =>
      tx.rows<{ hash: string }>('SELECT hash FROM signing_pin WHERE client_id = $1 AND user_id = $2', [clientId, id]),
    )
  )[0]?.hash

test('a person sets, changes and removes their own PIN, which is stored as a hash and never returned', async () => {
  const { owner, ownerApi } = await world()
  expect((await ownerApi.get(OWN_SIGNING_PIN_URL)).body).toMatchObject({ isSet: false, changedAt: null })
  expect((await ownerApi.put(OWN_SIGNING_PIN_URL, PIN)).status).toBe(204)
  const first = await hashOf(owner)
  expect(first).toMatch(/^\$argon2id\$/)
  const { body, text } = await ownerApi.get(OWN_SIGNING_PIN_URL)
  expect(body).toEqual({ '@id': OWN_SIGNING_PIN_URL, isSet: true, changedAt: expect.any(String) })
  expect(text).not.toContain(PIN.pin)
  expect((await ownerApi.put(OWN_SIGNING_PIN_URL, { pin: '915482' })).status).toBe(204)
  expect(await hashOf(owner)).not.toBe(first)
  expect((await ownerApi.delete(OWN_SIGNING_PIN_URL)).status).toBe(204)
  expect((await ownerApi.delete(OWN_SIGNING_PIN_URL)).status).toBe(409)
  expect(await hashOf(owner)).toBeUndefined()
})

test('a PIN that is easy to guess is refused with the reason', async () => {
  const { ownerApi } = await world()
  for (const pin of ['000000', '123456', '654321', '121212', '12345', '', 'abcdef']) {
    const answer = await ownerApi.put(OWN_SIGNING_PIN_URL, { pin })
    expect(problemOf(answer)).toEqual([422, 'pin'])
    expect(answer.body.violations[0].message).toMatch(/easy to guess|Please enter a PIN of 6 digits/)
  }
})

test('setting or removing a PIN requires recent proof of identity, by second factor if there is one', async () => {
  const { owner, admin, ownerApi, adminApi } = await world()
  expect((await ownerApi.put(OWN_SIGNING_PIN_URL, PIN)).status).toBe(204)
  for (const one of [owner, admin]) await tenMinutesLater(one)
  expect(problemOf(await ownerApi.put(OWN_SIGNING_PIN_URL, { pin: '915482' }))).toEqual([403, 'proof_required'])
  expect(problemOf(await ownerApi.delete(OWN_SIGNING_PIN_URL))).toEqual([403, 'proof_required'])
  expect(problemOf(await adminApi.delete(of(owner)))).toEqual([403, 'proof_required'])
  const { owner: guarded } = await world()
  const { api } = await withAppOf(guarded)
  await tenMinutesLater(guarded)
  expect(problemOf(await api.put(OWN_SIGNING_PIN_URL, PIN))).toEqual([403, 'proof_required'])
})

test('an administrator removes a user’s PIN, but can neither set nor read it', async () => {
  const { owner, admin, ownerApi, adminApi } = await world()
  expect((await adminApi.delete(of(owner))).status).toBe(409)
  await ownerApi.put(OWN_SIGNING_PIN_URL, PIN)
  expect((await adminApi.get(of(owner))).body).toEqual({
    '@id': of(owner),
    isSet: true,
    changedAt: expect.any(String),
  })
  for (const method of ['PUT', 'PATCH', 'POST'])
    expect((await adminApi.send(method, of(owner), { body: PIN })).status).toBeGreaterThanOrEqual(404)
  await adminApi.put(owner.iri, { signingPin: '915482', pin: '915482' })
  expect((await ownerApi.get(of(admin))).status).toBe(403)
  expect((await ownerApi.delete(of(admin))).status).toBe(403)
  expect((await adminApi.delete(of(owner))).status).toBe(204)
  expect((await ownerApi.get(OWN_SIGNING_PIN_URL)).body.isSet).toBe(false)
  const stranger = await world()
  await stranger.ownerApi.put(OWN_SIGNING_PIN_URL, PIN)
  expect((await adminApi.delete(of(stranger.owner))).status).toBe(404)
  expect((await adminApi.get(of(stranger.owner))).status).toBe(404)
})

test('each change of a PIN is recorded in the audit trail and the security log, and the person is notified in the portal and by e-mail', async () => {
  const { client, owner, admin, ownerApi, adminApi } = await world()
  await ownerApi.put(OWN_SIGNING_PIN_URL, PIN)
  await adminApi.delete(of(owner))
  const trail = await base.db.tx('system', (tx) =>
    tx.rows('SELECT verb, row_id, username FROM audit WHERE client_id = $1 ORDER BY id', [client.id]),
  )
  expect(trail).toEqual([
    { verb: 'pin-set', row_id: owner.id, username: owner.username },
    { verb: 'pin-removed', row_id: owner.id, username: admin.username },
  ])
  await portal.engine.security.flush()
  const log = await adminApi.get('/api/portal/security_events?event=signing-pin&order[id]=desc')
  expect(log.body['hydra:member']).toMatchObject([
    { username: admin.username, detail: `of ${owner.username}: The signing PIN was removed` },
    { username: owner.username, detail: `of ${owner.username}: A new signing PIN was set` },
  ])
  const inbox = (await ownerApi.get('/api/portal/notices/inbox')).body['hydra:member']
  expect(inbox).toMatchObject([
    { kind: 'user.signing pin', words: expect.stringContaining('Your signing PIN was set') },
  ])
  await portal.drain()
  const sent = await base.db.tx('system', (tx) =>
    tx.rows<{ text: string }>('SELECT m::text AS text FROM message m WHERE client_id = $1 ORDER BY id', [client.id]),
  )
  expect(sent.map(({ text }) => text)).toEqual([
    expect.stringContaining('A new signing PIN was set, for the account'),
    expect.stringContaining('The signing PIN was removed, by Kay Keeper'),
  ])
})
