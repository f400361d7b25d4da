import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import type { ComposedReference } from './response.ts'

const portal = await testPortal()
const AT = '/api/safety/composed_references'
const LIST = 'IncidentMainFactor'

const world = async () => {
  const client = await portal.client()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ada Admin' }))
  return { client, admin, worker: client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] })) }
}

const read = async (api: TestApi): Promise<ComposedReference> => {
  const { status, body } = await api.get(AT)
  expect(status).toBe(200)
  return body
}
const rowsOf = async (api: TestApi, list = LIST) => (await read(api)).lists.find((one) => one.list === list)?.rows ?? []
const toSent = ({ id, wording }: { readonly id: number; readonly wording: string }) => ({ id, wording })

test('the page lists exactly the composed and uncertain rows, with the facts needed to confirm them', async () => {
  const { admin } = await world()
  const { lists } = await read(admin)
  expect(lists.map(({ list, rows }) => [list, rows.length])).toEqual([
    ['IncidentMainFactor', 25],
    ['IncidentWorkProcess', 28],
    ['IncidentMainIndustry', 29],
    ['IncidentInjurySustained', 22],
    ['IncidentBodyPart', 24],
    ['DangerousOccurrence', 40],
    ['RectificationStatus', 6],
  ])
  const [amputation] = await rowsOf(admin, 'IncidentInjurySustained')
  expect(amputation?.wording).toMatch(/^Amputation\nFatal: only .*\nSpecified injury: only .*/)
  const occurrences = await rowsOf(admin, 'DangerousOccurrence')
  expect(occurrences.filter(({ wording }) => wording.includes('confidence in the paragraph: medium'))).toHaveLength(9)
})

test('a confirmation stores the person and the date, and applies only to their own company', async () => {
  const { client, admin } = await world()
  const { admin: stranger } = await world()
  const [first, second, third] = await rowsOf(admin)
  expect(first).toMatchObject({ confirmedBy: null, confirmedAt: null })
  const rows = [first, second].flatMap((one) => (one ? [toSent(one)] : []))
  expect((await admin.post(`${AT}/confirm`, { list: LIST, rows })).body.confirmed).toBe(2)
  const found = await rowsOf(admin)
  expect(found.slice(0, 2)).toMatchObject([{ confirmedBy: 'Ada Admin' }, { confirmedBy: 'Ada Admin' }])
  expect(Date.now() - Date.parse(found[0]?.confirmedAt ?? '')).toBeLessThan(60_000)
  expect(found[2]).toEqual(third)
  expect((await rowsOf(stranger)).every(({ confirmedAt }) => confirmedAt === null)).toBe(true)
  // Confirming again keeps the first confirmation.
  expect((await admin.post(`${AT}/confirm`, { list: LIST, rows })).body.confirmed).toBe(0)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('withdrawing a confirmation requires a reason, and the earlier entry remains', async () => {
  const { client, admin } = await world()
  const [first] = await rowsOf(admin)
  const withdraw = (reason: string) => admin.post(`${AT}/withdraw`, { list: LIST, row: first?.id ?? 0, reason })
  expect((await withdraw('Too early')).status).toBe(409)
  await admin.post(`${AT}/confirm`, { list: LIST, rows: first ? [toSent(first)] : [] })
  for (const none of ['', '  ']) expect((await withdraw(none)).status).toBe(422)
  expect((await withdraw('HSE uses another word')).status).toBe(200)
  expect((await rowsOf(admin))[0]).toEqual(first)
  const entries = (await admin.get('/api/safety/reference_confirmations')).body['hydra:member']
  expect(entries).toMatchObject([
    { withdrawal: true, reason: 'HSE uses another word' },
    { withdrawal: false, reason: '', wording: first?.wording },
  ])
  const [entry] = entries
  for (const method of ['PUT', 'DELETE'])
    expect((await admin.send(method, entry['@id'], { body: { withdrawal: false } })).status).toBe(405)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('a confirmation of a different wording, of an official row or by an unauthorised person is refused', async () => {
  const { client, admin, worker } = await world()
  const [first] = await rowsOf(admin)
  const post = (api: TestApi, body: object) => api.post(`${AT}/confirm`, { list: LIST, rows: [], ...body })
  expect((await post(admin, { rows: [{ id: first?.id, wording: 'Slipped' }] })).status).toBe(409)
  expect((await post(admin, { rows: [{ id: 999, wording: 'Slipped' }] })).status).toBe(422)
  expect((await post(admin, { list: 'IncidentJobClass', rows: [{ id: 1, wording: 'Employee' }] })).status).toBe(422)
  for (const rows of [[], 'all', [{ id: 'x' }], null]) expect((await post(admin, { rows })).status).toBe(422)
  expect((await worker.get(AT)).status).toBe(403)
  expect((await post(worker, { rows: first ? [toSent(first)] : [] })).status).toBe(403)
  expect((await portal.anonymous.get(AT)).status).toBe(401)
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const adminUser = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const query = new URLSearchParams({ username: adminUser.username, client: `${client.id}`, reason: 'They asked' })
  const visit = portal.bearing((await staff.get(`/api/security/user/switch?${query}`)).body.token)
  expect((await post(visit, { rows: first ? [toSent(first)] : [] })).status).toBe(403)
  expect((await rowsOf(admin)).every(({ confirmedAt }) => confirmedAt === null)).toBe(true)
})

test('composed rows are marked in form options and in records', async () => {
  const { admin } = await world()
  const processes = (await admin.get('/api/safety/incident_work_processes')).body['hydra:member']
  expect(processes[0].label).toBe(`${processes[0].description} (our wording)`)
  const found = await admin.get(`/api/safety/incident_work_processes?label=${encodeURIComponent('storing')}`)
  expect(found.body['hydra:member']).toHaveLength(1)
  const made = await admin.post('/api/safety/incident_reports', { state: 'draft', workProcess: processes[0]['@id'] })
  expect(made.body.workProcess).toMatchObject({ description: processes[0].description, composed: true })
})
