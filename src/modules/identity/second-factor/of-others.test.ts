import { describe, expect, test } from 'vitest'
import {
  makeSecondFactorPortals,
  OWN_SECOND_FACTOR_URL,
  problemOf,
  SECOND_FACTOR_TEST_PASSWORD,
} from '#test/support/factors.ts'
import type { TestUser } from '#test/support/portal.ts'

const { base, login, person, portal, signedIn, tenMinutesLater, withApp, withAppOf } = await makeSecondFactorPortals()

const of = (p: TestUser) => `${p.iri}/second_factor`

/** Creates a user who has lost their phone, and an administrator of the same client. */
async function world(roles = ['ROLE_CLIENT_ADMIN']) {
  const client = await base.client()
  const n = client.id
  const lost = await client.user({
    username: `lost.${n}`,
    email: `lost.${n}@client.example`,
    password: SECOND_FACTOR_TEST_PASSWORD,
  })
  await withAppOf(lost)
  const admin = await client.user({
    username: `keeper.${n}`,
    name: 'Kay Keeper',
    roles,
    password: SECOND_FACTOR_TEST_PASSWORD,
  })
  return { client, lost, admin, api: await signedIn(admin) }
}

describe("removing a user's lost second factor", () => {
  test("an administrator sees a user's second factors before removing them", async () => {
    const { lost, api } = await world()
    expect((await api.get(of(lost))).body).toMatchObject({ isSet: true, app: true, passkeys: 0, recoveryCodes: 10 })
    expect((await api.delete(of(lost))).status).toBe(204)
    expect((await api.get(of(lost))).body).toMatchObject({ isSet: false, recoveryCodes: 0 })
    expect((await api.delete(of(lost))).status).toBe(409)
  })

  test("removing a user's second factor signs the user out everywhere, and the user can then sign in with the password alone", async () => {
    const { lost, api } = await world()
    const [session] = await base.db.tx('system', (tx) =>
      tx.rows('SELECT 1 FROM session WHERE client_id = $1 AND user_id = $2', [lost.clientId, lost.id]),
    )
    expect(session).toBeDefined()
    expect(problemOf(await login(lost))).toEqual([401, 'second_factor_required'])
    await api.delete(of(lost))
    expect(
      await base.db.tx('system', (tx) =>
        tx.rows('SELECT 1 FROM session WHERE client_id = $1 AND user_id = $2', [lost.clientId, lost.id]),
      ),
    ).toEqual([])
    expect((await login(lost)).status).toBe(200)
  })

  test("removing a user's second factor is recorded in the audit trail and security log, and e-mailed to the user", async () => {
    const { client, lost, admin, api } = await world()
    await api.delete(of(lost))
    const [trail] = await base.db.tx('system', (tx) =>
      tx.rows('SELECT verb, row_id, username FROM audit WHERE client_id = $1 ORDER BY id DESC LIMIT 1', [client.id]),
    )
    expect(trail).toEqual({ verb: 'factor-taken-away', row_id: lost.id, username: admin.username })
    await portal.engine.security.flush()
    const log = await client.as(admin).get('/api/portal/security_events?event=second-factor&order[id]=desc')
    expect(log.body['hydra:member'][0]).toMatchObject({
      username: admin.username,
      detail: `of ${lost.username}: The second factor was removed by an administrator`,
    })
    const letters = await base.db.tx('system', (tx) =>
      tx.rows<{ payload: { to: string; body: string } }>(
        "SELECT payload FROM outbox WHERE client_id = $1 AND kind = 'mail' ORDER BY id DESC LIMIT 1",
        [client.id],
      ),
    )
    expect(letters[0]?.payload).toMatchObject({
      to: `lost.${client.id}@client.example`,
      body: expect.stringContaining('removed by an administrator, Kay Keeper,'),
    })
  })

  test('an administrator must prove their identity again before removing a second factor', async () => {
    const { lost, admin, api } = await world()
    await tenMinutesLater(admin)
    expect(problemOf(await api.delete(of(lost)))).toEqual([403, 'proof_required'])
    const { body } = await api.post('/api/security/proof', { password: SECOND_FACTOR_TEST_PASSWORD })
    expect((await portal.bearing(body.token).delete(of(lost))).status).toBe(204)
  })

  test('an administrator can remove second factors only in their own client, and never their own', async () => {
    const { lost, api } = await world()
    const other = await world()
    expect((await other.api.delete(of(lost))).status).toBe(404)
    expect((await (await signedIn(await person())).delete(of(lost))).status).toBe(403)
    expect((await (await world(['ROLE_USER_ADMIN'])).api.delete(of(lost))).status).toBe(404)
    const { p, api: own } = await withApp({ roles: ['ROLE_CLIENT_ADMIN'] })
    expect((await own.delete(of(p))).status).toBe(409)
    expect((await own.get(OWN_SECOND_FACTOR_URL)).body.app).not.toBeNull()
    const keeper = await signedIn(await person({ clientId: 0, roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
    const staff = await signedIn(await person({ clientId: 0, roles: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'] }))
    expect([(await staff.delete(of(lost))).status, (await keeper.delete(of(lost))).status]).toEqual([403, 204])
    expect((await api.get(of(lost))).body.isSet).toBe(false)
  })

  test("a second factor can't be removed during impersonation", async () => {
    const { lost, admin } = await world()
    const staff = await signedIn(await person({ clientId: 0, roles: ['ROLE_STAFF'] }))
    const to = new URLSearchParams({ username: admin.username, client: String(admin.clientId), reason: 'They rang' })
    const { body } = await staff.get(`/api/security/user/switch?${to}`)
    const visitor = portal.bearing(body.token)
    expect((await visitor.post('/api/security/user/write', { reason: 'They ask for it' })).status).toBe(200)
    expect([(await visitor.get(of(lost))).status, (await visitor.delete(of(lost))).status]).toEqual([200, 403])
    expect((await login(lost)).status).toBe(401)
  })
})
