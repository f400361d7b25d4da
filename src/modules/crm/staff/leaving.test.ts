import { beforeAll, describe, expect, test } from 'vitest'
import { now, toUnixSeconds } from '#kernel/time.ts'
import { type TestApi, type TestClient, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const [CONTACTS, STAFF, USERS] = ['/api/crm/contacts', '/api/crm/staff', '/api/portal/users']
let client: TestClient
let admin: TestApi

beforeAll(async () => {
  client = await portal.client()
  admin = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN', 'ROLE_CLIENT_ADMIN'] }))
})

interface Caller {
  readonly person: TestUser
  readonly record: string
}

async function caller(): Promise<Caller> {
  const person = await client.user({ roles: ['ROLE_STAFF'] })
  return { person, record: (await admin.get(`${STAFF}/${person.username}`)).body['@id'] }
}

/** Creates a caller who has a lead with an agreed callback, and a retired lead. */
async function leaver() {
  const one = await caller()
  const make = async (more: object) =>
    (await admin.post(CONTACTS, { companyName: 'Acme', owner: one.record, ...more })).body['@id'] as string
  const lead = await make({ callbackDate: toUnixSeconds(now()) + 3600 })
  const old = await make({})
  await admin.put(old, { retired: true })
  return { ...one, lead, old }
}

const ownerOf = async (lead: string) => (await admin.get(lead)).body.owner?.['@id'] ?? null
const retiredOf = async (record: string) => (await admin.get(record)).body.retired as boolean

describe('retiring a member of staff who has leads', () => {
  test.each([
    ['retiring the account by PUT', ({ person }: Caller) => admin.put(person.iri, { isRetired: true })],
    ['retiring the account by PATCH', ({ person }: Caller) => admin.patch(person.iri, { isRetired: true })],
    ['removing the staff role', ({ person }: Caller) => admin.put(person.iri, { roles: [] })],
    ['retiring the staff record', ({ record }: Caller) => admin.put(record, { retired: true })],
  ])('for a member of staff with leads, %s requires a decision on these leads', async (_, retire) => {
    const one = await leaver()
    const refused = await retire(one)
    expect([refused.status, refused.body.code]).toEqual([409, 'leads_left'])
    expect(refused.body.detail).toMatch(/has 1 lead and 1 callback/)
    expect([await retiredOf(one.record), await ownerOf(one.lead)]).toEqual([false, one.record])
  })

  test.each([
    ['accounts', USERS, (one: Caller) => one.person.id],
    ['records', STAFF, (one: Caller) => Number(one.record.split('/').at(-1))],
  ])('retiring several %s in bulk excludes those with leads and states the reason', async (_, list, id) => {
    const [one, other] = [await leaver(), await caller()]
    const { body } = await admin.post(`${list}/bulk`, { action: 'retire', ids: [id(one), id(other)] })
    expect([body.done, body.refused[0]?.id, body.refused[0]?.code]).toEqual([[id(other)], id(one), 'leads_left'])
    expect([await retiredOf(one.record), await retiredOf(other.record)]).toEqual([false, true])
  })
})

describe("the decision on a leaver's leads", () => {
  test('when a member of staff is retired, the chosen colleague gets all their leads, with callbacks and a note', async () => {
    const [one, heir] = [await leaver(), await caller()]
    const gone = await admin.put(one.person.iri, { isRetired: true, handTo: heir.person.iri })
    expect([gone.status, await retiredOf(one.record)]).toEqual([200, true])
    expect([await ownerOf(one.lead), await ownerOf(one.old)]).toEqual([heir.record, heir.record])
    const lead = await admin.get(one.lead)
    expect(lead.body.callbackDate).not.toBeNull()
    const [note] = (await admin.get(`${one.lead}/actions`)).body['hydra:member']
    expect(note).toMatchObject({ automatic: true, lastResult: { id: 40 } })
    expect(note.notes).toBe(
      `Owner: ${one.person.username} → ${heir.person.username}\n${one.person.username} works no leads any more.`,
    )
    expect((await client.as(heir.person).get(`${CONTACTS}/next`)).status).toBe(200)
  })

  test('when a member of staff is retired, their leads become unassigned if no colleague is chosen', async () => {
    const [one, other] = [await leaver(), await leaver()]
    expect((await admin.put(one.person.iri, { roles: [], handToTeam: true })).status).toBe(200)
    expect((await admin.put(other.record, { retired: true, handToTeam: true })).status).toBe(200)
    expect([await ownerOf(one.lead), await ownerOf(other.lead), await ownerOf(other.old)]).toEqual([null, null, null])
  })

  test("a leaver's leads can't be handed over to the leaver, to another former member of staff or to anybody who doesn't work leads", async () => {
    const [one, retired, stranger] = [await leaver(), await caller(), await client.user()]
    expect((await admin.put(retired.record, { retired: true })).status).toBe(200)
    for (const handTo of [retired.person.iri, stranger.iri, one.person.iri])
      expect([handTo, (await admin.put(one.person.iri, { isRetired: true, handTo })).status]).toEqual([handTo, 409])
    expect((await admin.put(one.record, { retired: true, handTo: retired.record })).status).toBe(409)
    expect(await ownerOf(one.lead)).toBe(one.record)
  })

  test("the decision on a leaver's leads is required once per departure, and is cleared when the leaver returns", async () => {
    const [one, heir] = [await leaver(), await caller()]
    await admin.put(one.person.iri, { isRetired: true, handTo: heir.person.iri })
    expect((await admin.put(one.person.iri, { handToTeam: true })).status).toBe(409)
    const back = await admin.put(one.person.iri, { isRetired: false })
    expect([back.body.handTo, (await admin.get(one.record)).body.handTo]).toEqual([null, null])
    await admin.put(one.lead, { owner: one.record })
    expect((await admin.put(one.person.iri, { isRetired: true })).body.code).toBe('leads_left')
  })
})

describe('assigning leads to former staff', () => {
  test("a lead can't be assigned to somebody who has left, whether on creation, on update or in bulk", async () => {
    const gone = await caller()
    await admin.put(gone.record, { retired: true })
    const { body } = await admin.post(CONTACTS, { companyName: 'Free' })
    expect((await admin.post(CONTACTS, { companyName: 'X', owner: gone.record })).status).toBe(409)
    expect((await admin.put(body['@id'], { owner: gone.record })).status).toBe(409)
    const many = await admin.post(`${CONTACTS}/bulk`, {
      action: 'owner',
      ids: [body.id],
      input: { owner: gone.record },
    })
    expect([many.body.done, many.body.refused.length]).toEqual([[], 1])
    expect(await ownerOf(body['@id'])).toBeNull()
  })
})

test('a renamed caller can be found and assigned leads under the new name immediately', async () => {
  const one = await caller()
  await admin.put(one.person.iri, { name: 'Mary Field' })
  const offered = await admin.get(`${STAFF}?retired=false&name=Mary Field`)
  expect(offered.body['hydra:member'].map((s: { '@id': string }) => s['@id'])).toEqual([one.record])
  expect((await admin.post(CONTACTS, { companyName: 'Hers', owner: one.record })).body.owner.name).toBe('Mary Field')
})
