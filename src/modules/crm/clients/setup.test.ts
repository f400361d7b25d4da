import { describe, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))
const keeper = async () =>
  portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN', 'ROLE_USER_ADMIN'] }))

describe('client set-up', () => {
  test('repeated and simultaneous client set-up requests, by GET or POST, create each record once', async () => {
    const as = await keeper()
    const client = await portal.client({ packs: [] })
    const at = (name: string) => `/api/crm/${name}/${client.id}`
    expect((await as.get(at('pack_setup'))).body).toMatchObject({
      packs: [],
      administrator: null,
      invited: false,
      signedIn: null,
    })
    const packs = await Promise.all([as.post(at('setup_pack_user')), as.get(at('setup_pack_user'))])
    expect(packs.map(({ status }) => status)).toEqual([200, 200])
    expect(packs[1]?.body.packs).toEqual(['safety'])

    const none = await as.post(at('setup_admin_user'), {})
    expect([none.status, none.body.violations[0].propertyPath]).toEqual([422, 'email'])
    const said = { name: 'Priya Shah', username: `priya.${client.id}`, email: 'priya@brick.example' }
    const made = await Promise.all([1, 2, 3].map(() => as.post(at('setup_admin_user'), said)))
    expect(new Set(made.map(({ body }) => body.administrator?.id)).size).toBe(1)
    expect((await as.get(at('setup_admin_user'))).body.administrator).toMatchObject({ name: 'Priya Shah' })
    expect(await sql('SELECT roles FROM user_account WHERE client_id = $1', [client.id])).toEqual([
      { roles: ['ROLE_CLIENT_ADMIN'] },
    ])
    expect((await as.post(`/api/portal/users/${made[0]?.body.administrator.id}/invite`, {})).status).toBe(204)
    await portal.drain()
    expect((await as.get(at('pack_setup'))).body).toMatchObject({ invited: true, signedIn: null })
  })

  test('client set-up returns 403 to users outside the provider and 404 for an unknown client, and a HEAD request changes nothing', async () => {
    const client = await portal.client({ packs: [] })
    const roles = ['ROLE_CLIENT_ADMIN', 'ROLE_STAFF', 'ROLE_USER_ADMIN', 'ROLE_CLIENTS_ADMIN']
    const stray = client.as(await client.user({ roles }))
    const as = await keeper()
    for (const name of ['setup_admin_user', 'setup_pack_user']) {
      expect((await stray.get(`/api/crm/${name}/${client.id}`)).status).toBe(403)
      expect((await stray.post(`/api/crm/${name}/${client.id}`)).status).toBe(403)
      expect((await portal.anonymous.get(`/api/crm/${name}/${client.id}`)).status).toBe(401)
      expect((await as.get(`/api/crm/${name}/99999`)).status).toBe(404)
    }
    await as.head(`/api/crm/setup_pack_user/${client.id}`)
    expect((await as.get(`/api/crm/pack_setup/${client.id}`)).body.packs).toEqual([])
  })
})

