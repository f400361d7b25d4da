import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
const PEOPLE = '/api/crm/people'
let client: TestClient
let as: TestApi

beforeAll(async () => {
  client = await portal.client()
  as = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
})

interface CreatedRecord {
  readonly '@id': string
  readonly id: number
}
const lead = async (more: Record<string, unknown> = {}): Promise<CreatedRecord> =>
  (await as.post(CONTACTS, { companyName: 'Acme', name: 'Bob Main', phone: '01632 960100', ...more })).body
const person = async (of: CreatedRecord, more: Record<string, unknown> = {}): Promise<CreatedRecord> =>
  (await as.post(PEOPLE, { contact: of['@id'], name: 'Ann Other', ...more })).body
const read = async (it: CreatedRecord) => (await as.get(it['@id'])).body
const askFor = (it: CreatedRecord, who: string, headers?: Record<string, string>) =>
  as.post(`${it['@id']}/ask-for`, { who }, headers)
const notes = async (it: CreatedRecord): Promise<readonly string[]> =>
  (await as.get(`${it['@id']}/actions`)).body['hydra:member'].map((n: { notes: string }) => n.notes)

describe("a lead's other people", () => {
  test("adding a person to a lead adds a timeline note and increments the lead's count of other people", async () => {
    const of = await lead()
    const ann = await person(of, { jobTitle: 'Site manager', mobile: '07700 900123' })
    await as.put(ann['@id'], { left: true })
    expect(await notes(of)).toEqual([
      'Ann Other, Site manager\nHas left the company: no → yes',
      'Ann Other, Site manager\nPerson added',
    ])
    expect(await read(of)).toMatchObject({ others: 1, name: 'Bob Main' })
    await as.put(ann['@id'], { retired: true })
    expect(await read(of)).toMatchObject({ others: 0 })
  })

  test('a person needs a name or contact details', async () => {
    const none = await as.post(PEOPLE, { contact: (await lead())['@id'], name: ' ', jobTitle: 'Manager' })
    expect([none.status, none.body.violations[0].propertyPath]).toEqual([422, 'name'])
  })

  test('moving a person to another lead updates the notes, counts and search results of both leads', async () => {
    const [of, to] = [await lead({ companyName: 'Former' }), await lead({ companyName: 'Present' })]
    const ann = await person(of, { name: 'Wilhelmina Goes', email: 'wilhelmina@goes.example' })
    expect((await as.put(ann['@id'], { contact: to['@id'] })).status).toBe(200)
    expect([(await read(of)).others, (await read(to)).others]).toEqual([0, 1])
    expect((await notes(of))[0]).toBe('Wilhelmina Goes\nContact: Former → Present')
    expect((await notes(to))[0]).toBe('Wilhelmina Goes\nPerson added')
    for (const ask of ['?q=wilhelmina', '/dupes?email=wilhelmina@goes.example'])
      expect((await as.get(`${CONTACTS}${ask}`)).body['hydra:member'].map((l: CreatedRecord) => l.id)).toEqual([to.id])
  })

  test('a lead is found by any name, number or e-mail address of its people, even after the lead has been edited', async () => {
    const of = await lead({ companyName: 'Zephyr Quarry' })
    await person(of, { name: 'Ottoline Quist', telephone: '01632 960777', email: 'quist@example.com' })
    const found = async (q: string) =>
      (await as.get(`${CONTACTS}?q=${encodeURIComponent(q)}`)).body['hydra:member'].map((l: CreatedRecord) => l.id)
    for (const q of ['ottoline', '960777', 'quist@example.com']) expect(await found(q)).toEqual([of.id])
    await as.put(of['@id'], { city: 'Leeds' })
    expect(await found('zephyr ottoline')).toEqual([of.id])
    const people = (await as.get(`${PEOPLE}?q=960777`)).body['hydra:member']
    expect(people).toMatchObject([{ name: 'Ottoline Quist', contact: { companyName: 'Zephyr Quarry' } }])
  })

  test("a lead is reported as a possible duplicate by a person's number or e-mail address until that person has left", async () => {
    const of = await lead({ companyName: 'One', phone: '01632 961001' })
    const ann = await person(of, { mobile: '07700 900777', email: 'ann@one.example' })
    const same = async () =>
      (await as.get(`${CONTACTS}/dupes?mobile=07700900777&email=ANN@one.example`)).body['hydra:member'].map(
        (l: CreatedRecord & { same: string[] }) => [l.id, l.same.toSorted()],
      )
    expect(await same()).toEqual([[of.id, ['email', 'phone']]])
    await as.put(of['@id'], { phone: '01632 961002' })
    expect(await same()).toEqual([[of.id, ['email', 'phone']]])
    await as.put(ann['@id'], { left: true })
    expect(await same()).toEqual([])
    await as.put(ann['@id'], { left: false })
    await as.put(ann['@id'], { mobile: '' })
    expect(await same()).toEqual([[of.id, ['email']]])
  })

  test('a number shared by a lead and a person still finds the lead after the person has been retired', async () => {
    const of = await lead({ companyName: 'Shared', phone: '01632 962002' })
    const ann = await person(of, { telephone: '01632 962002' })
    await as.put(ann['@id'], { retired: true })
    const same = (await as.get(`${CONTACTS}/dupes?phone=01632962002`)).body['hydra:member']
    expect(same.map((l: CreatedRecord) => l.id)).toEqual([of.id])
  })
})

