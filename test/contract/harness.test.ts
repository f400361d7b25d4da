import { expect, test } from 'vitest'
import type { Resource } from '#kernel/resource.ts'
import { closeTestDatabase, oncePerDatabase, testPortal } from '#test/support/portal.ts'
import { pickOneOfEachShape } from '#test/support/shapes.ts'

const portal = await testPortal()

test('each test can create its own client and users', async () => {
  const [one, other] = [await portal.client(), await portal.client()]
  const admin = await one.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  await other.user()
  const { status, body } = await one.as(admin).get('/api/portal/users')
  expect(status).toBe(200)
  expect(body['hydra:member'].map((u: { id: number }) => u.id)).toEqual([admin.id])
})

test('the test portal has provider staff and reference data', async () => {
  const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
  const { body } = await portal.provider.as(staff).get('/api/crm/last_results?pagination=false')
  expect(body['hydra:totalItems'] ?? body['hydra:member'].length).toBeGreaterThan(10)
})

test('the test portal listens on a real port', async () => {
  const answer = await fetch(`${await portal.listen()}/healthz`)
  expect(answer.status).toBe(200)
})

test('picking one resource of each shape covers every field kind, verb and tenant mode', () => {
  const all = portal.engine.addressed
  const some = pickOneOfEachShape(all)
  const traitsOf = (resources: readonly Resource[]) =>
    [
      ...new Set(
        resources.flatMap((r) => [
          r.tenant,
          ...Object.keys(r.allow),
          ...Object.values(r.fields).map(({ kind }) => kind),
        ]),
      ),
    ].sort()
  expect(traitsOf(some)).toEqual(traitsOf(all))
  expect(some.length).toBeLessThan(all.length / 3)
})

test('a fresh test database has its own portal and tables', async () => {
  const made = oncePerDatabase(async (of) => of.db)
  const before = await made()
  expect(await made()).toBe(before)
  const client = await portal.client()
  await closeTestDatabase()
  const after = await testPortal()
  expect(await made()).toBe(after.db)
  const found = await after.db.tx('system', (tx) => tx.rows('SELECT 1 FROM client WHERE id = $1', [client.id]))
  expect(found).toEqual([])
})