describe('staff who set up clients without managing accounts', () => {
  const setter = async () =>
    portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
  const begun = async () => {
    const client = await portal.client()
    const at = (name: string) => `/api/crm/${name}/${client.id}`
    return { client, at, said: { name: 'Ann', username: `ann.${client.id}`, email: 'ann@brick.example' } }
  }

  test('staff who set up clients can create and correct the first administrator and send the invitation, and the security log records the changes to the account', async () => {
    const as = await setter()
    const { client, at, said } = await begun()
    expect((await as.post(at('setup_login'), {})).status).toBe(409)
    const made = await as.post(at('setup_admin_user'), { ...said, email: 'anne@brick.example' })
    expect([made.status, made.body.administrator.email]).toEqual([200, 'anne@brick.example'])
    const right = await as.post(at('setup_admin_user'), said)
    expect(right.body.administrator).toMatchObject({ id: made.body.administrator.id, email: 'ann@brick.example' })
    expect((await as.post(at('setup_login'), {})).status).toBe(204)
    await portal.drain()
    expect((await as.get(at('pack_setup'))).body).toMatchObject({ invited: true })
    expect(
      await sql("SELECT recipient FROM message WHERE client_id = $1 AND template = 'invite'", [client.id]),
    ).toEqual([{ recipient: 'ann@brick.example' }])
    await portal.engine.security.flush()
    const told = await sql<{ event: string; detail: string }>(
      "SELECT event, detail FROM security_event WHERE client_id = $1 AND event IN ('account', 'rights') ORDER BY id",
      [client.id],
    )
    expect(told.map(({ event, detail }) => `${event} ${detail}`)).toEqual([
      `account ${said.username}: created`,
      `rights ${said.username}: roles changed to ROLE_CLIENT_ADMIN`,
      `account ${said.username}: email`,
    ])
  })

  test('staff who set up clients can create no other users, and no administrator once the first has signed in', async () => {
    const as = await setter()
    const { client, at, said } = await begun()
    const other = { username: 'eve', name: 'Eve', client: client.iri, roles: ['ROLE_CLIENT_ADMIN'] }
    expect((await as.post('/api/portal/users', other)).status).toBe(403)
    const { body } = await as.post(at('setup_admin_user'), said)
    expect((await as.put(body.administrator['@id'], { email: 'eve@else.example' })).status).toBe(403)
    await sql('UPDATE user_account SET last_login_at = now() WHERE client_id = $1', [client.id])
    const changed = await as.post(at('setup_admin_user'), { ...said, email: 'eve@else.example' })
    expect(changed.body.administrator.email).toBe('ann@brick.example')
    expect((await as.post(at('setup_login'), {})).status).toBe(409)
    await sql('UPDATE user_account SET is_retired = true WHERE client_id = $1', [client.id])
    const again = await as.post(at('setup_admin_user'), { ...said, username: 'eve', email: 'eve@else.example' })
    expect([again.status, again.body.detail]).toEqual([403, expect.stringContaining('have already signed in')])
    expect(
      (await (await keeper()).post(at('setup_admin_user'), { ...said, username: `eve.${client.id}` })).status,
    ).toBe(200)
  })

  test("client set-up requires an authenticated member of the provider's staff", async () => {
    const { at, said } = await begun()
    const elsewhere = await portal.client()
    const roles = ['ROLE_CLIENT_ADMIN', 'ROLE_STAFF', 'ROLE_CLIENTS_ADMIN']
    const stray = elsewhere.as(await elsewhere.user({ roles }))
    for (const name of ['setup_admin_user', 'setup_login']) expect((await stray.post(at(name), said)).status).toBe(403)
    const person = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] })
    const as = portal.provider.as(person)
    await as.get(at('pack_setup'))
    await sql("UPDATE session SET proved_at = now() - interval '1 hour' WHERE user_id = $1", [person.id])
    portal.sessions.forget()
    const refused = async (name: string) => {
      const { status, body } = await as.post(at(name), said)
      expect([status, body.code]).toEqual([403, 'proof_required'])
    }
    await refused('setup_admin_user')
    expect((await (await keeper()).post(at('setup_admin_user'), said)).status).toBe(200)
    await refused('setup_login')
  })
})

describe('a support ticket', () => {
  test('a support ticket names its author, omits secrets from page URLs and can be answered only once', async () => {
    const client = await portal.client({ company: 'Saltmarsh Foods Ltd' })
    const me = await client.user({ name: 'Ann' })
    const ask = {
      subject: 'It fails',
      message: 'I pressed save',
      email: 'ann@salt.example',
      page: '/quote/4f0c8a5be1b24f0c8a5be1b24f0c8a5be1b2?token=abc',
    }
    const made = await client.as(me).post('/api/portal/support_tickets', ask)
    expect([made.status, made.body.subject, made.body.page, made.body.source, made.body.name]).toEqual([
      201,
      'Saltmarsh Foods Ltd: It fails',
      '/quote/…',
      'API',
      'Ann',
    ])
    const at = made.body['@id']
    expect((await client.as(await client.user()).get(at)).status).toBe(404)
    const stray = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_STAFF'] }))
    expect((await stray.get(at)).status).toBe(200)
    expect((await stray.post(`${at}/answer`, { answer: 'My views' })).status).toBe(403)
    const as = await keeper()
    const [one, two] = await Promise.all([
      as.post(`${at}/answer`, { answer: 'Processed' }),
      as.post(`${at}/answer`, { answer: 'Processed' }),
    ])
    expect([one.status, two.status].sort()).toEqual([200, 409])
    await portal.drain()
    const letters = await sql('SELECT recipient FROM message WHERE client_id = $1', [client.id])
    expect(letters).toEqual([{ recipient: 'ann@salt.example' }])
    expect((await client.as(me).post('/api/portal/support_tickets', { ...ask, message: '' })).status).toBe(422)
  })
})
