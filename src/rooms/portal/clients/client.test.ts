import { describe, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CLIENTS = '/api/portal/clients'
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))
const ids = (body: { 'hydra:member': { id: number }[] }) => body['hydra:member'].map((m) => m.id)
const provider = async (...roles: string[]) => portal.provider.as(await portal.provider.user({ roles }))

describe('a new client', () => {
  test('is made by the provider’s client administrators, and is a tenant of its own', async () => {
    const as = await provider('ROLE_STAFF', 'ROLE_CLIENTS_ADMIN')
    const { status, body, headers } = await as.post(CLIENTS, { company: 'Saltmarsh Foods Ltd', city: 'Ipswich' })
    expect([status, headers.location, body.company, body.address1]).toEqual([
      201,
      body['@id'],
      'Saltmarsh Foods Ltd',
      '',
    ])
    expect((await as.get(body['@id'])).body.city).toBe('Ipswich')
    const [row] = await sql('SELECT client_id FROM client WHERE id = $1', [body.id])
    expect(row).toEqual({ client_id: body.id })
    const trail = await sql(`SELECT client_id, verb FROM audit WHERE type = 'Client' AND row_id = $1`, [body.id])
    expect(trail).toEqual([{ client_id: 0, verb: 'create' }])
  })

  test('needs a name', async () => {
    const { status, body } = await (await provider('ROLE_STAFF', 'ROLE_CLIENTS_ADMIN')).post(CLIENTS, { company: ' ' })
    expect([status, body.violations[0].propertyPath]).toEqual([422, 'company'])
  })

  test('is made by nobody else', async () => {
    const client = await portal.client()
    const people = [
      await provider('ROLE_STAFF'),
      client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })),
      client.as(await client.user({ roles: ['ROLE_CLIENTS_ADMIN'] })),
    ]
    for (const as of people) expect((await as.post(CLIENTS, { company: 'Mine Ltd' })).status).toBe(403)
  })
})

describe('who sees which client', () => {
  test('members their own, resellers those they carry, staff all', async () => {
    const reseller = await portal.client({ isReseller: true })
    const carried = await portal.client({ resellerId: reseller.id })
    const other = await portal.client()
    const seen = async (as: Awaited<ReturnType<typeof provider>>) =>
      ids((await as.get(`${CLIENTS}?${[reseller, carried, other].map((c) => `id[]=${c.id}`).join('&')}`)).body).sort(
        (a, b) => a - b,
      )
    expect(await seen(carried.as(await carried.user()))).toEqual([carried.id])
    expect(await seen(reseller.as(await reseller.user({ roles: ['ROLE_RESELLER'] })))).toEqual([
      reseller.id,
      carried.id,
    ])
    expect(await seen(reseller.as(await reseller.user()))).toEqual([reseller.id])
    expect(await seen(await provider('ROLE_STAFF'))).toEqual([reseller.id, carried.id, other.id])
    expect(await seen(await provider('ROLE_MAIL_ADMIN'))).toEqual([])
  })

  test('and who changes it: its administrator and the provider, not its reseller', async () => {
    const reseller = await portal.client({ isReseller: true })
    const carried = await portal.client({ resellerId: reseller.id })
    const admin = carried.as(await carried.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await admin.put(carried.iri, { city: 'Bath' })).status).toBe(200)
    expect((await admin.put(reseller.iri, { city: 'Bath' })).status).toBe(404)
    const partner = reseller.as(await reseller.user({ roles: ['ROLE_RESELLER'] }))
    expect((await partner.put(carried.iri, { city: 'Bath' })).status).toBe(403)
    const both = reseller.as(await reseller.user({ roles: ['ROLE_RESELLER', 'ROLE_CLIENT_ADMIN'] }))
    expect([403, 404]).toContain((await both.put(carried.iri, { city: 'Bath' })).status)
    expect((await (await provider('ROLE_STAFF')).put(carried.iri, { city: 'Leeds' })).body.city).toBe('Leeds')
    expect((await carried.as(await carried.user()).put(carried.iri, { city: 'Bath' })).status).toBe(403)
  })

  test('retiring and reselling are not the client’s own to say', async () => {
    const client = await portal.client()
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    await admin.put(client.iri, { retired: true, isReseller: true, reseller: client.iri, id: 0, city: 'Bath' })
    expect((await admin.get(client.iri)).body).toMatchObject({
      id: client.id,
      city: 'Bath',
      retired: false,
      isReseller: false,
      reseller: null,
    })
    const keeper = await provider('ROLE_STAFF', 'ROLE_CLIENTS_ADMIN')
    expect((await keeper.put(client.iri, { retired: true })).body.retired).toBe(true)
  })
})

