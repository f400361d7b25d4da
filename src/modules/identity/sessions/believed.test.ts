import { describe, expect, test } from 'vitest'
import { type TestClient, type TestPortal, type TestUser, testPortal } from '#test/support/portal.ts'

// Two processes that share one database, each of which caches tokens for a few seconds.

const here = await testPortal()
const elsewhere = await here.with({})
const PASSWORD = 'harbour tin piano'
const CHECK = '/api/security/user_check'
const sql = <T>(text: string, values: readonly unknown[] = []) => here.db.tx('system', (tx) => tx.rows<T>(text, values))
let n = 0

const signIn = async (user: TestUser): Promise<string> =>
  (
    await here.anonymous.post('/api/security/login', {
      username: user.username,
      password: PASSWORD,
      client: user.clientId,
    })
  ).body.token
const staff = () => here.provider.user({ roles: ['ROLE_STAFF'], password: PASSWORD })
const customer = async () => {
  const client = await here.client()
  return { client, admin: await client.user({ roles: ['ROLE_CLIENT_ADMIN'], password: PASSWORD }) }
}
const switchTo = (token: string, { username, clientId }: TestUser, on: TestPortal = here) =>
  on
    .bearing(token)
    .get(`/api/security/user/switch?${new URLSearchParams({ username, client: String(clientId), reason: 'Help' })}`)
const visitsOf = ({ id }: TestClient) =>
  sql<{ ended: boolean; writes: boolean }>(
    'SELECT ended_at IS NOT NULL AS ended, writes_from IS NOT NULL AS writes FROM visit WHERE client_id = $1 ORDER BY id',
    [id],
  )
const believe = async (token: string, on: TestPortal) => expect((await on.bearing(token).get(CHECK)).status).toBe(200)

describe('an impersonation', () => {
  test('an impersonation ends once the impersonator has lost the right to impersonate', async () => {
    const [visitor, { client, admin }] = [await staff(), await customer()]
    const { token } = (await switchTo(await signIn(visitor), admin)).body
    await sql("UPDATE user_account SET roles = '{}' WHERE id = $1", [visitor.id])
    here.sessions.forget()
    expect((await here.bearing(token).get('/api/portal/users')).status).toBe(401)
    expect(await visitsOf(client)).toEqual([{ ended: true, writes: false }])
  })

  test("a token from an earlier impersonation can't unlock changes in the current one", async () => {
    const [visitor, first, second] = [await staff(), await customer(), await customer()]
    const own = await signIn(visitor)
    const former = (await switchTo(own, first.admin)).body.token
    await believe(former, elsewhere)
    const { token } = (await switchTo(own, second.admin)).body
    for (const call of [
      elsewhere.bearing(former).post('/api/security/user/write', { reason: 'Of the first' }),
      elsewhere.bearing(former).get('/api/security/user/unswitch'),
    ])
      expect((await call).status).toBe(401)
    await believe(token, here)
    expect([await visitsOf(first.client), await visitsOf(second.client)]).toEqual([
      [{ ended: true, writes: false }],
      [{ ended: false, writes: false }],
    ])
  })

  test("an impersonation can't be started after signing out", async () => {
    const [visitor, { client, admin }] = [await staff(), await customer()]
    const own = await signIn(visitor)
    await believe(own, elsewhere)
    await here.bearing(own).post('/api/security/logout')
    expect((await switchTo(own, admin, elsewhere)).status).toBe(401)
    expect(await visitsOf(client)).toEqual([])
  })

  test('several simultaneous clicks start only one impersonation', async () => {
    const [visitor, { client, admin }] = [await staff(), await customer()]
    const own = await signIn(visitor)
    const begun = await Promise.all(Array.from({ length: 12 }, () => switchTo(own, admin)))
    for (const { status, body } of begun) expect([status, body.user?.id]).toEqual([200, admin.id])
    for (const { body } of begun) await believe(body.token, here)
    expect(await visitsOf(client)).toEqual([{ ended: false, writes: false }])
  })
})

describe('a token cached by another process', () => {
  const backdoor = () => ({ username: `door.${++n}`, name: 'Door', roles: ['ROLE_CLIENT_ADMIN'] })

  test('a token cached by another process is refused if the user is retired', async () => {
    const { client, admin } = await customer()
    const token = await signIn(admin)
    await believe(token, elsewhere)
    const boss = here.provider.as(await here.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
    expect((await boss.patch(admin.iri, { isRetired: true })).status).toBe(200)
    expect((await elsewhere.bearing(token).post('/api/portal/users', backdoor())).status).toBe(401)
    expect((await elsewhere.bearing(token).post(`${admin.iri}/invite`)).status).toBeGreaterThan(399)
    expect(await sql('SELECT 1 FROM user_account WHERE client_id = $1', [client.id])).toHaveLength(1)
  })

  test('a token cached by another process does not grant a right that the user has lost', async () => {
    const { client, admin } = await customer()
    const other = await client.user()
    const token = await signIn(admin)
    await believe(token, elsewhere)
    const boss = here.provider.as(await here.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
    expect((await boss.patch(admin.iri, { roles: [] })).status).toBe(200)
    const thief = elsewhere.bearing(token)
    expect((await thief.post('/api/portal/users', backdoor())).status).toBe(403)
    expect((await thief.patch(other.iri, { roles: ['ROLE_CLIENT_ADMIN'] })).status).toBe(403)
    expect((await thief.put(`${other.iri}/password`, { password: 'kettle moss ladder' })).status).toBe(403)
  })
})
