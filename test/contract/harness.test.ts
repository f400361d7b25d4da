import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()

test('a test has a client and people of its own', async () => {
  const [one, other] = [await portal.client(), await portal.client()]
  const admin = await one.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  await other.user()
  const { status, body } = await one.as(admin).get('/api/portal/users')
  expect(status).toBe(200)
  expect(body['hydra:member'].map((u: { id: number }) => u.id)).toEqual([admin.id])
})

test('the provider has staff, and the reference data is there', async () => {
  const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
  const { body } = await portal.provider.as(staff).get('/api/crm/last_results?pagination=false')
  expect(body['hydra:totalItems'] ?? body['hydra:member'].length).toBeGreaterThan(10)
})

test('it answers on a real port', async () => {
  const answer = await fetch(`${await portal.listen()}/healthz`)
  expect(answer.status).toBe(200)
})
