import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const ALERTS = '/api/portal/alerts'
const RULES = '/api/portal/alert_rules'
const SETTINGS = '/api/portal/notices/settings'

interface Alert {
  readonly kind: string
  readonly rule: number | null
  readonly who: readonly string[]
  readonly people: number
  readonly bell: boolean
  readonly mail: boolean
  readonly daily: boolean
}

test("company defaults for notifications apply only to the company's own users, and a user's own setting overrides them", async () => {
  const client = await portal.client()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const colleague = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const all = (await admin.get(ALERTS)).body['hydra:member'] as Alert[]
  // Chooses a notification type that has recipients, because some types have none in either company.
  const one = all.find(({ people }) => people > 0)
  if (!one) throw new Error('There is no kind of notice')
  expect([one.rule, one.people > 0, one.who.length > 0]).toEqual([null, true, true])
  const mine = async (as: typeof admin) =>
    ((await as.get(SETTINGS)).body['hydra:member'] as Alert[]).find(({ kind }) => kind === one.kind)
  const made = await admin.post(RULES, { kind: one.kind, bell: false, daily: !one.daily })
  expect(made.status).toBe(201)
  expect(await mine(colleague)).toMatchObject({ bell: false, mail: !one.daily })
  expect((await colleague.put(`${SETTINGS}/${one.kind}`, { bell: true, mail: one.daily })).status).toBe(200)
  expect(await mine(colleague)).toMatchObject({ bell: true, mail: one.daily })
  expect(await mine(admin)).toMatchObject({ bell: false })
  const elsewhere = await portal.client()
  const other = elsewhere.as(await elsewhere.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  expect(await mine(other)).toMatchObject({ bell: true, mail: one.daily })
  expect((await other.put(made.body['@id'], { bell: true })).status).toBe(404)
  expect((await admin.post(RULES, { kind: one.kind })).status).toBe(422)
  expect((await admin.post(RULES, { kind: 'no.such' })).body.violations[0].propertyPath).toBe('kind')
  expect(
    (await admin.put(made.body['@id'], { kind: all.find(({ kind }) => kind !== one.kind)?.kind ?? '' })).status,
  ).toBe(409)
})

test("provider-only notification types can be configured by the provider's user administrators and are hidden from clients", async () => {
  const client = await portal.client()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const ours = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
  const kinds = async (as: typeof admin) =>
    ((await as.get(ALERTS)).body['hydra:member'] as Alert[]).map(({ kind }) => kind)
  expect(await kinds(ours)).toContain('lead.callback')
  expect(await kinds(admin)).not.toContain('lead.callback')
  const weak = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'] }))
  expect((await weak.get(ALERTS)).status).toBe(403)
  expect((await weak.post(RULES, { kind: 'lead.callback' })).status).toBe(403)
  expect((await client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] })).get(ALERTS)).status).toBe(403)
})

test("a test e-mail is sent to the user's own address, and rejected if the user has none", async () => {
  const client = await portal.client()
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], email: 'try@alerts.example' })
  expect((await client.as(admin).post(`${ALERTS}/test`, {})).status).toBe(204)
  await portal.drain()
  const sent = await portal.db.tx('system', (tx) =>
    tx.rows('SELECT recipient FROM message WHERE client_id = $1', [client.id]),
  )
  expect(sent).toEqual([{ recipient: 'try@alerts.example' }])
  const silent = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  expect((await client.as(silent).post(`${ALERTS}/test`, {})).status).toBe(422)
})
