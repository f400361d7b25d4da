import { describe, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CLIENTS = '/api/portal/clients'
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))
const ids = (body: { 'hydra:member': { id: number }[] }) => body['hydra:member'].map((m) => m.id)
const provider = async (...roles: string[]) => portal.provider.as(await portal.provider.user({ roles }))

describe('a new client', () => {
  test("a client is created by the provider's client administrators and is its own tenant", async () => {
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

  test('a client without a name is rejected', async () => {
    const { status, body } = await (await provider('ROLE_STAFF', 'ROLE_CLIENTS_ADMIN')).post(CLIENTS, { company: ' ' })
    expect([status, body.violations[0].propertyPath]).toEqual([422, 'company'])
  })

  test("only the provider's client administrators can create a client", async () => {
    const client = await portal.client()
    const people = [
      await provider('ROLE_STAFF'),
      client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })),
      client.as(await client.user({ roles: ['ROLE_CLIENTS_ADMIN'] })),
    ]
    for (const as of people) expect((await as.post(CLIENTS, { company: 'Mine Ltd' })).status).toBe(403)
  })
})

describe('access to clients', () => {
  test('users can read their own client, resellers also the clients they resell to, and staff all clients', async () => {
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

  test('a client can be changed by its administrator and the provider, but not by its reseller', async () => {
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

  test("a client administrator can't retire the client or make it a reseller", async () => {
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

const STATUSES = '/api/portal/app_statuses'
const SAFETY = '/api/portal/pack_products/1'
const packsOf = async (as: Awaited<ReturnType<typeof provider>>, client: number) =>
  (await as.get(`${STATUSES}?client=${client}`)).body['hydra:member'].map(
    (one: { product: { code: string }; status: number; retired: boolean; hasLapsed: boolean }) => [
      one.product.code,
      one.status,
      one.retired,
      one.hasLapsed,
    ],
  )

describe('a client’s packs', () => {
  test('new clients get the default packs, and each product is listed once', async () => {
    const keeper = await provider('ROLE_STAFF', 'ROLE_CLIENTS_ADMIN')
    const { body: made } = await keeper.post(CLIENTS, { company: 'Packs Ltd' })
    expect(await packsOf(keeper, made.id)).toEqual([['safety', 1, false, false]])
    const again = await keeper.post(STATUSES, { client: made['@id'], product: SAFETY })
    expect(again.status).toBe(422)
    const unknown = await keeper.post(STATUSES, { client: made['@id'], product: '/api/portal/pack_products/999' })
    expect(unknown.status).toBe(400)
  })

  test("only the provider's client administrators can change packs, and each change is recorded", async () => {
    const client = await portal.client()
    const roles = ['ROLE_CLIENT_ADMIN', 'ROLE_CLIENTS_ADMIN', 'ROLE_STAFF', 'ROLE_USER_ADMIN', 'ROLE_RESELLER']
    const stray = client.as(await client.user({ roles }))
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const keeper = await provider('ROLE_STAFF', 'ROLE_CLIENTS_ADMIN')
    const [status] = (await keeper.get(`${STATUSES}?client=${client.id}`)).body['hydra:member']
    for (const as of [stray, admin, await provider('ROLE_STAFF')]) {
      expect((await as.put(status['@id'], { hasLapsed: true })).status).toBe(403)
      expect((await as.post(STATUSES, { product: '/api/portal/pack_products/2' })).status).toBe(403)
    }
    const other = await portal.client()
    expect((await other.as(await other.user()).get(status['@id'])).status).toBe(404)
    expect((await keeper.put(status['@id'], { hasLapsed: true })).body.hasLapsed).toBe(true)
    expect((await keeper.put(status['@id'], { product: '/api/portal/pack_products/2' })).status).toBe(409)
    const told = (await admin.get('/api/portal/app_status_changes')).body['hydra:member']
    expect(told).toMatchObject([{ was: 'active', becomes: 'lapsed', product: { code: 'safety' } }])
  })

  test.each([
    ['usable', {}, true, 'active', 200, 201],
    ['lapsed (read and export only)', { hasLapsed: true }, true, 'lapsed', 200, 403],
    ['neither active nor lapsed', { status: 0 }, true, 'none', 403, 403],
    ['retired', { retired: true }, true, 'none', 403, 403],
    ['no pack', {}, false, 'none', 403, 403],
  ] as const)(
    "the status of a client's pack determines what the client's users can read and change: %s",
    async (_, change, there, state, read, write) => {
      const client = await portal.client({ packs: there ? ['safety'] : [] })
      const keeper = await provider('ROLE_STAFF', 'ROLE_CLIENTS_ADMIN')
      const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
      const [status] = (await keeper.get(`${STATUSES}?client=${client.id}`)).body['hydra:member']
      if (status) expect((await keeper.put(status['@id'], change)).status).toBe(200)
      portal.sessions.forget()
      const list = '/api/safety/risk_assessments'
      expect((await admin.get('/api/security/user_check')).body.packs).toEqual(
        state === 'none' ? {} : { safety: state },
      )
      expect([(await admin.get(list)).status, (await admin.get(`${list}/export.csv`)).status]).toEqual([read, read])
      const wrote = (await admin.post(list, {})).status
      expect(write === 403 ? wrote === 403 : wrote !== 403).toBe(true)
      const nav = (await admin.get('/api/portal/navigations')).body['hydra:member'].map((n: { path: string }) => n.path)
      expect(nav.includes('/sfp/overview')).toBe(read === 200)
      const products = (await admin.get('/api/portal/products')).body['hydra:member']
      expect(products[0]).toMatchObject({ code: 'safety', state, usable: state === 'active' })
      expect(products[0].appStatus === null).toBe(!there)
    },
  )
})

describe('the CRM’s view of a client', () => {
  test("the CRM's view of a client returns the same company to staff, with empty strings for blank fields", async () => {
    const client = await portal.client({ company: 'Brick' })
    const as = await provider('ROLE_STAFF')
    const at = `/api/crm/clients/${client.id}`
    const body = { '@id': at, company: 'Brick', address1: '', city: 'Leeds', regcompno: '', contacttel: '' }
    expect((await as.put(at, body)).body).toMatchObject({ '@type': 'CrmClient', city: 'Leeds', address1: '' })
    expect((await as.get(client.iri)).body).toMatchObject({ '@type': 'Client', city: 'Leeds' })
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await admin.get(at)).status).toBe(403)
  })

  test("the CRM's view of a client includes the lead and the status of each product", async () => {
    const client = await portal.client({ packs: ['safety'] })
    const as = await provider('ROLE_STAFF')
    const at = `/api/crm/clients/${client.id}`
    expect((await as.get(at)).body.contact).toBeNull()
    await as.post('/api/crm/contacts', { companyName: 'Brick', email: 'a@b.example', client: client.iri })
    const { body } = await as.get(at)
    expect(body.contact).toMatchObject({ '@type': 'Contact', email: 'a@b.example', customer: null })
    expect(body.applications).toMatchObject([{ product: { code: 'safety' }, status: 1 }])
    for (const door of [at, client.iri])
      expect((await as.get(`${door}/applications`)).body['hydra:member']).toMatchObject([
        { product: { code: 'safety' } },
      ])
    expect((await as.get('/api/crm/clients/999999/applications')).status).toBe(404)
    const stranger = await portal.client()
    expect((await stranger.as(await stranger.user()).get(`${client.iri}/applications`)).status).toBe(404)
    expect((await as.put(at, { ...body, city: 'York' })).body).toMatchObject({
      city: 'York',
      contact: { email: 'a@b.example' },
    })
  })
})

describe('portal endpoints for a client', () => {
  test('the portal endpoint for a client returns its contact, reseller and last activity', async () => {
    const client = await portal.client({ company: 'Spoken Ltd', packs: ['safety'] })
    const carrier = await portal.client({ company: 'Carrier Ltd' })
    const keeper = await provider('ROLE_STAFF', 'ROLE_CLIENTS_ADMIN')
    await keeper.put(client.iri, { contactname: 'Ann', salutation: 'Ms Lee', contacttel: '01632 960001' })
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await admin.get('/api/portal/contacts')).body['hydra:member']).toMatchObject([
      { id: client.id, name: 'Ann', salutation: 'Ms Lee', phone: '01632 960001' },
    ])

    expect(
      (await keeper.post('/api/portal/reseller_clients', { client: client.iri, reseller: carrier.iri })).status,
    ).toBe(422)
    const made = await keeper.post('/api/portal/resellers', { client: carrier.iri, name: 'Carrier', title: 'Safe' })
    expect(made.status).toBe(201)
    const carried = await keeper.post('/api/portal/reseller_clients', { client: client.iri, reseller: carrier.iri })
    expect([carried.status, carried.body.reseller.company]).toEqual([201, 'Carrier Ltd'])
    const same = await keeper.put(carried.body['@id'], {}, { 'if-match': carried.headers.etag ?? '' })
    expect([same.status, same.text]).toEqual([200, carried.text])
    expect((await keeper.get(client.iri)).body).toMatchObject({
      reseller: carrier.iri,
      resellerClient: carried.body['@id'],
      contact: { name: 'Ann', salutation: 'Ms Lee' },
      applicationActivity: [],
    })
    const partner = carrier.as(await carrier.user({ roles: ['ROLE_RESELLER'] }))
    expect((await partner.get(`/api/portal/resellers?client.id=${carrier.id}`)).body['hydra:member']).toMatchObject([
      { name: 'Carrier' },
    ])
    expect((await partner.get(`${made.body['@id']}/detailed`)).body.resellerClients).toMatchObject([
      { client: { id: client.id } },
    ])
    expect((await partner.get(`${carried.body['@id']}/detailed`)).body).toMatchObject({
      client: { company: 'Spoken Ltd' },
      reseller: { title: 'Safe' },
    })
    expect((await partner.put(carried.body['@id'], { reseller: carrier.iri })).status).toBe(403)
    expect((await admin.get(`${made.body['@id']}/detailed`)).status).toBe(403)

    const used = await admin.post('/api/portal/application_activities', { applicationName: 'safety' })
    expect(used.status).toBe(201)
    const later = await admin.put(used.body['@id'], { lastActivityAt: '2001-01-01T00:00:00Z' })
    expect(later.body.lastActivityAt > '2020').toBe(true)
    expect((await keeper.get(client.iri)).body.applicationActivity).toMatchObject([{ applicationName: 'safety' }])
    expect((await admin.get(`/api/portal/stats?client=${client.id}`)).body).toMatchObject({
      people: 1,
      active: 1,
      never: 0,
    })
    expect((await admin.get(`/api/portal/stats?client=${carrier.id}`)).status).toBe(404)
    expect((await admin.get('/api/portal/application_accesses')).body['hydra:member']).toMatchObject([{ status: 1 }])
  })

  test('the portal version last seen by a user is stored once, even if two requests for it arrive concurrently', async () => {
    const client = await portal.client()
    const [me, other] = [await client.user(), await client.user()]
    const as = client.as(me)
    const at = '/api/portal/version_controls/product_version'
    const both = await Promise.all([as.get(`${at}?user.id=${me.id}`), as.get(`${at}?user.id=${me.id}`)])
    expect(new Set(both.map(({ body }) => body.versionControl['@id'])).size).toBe(1)
    const { versionControl } = both[0].body
    expect((await as.put(versionControl['@id'], { version: '9.9' })).body.version).toBe('9.9')
    expect((await as.get(`${at}?user.id=${other.id}`)).status).toBe(403)
    expect((await client.as(other).get(versionControl['@id'])).status).toBe(404)
    // A second record would be identical, because the resource has no other fields.
    expect((await as.post('/api/portal/version_controls', {})).status).toBe(409)
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await admin.get(`${at}?user.id=${me.id}`)).body.versionControl.version).toBe('9.9')
  })
})

describe('the safety suite’s view of a client', () => {
  test("the safety suite's view of a client is read-only, and visible only to the client's own users and the provider", async () => {
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
