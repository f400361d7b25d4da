import { beforeAll, describe, expect, test } from 'vitest'
import { type TestClient, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
let client: TestClient
let boss: TestUser
let staff: TestUser

beforeAll(async () => {
  client = await portal.client({ company: 'Brick & Beam' })
  boss = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Bea Boss' })
  staff = await portal.provider.user({ roles: ['ROLE_STAFF'], name: 'Sam Taylor' })
})

/** Impersonates the administrator in a session of its own, with permission for changes. */
async function impersonate(reason: string) {
  const from = { address: '127.0.0.1', agent: 'test', browser: false }
  const own = await portal.sessions.open({ clientId: staff.clientId, userId: staff.id }, from)
  const { token } = await portal.sessions.visit(own.token, { username: boss.username, clientId: client.id }, reason)
  const allowed = await portal.bearing(token).post('/api/security/user/write', { reason: 'To mend it' })
  const api = portal.bearing(allowed.body.token)
  return { api, end: () => api.get('/api/security/user/unswitch') }
}
const count = () => portal.runSchedule('identity.notify-of-impersonations')
const recordOf = async (reason: string) => {
  const { body } = await client.as(boss).get('/api/portal/visits')
  return body['hydra:member'].find((one: { reason: string }) => one.reason === reason)
}
const ACTION = { description: 'Mend the rail', managerName: 'Bea Boss', deadline: '2099-12-20' }

describe('the list of changes made during an impersonation', () => {
  test('an impersonation lists only its own changes, even if the same person works as the same user in another session', async () => {
    const first = await impersonate('first')
    const second = await impersonate('second')
    await first.api.put(client.iri, { city: 'Goole' })
    await second.api.post('/api/safety/corrective_actions', ACTION)
    await first.api.put(client.iri, { city: 'Hull' })
    await first.end()
    await second.end()
    await count()
    expect(await recordOf('first')).toMatchObject({ changes: 2, changed: 'Client (2)' })
    expect(await recordOf('second')).toMatchObject({ changed: expect.not.stringContaining('Client (') })
  })

  test("changes by an impersonation's batch job belong to it, even if a later impersonation has started", async () => {
    const { id } = await client.user()
    const earlier = await impersonate('earlier')
    const export_ = { from: '/api/portal/users', format: 'csv' }
    expect((await earlier.api.post('/api/portal/exports', export_)).status).toBe(202)
    await earlier.end()
    const later = await impersonate('later')
    await later.api.put(`/api/portal/users/${id}`, { telephone: '01632 960123' })
    await portal.drain()
    await later.end()
    await count()
    expect(await recordOf('earlier')).toMatchObject({ changed: expect.stringContaining('Run (') })
    expect(await recordOf('later')).toMatchObject({ changes: 1, changed: 'User (1)' })
  })

  test('the number of changes is null until the changes are counted, and null again from the end until the next count', async () => {
    const { api, end } = await impersonate('not counted')
    expect(await recordOf('not counted')).toMatchObject({ changes: null, changed: null, countedAt: null })
    await count()
    expect(await recordOf('not counted')).toMatchObject({ changes: 0, changed: '' })
    await api.put(client.iri, { city: 'York' })
    await end()
    expect(await recordOf('not counted')).toMatchObject({ changes: null, changed: null })
    await count()
    expect(await recordOf('not counted')).toMatchObject({ changes: 1, changed: 'Client (1)' })
  })

  test('reads of confidential data are not counted as changes and cause no notification', async () => {
    const person = { forename: 'Pat', surname: 'Moss', dob: '1980-02-29' }
    const made = await client.as(boss).post('/api/employees/employees', person)
    expect([made.status, made.text]).toEqual([201, expect.anything()])
    const { api, end } = await impersonate('read')
    expect((await api.get(made.body['@id'])).body.dob).toBe('1980-02-29')
    await end()
    const inbox = async () => (await client.as(boss).get('/api/portal/notices/inbox')).text
    const before = await inbox()
    await count()
    expect(await recordOf('read')).toMatchObject({ changes: 0, changed: '' })
    expect(await inbox()).toBe(before)
    const reads = await client.as(boss).get(`/api/portal/confidential_reads?record=${made.body['@id']}`)
    expect(reads.text).toContain(staff.username)
  })

  test('a read-only impersonation has no changes', async () => {
    const from = { address: '127.0.0.1', agent: 'test', browser: false }
    const { token } = await portal.sessions.open({ clientId: staff.clientId, userId: staff.id }, from)
    await portal.sessions.visit(token, { username: boss.username, clientId: client.id }, 'only looks')
    expect(await recordOf('only looks')).toMatchObject({ changes: 0, changed: '' })
  })
})

test('a support ticket written during impersonation names the real person', async () => {
  const { api } = await impersonate('ticket')
  const body = { subject: 'A PDF is empty', message: 'Please look', email: 'sam@provider.example' }
  const made = await api.post('/api/portal/support_tickets', body)
  expect([made.status, made.body]).toMatchObject([201, { name: 'Sam Taylor', author: staff.username, user: null }])
  const own = await client.as(boss).post('/api/portal/support_tickets', body)
  expect(own.body).toMatchObject({ name: 'Bea Boss', author: boss.username, user: { name: 'Bea Boss' } })
})

test('a support ticket can be written while working as an employee, who can’t read it', async () => {
  const worker = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  const from = { address: '127.0.0.1', agent: 'test', browser: false }
  const own = await portal.sessions.open({ clientId: staff.clientId, userId: staff.id }, from)
  const to = { username: worker.username, clientId: client.id }
  const { token } = await portal.sessions.visit(own.token, to, 'employee')
  const allowed = await portal.bearing(token).post('/api/security/user/write', { reason: 'To ask' })
  const body = { subject: 'Where is it?', message: 'Please look', email: 'sam@provider.example' }
  const made = await portal.bearing(allowed.body.token).post('/api/portal/support_tickets', body)
  expect([made.status, made.body.name]).toEqual([201, 'Sam Taylor'])
  expect((await client.as(worker).get(made.body['@id'])).status).toBe(404)
})

test('a view can’t be shared with the company during impersonation', async () => {
  const { api } = await impersonate('view')
  const view = { list: '/api/safety/documents', name: 'Current', query: 'state=current' }
  const shared = await api.post('/api/portal/saved_views', { ...view, sharing: 'everybody' })
  expect([shared.status, shared.body.code]).toEqual([403, 'in_person'])
  const made = await api.post('/api/portal/saved_views', view)
  expect(made.status).toBe(201)
  expect((await api.patch(made.body['@id'], { sharing: 'everybody' })).status).toBe(403)
})

test('a corrective action assigned to the impersonated user is an unread notification', async () => {
  const { api } = await impersonate('action')
  await api.post('/api/safety/corrective_actions', { ...ACTION, owner: boss.id, deadline: '2020-01-01' })
  const { body } = await client.as(boss).get('/api/portal/notices/inbox?unread=true')
  expect(JSON.stringify(body)).toContain('Mend the rail')
})

test('the notification stream is refused during impersonation with its own reason', async () => {
  const { api } = await impersonate('stream')
  const refused = await api.get('/api/portal/notices/summary', { accept: 'text/event-stream' })
  expect([refused.status, refused.body.detail]).toEqual([
    403,
    'Notifications aren’t streamed while you work as another user. Request their counts as JSON.',
  ])
  expect((await api.get('/api/portal/notices/summary')).status).toBe(200)
})
