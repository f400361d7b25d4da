import { beforeAll, expect, test } from 'vitest'
import { type TestApi, type TestResponse, testPortal } from '#test/support/portal.ts'
import { makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
const MERGES = '/api/crm/merges'
let admin: TestApi
let caller: TestApi

beforeAll(async () => {
  const client = await portal.client()
  const as = async (roles: string[], name: string) => client.as(await client.user({ roles, name }))
  admin = await as(['ROLE_STAFF', 'ROLE_LEADS_ADMIN', 'ROLE_FINANCE', 'ROLE_SALES'], 'Ada Admin')
  caller = await as(['ROLE_STAFF'], 'Cal Caller')
})

interface CreatedRecord {
  readonly '@id': string
  readonly id: number
}
let n = 0
const lead = async (more: Record<string, unknown> = {}): Promise<CreatedRecord> => {
  const { status, body } = await caller.post(CONTACTS, { companyName: `Merging ${++n}`, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const preview = (into: CreatedRecord, from: CreatedRecord) =>
  caller.get(`${into['@id']}/merge-preview?other=${from.id}`)
const merge = async (into: CreatedRecord, from: CreatedRecord, take?: readonly string[]): Promise<TestResponse> => {
  const { body } = await preview(into, from)
  return caller.post(MERGES, {
    survivor: into['@id'],
    merged: from['@id'],
    take: take ?? body.take,
    fingerprint: body.fingerprint,
  })
}
const undo = (merged: TestResponse) => caller.post(`${merged.body['@id']}/undo`)
const read = async (it: CreatedRecord) => (await caller.get(it['@id'])).body

const dupes = async (query: Record<string, string>) =>
  (await caller.get(`${CONTACTS}/dupes?${new URLSearchParams(query)}`)).body['hydra:member'].map(
    (l: CreatedRecord) => l.id,
  )
const peopleOf = async (it: CreatedRecord) =>
  (await caller.get(`/api/crm/people?contact=${it.id}`)).body['hydra:member'] as Record<string, unknown>[]
const ann = { companyNumber: '06734431', name: 'Ann Field', phone: '01632 960303', email: 'ann@merge.example' }
const bob = { companyNumber: '06734432', name: 'Bob Hill', phone: '01632 960304', email: 'bob@merge.example' }
const checks: Record<string, string>[] = [
  { phone: bob.phone },
  { email: bob.email },
  { companyNumber: bob.companyNumber },
  { companyName: 'Hill Merged Ltd' },
]

test('a merge that takes no value retains the other person, numbers and company number, by which an import still finds the lead', async () => {
  const into = await lead({ ...ann, companyName: 'Field Merged Ltd' })
  const from = await lead({ ...bob, companyName: 'Hill Merged Ltd' })
  const merged = await merge(into, from, [])
  expect(await peopleOf(into)).toMatchObject([{ name: 'Bob Hill', telephone: bob.phone, email: bob.email }])
  for (const query of checks) expect([query, await dupes(query)]).toEqual([query, [into.id]])
  const third = await lead({ companyName: 'Third Merged Ltd' })
  const second = await merge(third, into, [])
  for (const query of checks) expect([query, await dupes(query)]).toEqual([query, [third.id]])
  await undo(second)
  const file = `${Object.keys(bob).join(',')}\n${Object.values(bob).join(',')}\n`
  const mapping = Object.fromEntries(Object.keys(bob).map((field) => [field, field]))
  const up = await admin.send('POST', '/api/crm/imports', makeUploadForm(file, 'bob.csv'))
  await admin.post(`${up.body['@id']}/start`, { mapping })
  await portal.drain()
  expect((await admin.get(up.body['@id'])).body).toMatchObject({ rowsRead: 1, rowsAdded: 0, rowsDuplicate: 1 })
  expect((await undo(merged)).status).toBe(200)
  expect(await peopleOf(into)).toEqual([])
  for (const query of checks) expect([query, await dupes(query)]).toEqual([query, [from.id]])
})

test('a merge that takes every value retains the person, number and company number that it replaces', async () => {
  const into = await lead({ ...ann, phone: '01632 960305', companyNumber: '06734433', email: 'ann@taken.example' })
  const from = await lead({ ...bob, phone: '01632 960306', companyNumber: '06734434', email: 'bob@taken.example' })
  const { body } = await preview(into, from)
  const merged = await merge(into, from, body.differs)
  expect(await peopleOf(into)).toMatchObject([{ name: 'Ann Field', telephone: '01632 960305' }])
  expect(await dupes({ companyNumber: '06734433' })).toEqual([into.id])
  const [person] = await peopleOf(into)
  await caller.put(String(person?.['@id']), { jobTitle: 'Director' })
  expect((await undo(merged)).status).toBe(200)
  expect(await read(into)).toMatchObject({ name: 'Ann Field', companyNumber: '06734433' })
  expect(await peopleOf(into)).toMatchObject([{ name: 'Ann Field', jobTitle: 'Director' }])
})

test('a merge of two leads with the same person adds only the other number', async () => {
  const into = await lead({ name: 'Ann Field', phone: '01632 960307' })
  const from = await lead({ name: 'ANN FIELD', phone: '+44 1632 960307', mobile: '07700 900307' })
  await merge(into, from, [])
  expect(await peopleOf(into)).toMatchObject([{ name: 'ANN FIELD', telephone: null, mobile: '07700 900307' }])
})