describe("a lead's contact person", () => {
  test("the contact person's details are stored on the lead itself, and choosing another person swaps the two people's details", async () => {
    const of = await lead({
      jobTitle: 'Director',
      mobile: '07700 900001',
      email: 'bob@acme.example',
      personNotes: 'Golf',
    })
    const ann = await person(of, {
      telephone: '01632 960200',
      email: 'ann@acme.example',
      notes: 'Mornings',
    })
    const whole = await Promise.all([read(of), read(ann)])
    const { status, body } = await askFor(ann, 'Ann Other')
    expect([status, body]).toMatchObject([
      200,
      {
        name: 'Bob Main',
        jobTitle: 'Director',
        telephone: '01632 960100',
        mobile: '07700 900001',
        email: 'bob@acme.example',
        notes: 'Golf',
      },
    ])
    expect(await read(of)).toMatchObject({
      name: 'Ann Other',
      jobTitle: null,
      phone: '01632 960200',
      mobile: null,
      email: 'ann@acme.example',
      personNotes: 'Mornings',
    })
    expect((await notes(of))[0]).toContain('Contact name: Bob Main → Ann Other')
    expect((await askFor(ann, 'Bob Main')).status).toBe(200)
    const again = await Promise.all([read(of), read(ann)])
    for (const [was, is] of [
      [whole[0], again[0]],
      [whole[1], again[1]],
    ])
      expect({ ...is, updatedAt: null, lastEditBy: null }).toEqual({ ...was, updatedAt: null, lastEditBy: null })
  })

  test("a new contact person without a telephone number gets the company's number", async () => {
    const of = await lead({ phone: '01632 960100' })
    const ann = await person(of, { email: 'ann@acme.example' })
    await askFor(ann, 'Ann Other')
    expect(await read(of)).toMatchObject({ name: 'Ann Other', phone: '01632 960100', others: 1 })
    expect(await read(ann)).toMatchObject({ name: 'Bob Main', telephone: null })
  })

  test("choosing the first contact person of a lead doesn't create an empty person", async () => {
    const of = await lead({ name: '', phone: '01632 960100' })
    const ann = await person(of)
    await askFor(ann, 'Ann Other')
    expect(await read(of)).toMatchObject({ name: 'Ann Other', phone: '01632 960100', others: 0 })
  })

  test('choosing a contact person swaps the details once, even with repeated or simultaneous requests', async () => {
    const of = await lead()
    const ann = await person(of, { mobile: '07700 900002' })
    const key = { 'idempotency-key': `ask ${ann.id}` }
    const [once, again] = [await askFor(ann, 'Ann Other', key), await askFor(ann, 'Ann Other', key)]
    expect([once.status, again.status, again.body]).toEqual([200, 200, once.body])
    const second = await askFor(ann, 'Ann Other')
    expect([second.status, second.body['hydra:description']]).toEqual([409, 'Ann Other is already the contact person.'])
    expect((await as.post(`${ann['@id']}/ask-for`, {})).status).toBe(422)
    expect(await read(of)).toMatchObject({ name: 'Ann Other', mobile: '07700 900002' })

    const eve = await person(of, { name: 'Eve Third' })
    const both = await Promise.all([askFor(eve, 'Eve Third'), askFor(eve, 'Eve Third')])
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
    const gone = await askFor(ann, 'Eve Third Cousin')
    expect([gone.status, gone.body['hydra:description']]).toEqual([
      409,
      'This person is now Bob Main, not Eve Third Cousin. Check “Other people” and try again.',
    ])
    expect(await read(of)).toMatchObject({ name: 'Eve Third' })
  })

  test("a person who has left or is retired can't become the contact person", async () => {
    const of = await lead()
    const left = await person(of, { left: true })
    const retired = await person(of, { name: '', telephone: '01632 960200', retired: true })
    const answers = [await askFor(left, 'Ann Other'), await askFor(retired, '01632 960200')]
    expect(answers.map(({ status, body }) => [status, body['hydra:description']])).toEqual([
      [409, 'Ann Other has left the company. Choose another person.'],
      [409, '01632 960200 is retired.'],
    ])
    expect(await read(of)).toMatchObject({ name: 'Bob Main' })
    expect(await read(left)).toMatchObject({ name: 'Ann Other', left: true })
  })

  test('an update based on an outdated version of a person is rejected after the contact person has changed', async () => {
    const of = await lead()
    const ann = await person(of)
    const [main, seen] = await Promise.all(
      [of, ann].map(async (it) => (await as.get(it['@id'])).headers.etag as string),
    )
    await askFor(ann, 'Ann Other')
    for (const [at, body, etag] of [
      [ann, { left: true }, seen],
      [ann, { retired: true }, seen],
      [ann, { jobTitle: 'Buyer' }, seen],
      [of, { email: 'bob@acme.example' }, main],
    ] as const) {
      expect((await as.put(at['@id'], body, { 'if-match': etag as string })).status).toBe(412)
      expect((await as.patch(at['@id'], body, { 'if-match': etag as string })).status).toBe(412)
    }
    expect(await read(of)).toMatchObject({ name: 'Ann Other', email: null })
    expect(await read(ann)).toMatchObject({ name: 'Bob Main', jobTitle: null, left: false, retired: false })
  })

  test('the contact person is the one named on the lead, whether set by PUT or by PATCH', async () => {
    const of = await lead()
    await person(of)
    await as.put(of['@id'], { name: 'Put In' })
    expect(await read(of)).toMatchObject({ name: 'Put In', others: 1 })
    await as.patch(of['@id'], { name: 'Patched In' })
    expect(await read(of)).toMatchObject({ name: 'Patched In', others: 1 })
  })
})

test("only the provider's staff can read or add people", async () => {
  const of = await lead()
  const ann = await person(of)
  const other = await portal.client()
  const stranger = other.as(await other.user({ roles: ['ROLE_STAFF'] }))
  expect((await stranger.get(ann['@id'])).status).toBe(404)
  expect((await stranger.post(PEOPLE, { contact: of['@id'], name: 'Mole' })).status).toBe(400)
  const worker = client.as(await client.user())
  for (const { status } of [await worker.get(PEOPLE), await worker.post(PEOPLE, { contact: of['@id'], name: 'X' })])
    expect(status).toBe(403)
})
