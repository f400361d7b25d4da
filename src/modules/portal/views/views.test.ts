import { describe, expect, test } from 'vitest'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const VIEWS = '/api/portal/saved_views'
const SETTINGS = '/api/portal/list_settings'
const VIEW = { list: 'crm/contacts', name: 'Mine in Leeds', query: 'owner=mine&q=leeds&order=-companyName' }

async function office() {
  const client = await portal.client()
  const [jane, john] = [await client.user({ name: 'Jane Ash' }), await client.user({ name: 'John Birch' })]
  return { client, jane: client.as(jane), john: client.as(john) }
}
const names = async (api: TestApi) =>
  (await api.get(`${VIEWS}?list=crm/contacts&pagination=false`)).body['hydra:member'].map(
    (v: { name: string }) => v.name,
  )

describe('a saved view', () => {
  test('a saved view stores filters, order and columns for its owner', async () => {
    const { jane } = await office()
    const made = await jane.post(VIEWS, { ...VIEW, owner: 1, ownerName: 'No clients to show' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ ...VIEW, sharing: 'me', ownerName: 'Jane Ash' })
    expect((await jane.put(made.body['@id'], { name: 'Leeds' })).body).toMatchObject({
      name: 'Leeds',
      query: VIEW.query,
    })
  })

  test('a saved view is visible only to its owner until it is shared', async () => {
    const { jane, john } = await office()
    const { '@id': iri } = (await jane.post(VIEWS, VIEW)).body
    expect(await names(john)).toEqual([])
    expect((await john.get(iri)).status).toBe(404)
    await jane.put(iri, { sharing: 'everybody' })
    expect(await names(john)).toEqual(['Mine in Leeds'])
    expect((await john.get(iri)).body.ownerName).toBe('Jane Ash')
    await jane.put(iri, { sharing: 'me' })
    expect(await names(john)).toEqual([])
  })

  test('a saved view can be changed and deleted only by its owner, even if shared', async () => {
    const { jane, john } = await office()
    const { '@id': iri } = (await jane.post(VIEWS, { ...VIEW, sharing: 'everybody' })).body
    for (const refused of [await john.put(iri, { name: 'Taken over' }), await john.delete(iri)])
      expect([403, 404]).toContain(refused.status)
    expect((await jane.get(iri)).body.name).toBe(VIEW.name)
    expect((await jane.delete(iri)).status).toBe(204)
    expect((await jane.get(iri)).status).toBe(404)
  })

  test("an administrator can delete another user's shared view, but not a private one", async () => {
    const { client, jane } = await office()
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const shared = (await jane.post(VIEWS, { ...VIEW, sharing: 'everybody' })).body['@id']
    const own = (await jane.post(VIEWS, { ...VIEW, name: 'Own' })).body['@id']
    expect([403, 404]).toContain((await admin.put(shared, { name: 'x' })).status)
    expect((await admin.delete(shared)).status).toBe(204)
    expect((await admin.delete(own)).status).toBe(404)
  })

  test('a saved view is never visible to another client, even if shared', async () => {
    const { jane } = await office()
    const { '@id': iri } = (await jane.post(VIEWS, { ...VIEW, sharing: 'everybody' })).body
    const { jane: stranger } = await office()
    expect(await names(stranger)).toEqual([])
    expect((await stranger.get(iri)).status).toBe(404)
  })

  test('a saved view is rejected without a name, or with a name that its owner already uses for the same list', async () => {
    const { jane, john } = await office()
    expect((await jane.post(VIEWS, { ...VIEW, name: ' ' })).body.violations).toEqual([
      { propertyPath: 'name', message: 'Please give the view a name', code: 'required' },
    ])
    await jane.post(VIEWS, VIEW)
    const again = await jane.post(VIEWS, { ...VIEW, name: VIEW.name.toUpperCase() })
    expect([again.status, again.body.violations[0].propertyPath]).toEqual([422, 'name'])
    expect((await jane.post(VIEWS, { ...VIEW, list: 'crm/staff' })).status).toBe(201)
    expect((await john.post(VIEWS, VIEW)).status).toBe(201)
  })
})

describe("a user's list settings", () => {
  test('list settings are private, and unique for each list and user', async () => {
    const { jane, john } = await office()
    const made = await jane.post(SETTINGS, { list: 'crm/contacts', columns: 'companyName,city' })
    expect(made.body).toMatchObject({ columns: 'companyName,city', view: null })
    expect((await jane.post(SETTINGS, { list: 'crm/contacts' })).status).toBe(422)
    expect((await john.get(made.body['@id'])).status).toBe(404)
    expect((await john.put(made.body['@id'], { columns: '' })).status).toBe(404)
    expect((await john.get(SETTINGS)).body['hydra:member']).toEqual([])
  })

  test('list settings can refer only to an accessible view, and refer to none after the view is deleted', async () => {
    const { jane, john } = await office()
    const own = (await jane.post(VIEWS, VIEW)).body['@id']
    const shared = (await jane.post(VIEWS, { ...VIEW, name: 'Ours', sharing: 'everybody' })).body['@id']
    expect((await john.post(SETTINGS, { list: 'crm/contacts', view: own })).status).toBe(400)
    const { '@id': setting, view } = (await john.post(SETTINGS, { list: 'crm/contacts', view: shared })).body
    expect(view).toBe(shared)
    expect((await jane.delete(shared)).status).toBe(204)
    expect((await john.get(setting)).body.view).toBeNull()
  })
})