describe('a client’s packs', () => {
  test('are those that there are, whichever address they come by', async () => {
    const client = await portal.client()
    const keeper = await provider('ROLE_STAFF', 'ROLE_CLIENTS_ADMIN')
    expect((await keeper.get(client.iri)).body).toMatchObject({ packs: ['safety'], packsLapsed: [] })
    for (const [at, body, field] of [
      [client.iri, { packs: ['safety', 'gardening'] }, 'packs'],
      [`/api/crm/clients/${client.id}`, { packsLapsed: ['Safety'] }, 'packsLapsed'],
    ] as const) {
      const refused = await keeper.put(at, body)
      expect([refused.status, refused.body.violations[0].propertyPath]).toEqual([422, field])
    }
    const lapsed = await keeper.put(client.iri, { packs: [], packsLapsed: ['safety'] })
    expect([lapsed.status, lapsed.body.packsLapsed]).toEqual([200, ['safety']])
  })

  test('are for the provider’s client administrators to say', async () => {
    const client = await portal.client()
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    for (const as of [admin, await provider('ROLE_STAFF')]) {
      expect((await as.put(client.iri, { packs: [], city: 'Bath' })).status).toBe(200)
      expect((await as.get(client.iri)).body.packs).toEqual(['safety'])
    }
  })

  test('nor anything else that it has of the provider are said by its own people, whatever roles they hold', async () => {
    const client = await portal.client({ packs: [] })
    const roles = ['ROLE_CLIENT_ADMIN', 'ROLE_CLIENTS_ADMIN', 'ROLE_STAFF', 'ROLE_USER_ADMIN', 'ROLE_RESELLER']
    const as = client.as(await client.user({ roles }))
    const before = await sql('SELECT * FROM client WHERE id = $1', [client.id])
    const doors = [client.iri, client.iri.replace('portal', 'crm')]
    for (const change of [{ packs: ['safety'] }, { packsLapsed: ['safety'] }, { lettersPerDay: 9 }, { retired: true }])
      for (const door of doors) {
        expect((await as.patch(door, change)).status).toBe(403)
        expect((await as.put(door, change)).status).toBe(403)
      }
    for (const list of ['/api/portal/clients', '/api/crm/clients'])
      expect((await as.post(`${list}/bulk`, { action: 'retire', ids: [client.id] })).body.done ?? []).toEqual([])
    expect(await sql('SELECT * FROM client WHERE id = $1', [client.id])).toEqual(before)
    expect((await as.patch(client.iri, { city: 'Bath' })).status).toBe(200)
  })

  test('open and close what belongs to them at once, and what is lapsed is only read', async () => {
    const client = await portal.client()
    const keeper = await provider('ROLE_STAFF', 'ROLE_CLIENTS_ADMIN')
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const statuses = async () => {
      portal.sessions.forget()
      const list = '/api/safety/risk_assessments'
      const { packs } = (await admin.get('/api/security/user_check')).body
      return [packs, (await admin.get(list)).status, (await admin.post(list, {})).status === 403]
    }
    expect(await statuses()).toEqual([{ safety: 'active' }, 200, false])
    await keeper.put(client.iri, { packs: [], packsLapsed: ['safety'] })
    expect(await statuses()).toEqual([{ safety: 'lapsed' }, 200, true])
    await keeper.put(client.iri, { packsLapsed: [] })
    expect(await statuses()).toEqual([{}, 403, true])
  })
})

describe('the CRM’s view', () => {
  test('is the same company, for staff; blanks are empty strings', async () => {
    const client = await portal.client({ company: 'Brick' })
    const as = await provider('ROLE_STAFF')
    const at = `/api/crm/clients/${client.id}`
    const body = { '@id': at, company: 'Brick', address1: '', city: 'Leeds', regcompno: '', contacttel: '' }
    expect((await as.put(at, body)).body).toMatchObject({ '@type': 'CrmClient', city: 'Leeds', address1: '' })
    expect((await as.get(client.iri)).body).toMatchObject({ '@type': 'Client', city: 'Leeds' })
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await admin.get(at)).status).toBe(403)
  })
})

describe('the safety suite’s view', () => {
  test('is one’s own company, read by its people and the provider’s, and changed elsewhere', async () => {
    const client = await portal.client({ company: 'Brick' })
    const at = `/api/safety/clients/${client.id}`
    const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    await admin.put(client.iri, { city: 'Leeds', forbidSelfApproval: true })
    expect((await worker.get(at)).body).toMatchObject({
      '@id': at,
      '@type': 'SafetyClient',
      company: 'Brick',
      city: 'Leeds',
      forbidSelfApproval: true,
      reseller: null,
    })
    expect((await worker.get(at)).body).not.toHaveProperty('packs')
    expect((await (await provider('ROLE_STAFF')).get(at)).body.company).toBe('Brick')
    for (const door of [admin.put(at, { city: 'Bath' }), admin.patch(at, { city: 'Bath' }), admin.delete(at)])
      expect((await door).status).toBe(405)

    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await stranger.get(at)).status).toBe(404)
    expect((await stranger.get('/api/safety/clients')).body['hydra:totalItems']).toBe(1)
    expect((await portal.anonymous.get(at)).status).toBe(401)
    const without = await portal.client({ packs: [] })
    const packless = without.as(await without.user())
    expect((await packless.get(`/api/safety/clients/${without.id}`)).status).toBe(403)
  })
})
