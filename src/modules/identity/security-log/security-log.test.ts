import { describe, expect, test } from 'vitest'
import { SecurityLog } from '#server/auth/security-log.ts'
import { processPasswordResetRequests } from '#test/support/letters.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const PASSWORD = 'umbrella stand seven'
const LOG = '/api/portal/security_events'

/** Reads the security log as an administrator, newest entry first. */
async function logOf(api: { get: (url: string) => Promise<{ body: unknown }> }) {
  await portal.engine.security.flush()
  const { body } = await api.get(LOG)
  return (body as { 'hydra:member': Record<string, unknown>[] })['hydra:member']
}

async function world() {
  const client = await portal.client()
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], password: PASSWORD })
  const worker = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  return { client, admin, worker, api: client.as(admin) }
}

describe('the security log', () => {
  test('the security log records sign-ins and sign-outs with IP address and browser', async () => {
    const { client, admin, api } = await world()
    const signIn = { username: admin.username, client: client.id, password: PASSWORD }
    const { body } = await portal.anonymous.post('/api/security/login', signIn, { 'user-agent': 'Nosegay 7' })
    await portal.bearing(body.token).post('/api/security/logout')
    const about = { username: admin.username, address: '127.0.0.1', times: 1 }
    expect(await logOf(api)).toMatchObject([
      { event: 'sign-out', ...about },
      { event: 'sign-in', agent: 'Nosegay 7', ...about },
    ])
  })

  test('the security log records refused requests by URL pattern, and counts repetitions', async () => {
    const { client, worker, api } = await world()
    for (const id of [1, 2, 3])
      await client.as(worker).put(`/api/portal/clients/${client.id}?try=${id}`, { city: 'Bath' })
    expect(await logOf(api)).toMatchObject([
      { event: 'refused', username: worker.username, detail: 'PUT /api/portal/clients/:id', times: 3 },
    ])
  })

  test('the security log records committed changes to rights, but none that was rolled back', async () => {
    const { worker, admin, api } = await world()
    await api.put(worker.iri, { roles: ['ROLE_EMPLOYEE', 'ROLE_CLIENT_ADMIN'] })
    await api.put(worker.iri, { isRetired: true })
    expect((await api.put(worker.iri, { isRetired: false, email: 'no address' })).status).toBe(422)
    expect(await logOf(api)).toMatchObject([
      { event: 'rights', username: admin.username, detail: `${worker.username}: retired` },
      { event: 'rights', detail: `${worker.username}: roles changed to ROLE_EMPLOYEE ROLE_CLIENT_ADMIN` },
    ])
  })

  test('the security log records whose password was set and by whom, and who was sent a password link', async () => {
    const { client, admin, worker, api } = await world()
    await portal.db.tx('system', (tx) =>
      tx.rows("UPDATE user_account SET email = 'w@post.example' WHERE client_id = $1 AND id = $2", [
        client.id,
        worker.id,
      ]),
    )
    expect((await api.post(`${worker.iri}/invite`)).status).toBe(204)
    expect((await api.put(`${worker.iri}/password`, { password: PASSWORD })).status).toBe(204)
    expect(await logOf(api)).toMatchObject([
      { event: 'password', username: admin.username, detail: `of ${worker.username}` },
      { event: 'password-link', username: admin.username, detail: `to ${worker.username}, as an invitation` },
    ])
  })

  test('the security log records wrong current passwords and throttled attempts, with user and IP address', async () => {
    const { client } = await world()
    const p = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], password: PASSWORD, email: 'p@post.example' })
    const api = client.as(p)
    const wrong = { current: 'wrong', password: 'kettle moss ladder' }
    for (let i = 0; i < 4; i++) await api.put(`${p.iri}/password`, wrong)
    await portal.db.tx('system', (tx) => tx.rows("UPDATE attempt SET at = at + interval '1 minute'"))
    expect((await api.put(`${p.iri}/password`, wrong)).status).toBe(429)
    expect((await api.post('/api/security/proof', { password: PASSWORD })).status).toBe(429)
    await portal.db.tx('system', (tx) => tx.rows('DELETE FROM attempt'))
    await api.post('/api/security/proof', { password: 'wrong' })
    const about = { username: p.username, address: '127.0.0.1' }
    const told = (await logOf(api)).map(({ event, detail, username, address }) => ({
      event,
      detail,
      username,
      address,
    }))
    expect(told).toEqual([
      { event: 'sign-in-failed', detail: 'proof of identity', ...about },
      { event: 'locked', detail: 'POST /api/security/proof', ...about },
      { event: 'locked', detail: 'PUT /api/portal/users/:id/password', ...about },
      { event: 'sign-in-failed', detail: 'current password', ...about },
    ])
  })

  test('the security log records the IP address of each password link request, even if throttled or for unknown users', async () => {
    const { client, api } = await world()
    const email = `asks.${client.id}@post.example`
    const p = await client.user({ email })
    const ask = async (username: string) => {
      const payload = { username, client: client.id }
      const headers = { 'user-agent': 'Nosegay 7' }
      const url = '/api/security/password/forgot'
      await portal.app.inject({ method: 'POST', url, payload, headers, remoteAddress: '10.3.3.3' })
      await processPasswordResetRequests(portal)
    }
    for (let i = 0; i < 6; i++) await ask(p.username)
    const from = { address: '10.3.3.3', agent: 'Nosegay 7' }
    const told = (await logOf(api)).filter(({ username }) => username === p.username)
    expect(told.map(({ event }) => event)).toEqual(['locked', ...told.slice(1).map(() => 'password-link')])
    for (const event of told) expect(event).toMatchObject(from)
    await ask('nobody.at.all')
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
    const [last] = (await logOf(keeper)).filter(({ address }) => address === '10.3.3.3')
    expect(last).toMatchObject({
      event: 'password-link',
      username: '',
      detail: 'password reset: no such user',
      ...from,
    })
  })

  test("a client's security log records impersonations of the client's users", async () => {
    const { client, worker, api } = await world()
    const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
    const query = `username=${worker.username}&client=${client.id}&reason=${encodeURIComponent('A question by telephone')}`
    const { body } = await portal.provider.as(staff).get(`/api/security/user/switch?${query}`)
    await portal.bearing(body.token).get('/api/security/user/unswitch')
    const about = { username: staff.username, asUsername: worker.username }
    expect(await logOf(api)).toMatchObject([
      { event: 'switch-back', ...about },
      { event: 'switch', detail: 'A question by telephone', ...about },
    ])
  })

  test("administrators can read their own client's security log, and provider administrators every client's", async () => {
    const { client, worker, api } = await world()
    const other = await world()
    await client.as(worker).put(client.iri, {})
    expect(await logOf(api)).toHaveLength(1)
    expect(await logOf(other.api)).toEqual([])
    expect((await client.as(worker).get(LOG)).status).toBe(403)
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
    const { body } = await keeper.get(`${LOG}?client=${client.id}`)
    expect(body['hydra:member']).toMatchObject([{ event: 'refused', client: { id: client.id } }])
  })

  test('security log entries that could not be stored are stored once the database responds again', async () => {
    const { client, api } = await world()
    let answers = false
    const tx: typeof portal.db.tx = (as, work) => (answers ? portal.db.tx(as, work) : Promise.reject(new Error('away')))
    const log = new SecurityLog({ ...portal.db, tx })
    log.note('refused', { clientId: client.id }, undefined, 'half a \ud83d and a \u0000')
    await expect(log.flush()).rejects.toThrow('away')
    answers = true
    await log.flush()
    expect(await logOf(api)).toMatchObject([{ detail: 'half a \ufffd and a ' }])
  })

  test('security log entries are deleted after thirteen months, and nobody can delete an entry less than a year old', async () => {
    const { client, api } = await world()
    const add = (months: number) =>
      portal.db.tx('system', (tx) =>
        tx.rows(
          "INSERT INTO security_event (client_id, event, at) VALUES ($1, 'sign-in', now() - make_interval(months => $2))",
          [client.id, months],
        ),
      )
    for (const months of [14, 12, 1]) await add(months)
    await portal.runSchedule('identity.trim-security-log')
    expect(await logOf(api)).toHaveLength(2)
    const upkeep = portal.db.tx('owner', async (tx) => {
      await tx.rows("SET LOCAL app.upkeep = 'security_event'")
      await tx.rows('DELETE FROM security_event WHERE client_id = $1', [client.id])
    })
    await expect(upkeep).rejects.toMatchObject({ code: '23001' })
  })
})

