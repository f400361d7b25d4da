import { expect, test } from 'vitest'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()

const PASSWORD = 'a long enough password'
const staffMember = () => portal.provider.user({ roles: ['ROLE_STAFF'], password: PASSWORD })

const called = async (as: TestApi, of: readonly string[], at = '') => {
  const { body } = await as.get(`/api/portal/names?${new URLSearchParams({ of: of.join(','), client: at })}`)
  return body['hydra:member'].map((p: { username: string; name: string }) => [p.username, p.name])
}

test("users can read the names of their client's own users, and of provider users who have worked in its portal", async () => {
  const [client, other] = [await portal.client(), await portal.client()]
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const worker = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  await client.as(admin).put(worker.iri, { name: 'Callum Fraser' })
  const [came, stranger] = [await staffMember(), await staffMember()]
  const staff = portal.provider.as(stranger)
  const { body: own } = await portal.anonymous.post(
    '/api/security/login',
    { username: came.username, password: PASSWORD, client: 0 },
    { 'x-requested-with': 'portal' },
  )
  const visit = new URLSearchParams({
    username: admin.username,
    client: String(client.id),
    reason: 'To look at the log',
  })
  const { status } = await portal.bearing(own.token).get(`/api/security/user/switch?${visit}`)
  expect(status).toBe(200)

  const asked = [worker.username, came.username, stranger.username, 'nobody.there', worker.username]
  const told = [
    [worker.username, 'Callum Fraser'],
    [came.username, came.username],
  ]
  expect(await called(client.as(worker), asked)).toEqual(told)
  expect(await called(client.as(worker), asked, '0')).toEqual(told)
  expect(await called(staff, asked, String(client.id))).toEqual([...told, [stranger.username, stranger.username]])
  expect(await called(other.as(await other.user()), asked, String(client.id))).toEqual([])
  expect(await called(client.as(worker), [])).toEqual([])
})
