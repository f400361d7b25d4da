import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const NEW = '/api/crm/staff/new'
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))
let n = 0
const somebody = (more: object = {}) => {
  const username = `new.caller.${++n}`
  return { username, name: 'Nia Caller', email: `${username}@staff.example`, telephone: '01632 960123', ...more }
}
const as = async (...roles: string[]) => portal.provider.as(await portal.provider.user({ roles }))
const counted = async (username: string) =>
  (
    await sql<{ n: number }>(
      `SELECT (SELECT count(*) FROM user_account WHERE username = $1)::int + (SELECT count(*) FROM staff WHERE username = $1)::int AS n`,
      [username],
    )
  )[0]?.n

test('a new member of staff gets an account, a staff record, roles, a daily call target and an invitation in one request', async () => {
  const keeper = await as('ROLE_STAFF', 'ROLE_USER_ADMIN')
  const who = somebody({ callsPerDay: 25, roles: ['ROLE_LEADS_ADMIN'], invite: true })
  const { status, body } = await keeper.post(NEW, who)
  expect([status, body.roles, body.callsPerDay]).toEqual([200, ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'], 25])
  expect((await keeper.get(body['@id'])).body).toMatchObject({
    username: who.username,
    callsPerDay: 25,
    email: who.email,
    user: body.user,
  })
  await portal.drain()
  expect(await sql('SELECT template FROM message WHERE recipient = $1', [who.email])).toEqual([{ template: 'invite' }])
  const again = await keeper.post(NEW, who)
  expect([again.status, again.body.violations[0].propertyPath]).toEqual([422, 'username'])
})

test.each([
  ['a daily call target above the maximum', { callsPerDay: 501 }],
  ['an unknown role', { roles: ['ROLE_NOBODY'] }],
  ['no e-mail address for the invitation', { email: '', invite: true }],
])('a new member of staff with %s is rejected, and nothing is saved', async (_, more) => {
  const who = somebody(more)
  expect((await (await as('ROLE_STAFF', 'ROLE_USER_ADMIN')).post(NEW, who)).status).toBe(422)
  expect(await counted(who.username)).toBe(0)
})

test("only the provider's user administrators can create staff", async () => {
  const who = somebody()
  const client = await portal.client()
  const stray = client.as(await client.user({ roles: ['ROLE_USER_ADMIN', 'ROLE_STAFF', 'ROLE_CLIENT_ADMIN'] }))
  for (const one of [await as('ROLE_STAFF', 'ROLE_LEADS_ADMIN'), stray])
    expect((await one.post(NEW, who)).status).toBe(403)
  expect(await counted(who.username)).toBe(0)
})

test("a user can read their own token record, and gets 404 for another user's", async () => {
  const [me, other] = [await portal.provider.user({ roles: ['ROLE_STAFF'] }), await portal.provider.user()]
  const mine = await portal.provider.as(me).get(`/api/portal/user_tokens/${me.id}`)
  expect(mine.body).toMatchObject({
    user: me.iri,
    client: '/api/portal/clients/0',
    tokenType: 'Bearer',
    isImpersonating: false,
  })
  expect(mine.body).not.toHaveProperty('token')
  expect((await portal.provider.as(me).get(`/api/portal/user_tokens/${other.id}`)).status).toBe(404)
})
