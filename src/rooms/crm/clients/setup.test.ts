import { describe, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))
const keeper = async () =>
  portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN', 'ROLE_USER_ADMIN'] }))

describe('setting a client up', () => {
  test('goes on from what stands, and repeats nothing: two tabs, a double click, GET or POST', async () => {
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

  test('is the provider’s: 403 for others, 404 for no client, and a HEAD does nothing', async () => {
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

  test('the employees pack is written down, and opens with its product', async () => {
    const client = await portal.client()
    const as = await keeper()
    const { status, body } = await as.post('/api/employees/setup_ffe', { client: client.id })
    expect([status, body.product.state, body.product.appStatus.status]).toEqual([200, 'none', 1])
    expect((await as.post('/api/employees/setup_ffe', { client: client.iri })).status).toBe(200)
  })
})

describe('a support ticket', () => {
  test('says whose it is, keeps no secret of an address, and is answered once by the provider', async () => {
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
    expect((await stray.post(`${at}/answer`, { answer: 'Mine' })).status).toBe(403)
    const as = await keeper()
    const [one, two] = await Promise.all([
      as.post(`${at}/answer`, { answer: 'Done' }),
      as.post(`${at}/answer`, { answer: 'Done' }),
    ])
    expect([one.status, two.status].sort()).toEqual([200, 409])
    await portal.drain()
    const letters = await sql('SELECT recipient FROM message WHERE client_id = $1', [client.id])
    expect(letters).toEqual([{ recipient: 'ann@salt.example' }])
    expect((await client.as(me).post('/api/portal/support_tickets', { ...ask, message: '' })).status).toBe(422)
  })
})