test("a client's administrators are notified of the changes made during an impersonation, once for each change", async () => {
  const firm = await portal.client({ company: 'Brick & Beam' })
  const boss = await firm.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const worker = await firm.user({ roles: ['ROLE_EMPLOYEE'] })
  const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
  const { token: own } = await portal.sessions.open(
    { clientId: staff.clientId, userId: staff.id },
    { address: '127.0.0.1', agent: 'test', browser: false },
  )
  const { token } = await portal.sessions.visit(own, { username: boss.username, clientId: firm.id }, 'They rang')
  const allowed = await portal.bearing(token).post('/api/security/user/write', { reason: 'To mend it' })
  const visitor = portal.bearing(allowed.body.token)
  const notices = async () => (await firm.as(boss).get('/api/portal/notices/inbox')).body['hydra:member']
  await portal.runSchedule('identity.notify-of-impersonations')
  expect(await notices()).toEqual([])
  await visitor.put(worker.iri, { telephone: '01632 960777' })
  await visitor.put(firm.iri, { city: 'Goole' })
  await portal.runSchedule('identity.notify-of-impersonations')
  expect(await notices()).toMatchObject([
    { words: `${staff.username} made 2 changes while working as ${boss.username}: Client (1), User (1)`, read: false },
  ])
  await firm.as(boss).post('/api/portal/notices/read_all')
  await portal.runSchedule('identity.notify-of-impersonations')
  expect(await notices()).toMatchObject([{ read: true }])
  const [visit] = (await firm.as(boss).get('/api/portal/visits')).body['hydra:member']
  expect(visit).toMatchObject({ changes: 2, changed: 'Client (1), User (1)' })
})
