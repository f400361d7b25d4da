import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { LOOKUP, makeRiddorHelpers, REPORTS } from '#test/support/riddor.ts'

const portal = await testPortal()
const { injured, post: postReport } = makeRiddorHelpers(portal)

const world = async () => {
  const client = await portal.client()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const reader = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_INCIDENT_READER'] }))
  const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  return { client, admin, reader, worker }
}

const happened = () => portal.engine.clock.now().subtract({ hours: 2 }).toString()

const report = (more: Record<string, unknown> = {}) => ({
  state: 'reported',
  description: 'Slipped on a wet floor beside the mixer',
  datetime: happened(),
  internalLocation: 'Bay 3',
  ...more,
})

const violationsOf = ({
  body,
}: {
  readonly body: { readonly violations?: readonly { readonly propertyPath: string }[] }
}) => (body.violations ?? []).map(({ propertyPath }) => propertyPath)

const post = (api: TestApi, more: Record<string, unknown> = {}) => postReport(api, report(more))

test("an employee can report an incident and see its number and status, but can't change it afterwards", async () => {
  const { worker, admin, client } = await world()
  const made = await post(worker)
  const year = portal.engine.clock.now().toString().slice(0, 4)
  expect(made).toMatchObject({ number: `INC-${year}-0001`, state: 'reported', nearMiss: false })
  expect((await worker.get(made['@id'])).body.number).toBe(made.number)
  expect((await worker.put(made['@id'], { description: 'Nothing happened' })).status).toBe(403)
  expect((await admin.get(made['@id'])).body).toMatchObject({ number: made.number, description: made.description })
  const other = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  expect((await other.get(made['@id'])).status).toBe(404)
  expect((await other.get(REPORTS)).body['hydra:totalItems']).toBe(0)
})

test('a draft can be saved while incomplete, and gets its number only when it is reported', async () => {
  const { admin } = await world()
  const draft = (await admin.post(REPORTS, { state: 'draft', description: 'Not finished' })).body
  expect(draft).toMatchObject({ state: 'draft', number: '' })
  const first = await post(admin)
  const missing = await admin.put(draft['@id'], { state: 'reported' })
  expect([missing.status, violationsOf(missing)]).toEqual([422, ['datetime', 'internalLocation']])
  const done = await admin.put(draft['@id'], { state: 'reported', datetime: happened(), internalLocation: 'Yard' })
  expect(done.body.number).toBe(first.number.replace(/1$/, '2'))
  expect((await admin.put(draft['@id'], { state: 'draft' })).status).toBe(409)
})

test('fifty reports sent at once get numbers without a gap', async () => {
  const { admin } = await world()
  const made = await Promise.all(Array.from({ length: 50 }, () => post(admin)))
  const numbers = made.map(({ number }) => Number(number.slice(-4))).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
})

test('a report that a device sends twice is stored once', async () => {
  const { worker } = await world()
  const made = await post(worker, { deviceKey: 'device-1' })
  const again = await worker.post(REPORTS, report({ deviceKey: 'device-1' }))
  expect([again.status, again.body.detail]).toEqual([409, `This report has already been received as ${made.number}.`])
})

test('a report in the future, without a place or with an invalid postcode is refused, and a place may have no postcode', async () => {
  const { admin } = await world()
  const future = portal.engine.clock.now().add({ hours: 1 }).toString()
  expect(violationsOf(await admin.post(REPORTS, report({ datetime: future })))).toEqual(['datetime'])
  expect(violationsOf(await admin.post(REPORTS, report({ internalLocation: '' })))).toEqual(['internalLocation'])
  const address = { addressLine1: 'Moor road', city: 'Hawes', county: 'North Yorkshire' }
  expect(violationsOf(await admin.post(REPORTS, report({ ...address, postcode: 'NOWHERE' })))).toEqual(['postcode'])
  expect(violationsOf(await admin.post(REPORTS, report(address)))).toEqual(['postcode'])
  await post(admin, { ...address, noPostcode: true })
  expect((await post(admin, { ...address, postcode: 'BT1 5GS' })).nation).toBe('northernIreland')
})

test('only readers of health details can see and change the people in an incident', async () => {
  const { admin, reader, worker } = await world()
  const made = await post(worker, {
    personnel: [{ recordType: 'IP', name: 'Ann Carter', statement: 'My hand hurts.' }],
  })
  const own = (await worker.get(made['@id'])).body.personnel[0]
  expect([own.name, own.statement, own.detailed]).toEqual(['Ann Carter', 'My hand hurts.', false])
  const [hidden] = (await admin.get(made['@id'])).body.personnel
  expect([hidden.recordType, 'name' in hidden, 'statement' in hidden]).toEqual(['IP', false, false])
  const refused = await admin.put(made['@id'], { personnel: [{ ...hidden, hseNumber: '12' }] })
  expect(refused.status).toBe(403)
  expect((await admin.put(made['@id'], { ...(await admin.get(made['@id'])).body, subActivity: 'Mixing' })).status).toBe(
    200,
  )
  const [seen] = (await reader.get(made['@id'])).body.personnel
  expect([seen.name, seen.statement]).toEqual(['Ann Carter', 'My hand hurts.'])
  const listed = (await reader.get('/api/safety/incident_personnels')).body['hydra:member'][0]
  expect('statement' in listed).toBe(false)
})

test('an injured party needs all details, and an injury, severity and body part that match', async () => {
  const { reader } = await world()
  const send = async (more: Record<string, unknown>) =>
    violationsOf(await reader.post(REPORTS, report({ personnel: [injured(more)] }))).map((path) =>
      path.slice('personnel[0].'.length),
    )
  expect(await send({ jobClass: null, city: '' })).toEqual(['jobClass', 'city'])
  expect(await send({ payroll: '', jobTitle: '' })).toEqual(['payroll', 'jobTitle'])
  expect(await send({ incidentType: `${LOOKUP}_types/7` })).toEqual(['fallHeight'])
  expect(await send({ jobClass: `${LOOKUP}_jobclasses/6`, severity: `${LOOKUP}_severities/2` })).toContain('severity')
  expect(await send({ severity: `${LOOKUP}_severities/9` })).toContain('severity')
  expect(await send({ severity: `${LOOKUP}_severities/2`, bodyPart: `${LOOKUP}_bodyparts/1` })).toEqual(['bodyPart'])
  expect(await send({ injuryEffect: [1, 4] })).toEqual(['injuryEffect'])
  expect(await send({ dateOfBirth: '2099-01-01' })).toEqual(['dateOfBirth'])
  const made = await post(reader, { personnel: [injured()] })
  expect(made.personnel[0]).toMatchObject({ detailed: true, riddor: false, template: false })
  const cleared = await reader.put(made['@id'], { personnel: [{ ...made.personnel[0], severity: null }] })
  expect(violationsOf(cleared)).toEqual(['personnel[0].severity', 'personnel[0].bodyPart'])
  const removed = await reader.put(made['@id'], { personnel: [] })
  expect(removed.body.personnel ?? []).toEqual([])
})

test("the date of an incident can't be moved past a person's death or absence", async () => {
  const { admin, reader } = await world()
  const daysAgo = (days: number) => portal.engine.clock.now().subtract({ hours: 24 * days })
  const died = daysAgo(3).toString().slice(0, 10)
  const made = await post(reader, {
    datetime: daysAgo(5).toString(),
    personnel: [{ recordType: 'IP', name: 'Ann', harm: 'dead', diedOn: died }],
  })
  const moved = await admin.put(made['@id'], { datetime: daysAgo(1).toString() })
  expect([moved.status, violationsOf(moved)]).toEqual([422, ['datetime']])
  expect(moved.text).not.toContain('death')
  expect((await admin.put(made['@id'], { datetime: daysAgo(6).toString() })).status).toBe(200)
})

test('an incident can be deleted only with a reason, and can be restored', async () => {
  const { admin } = await world()
  const made = await post(admin)
  expect(violationsOf(await admin.put(made['@id'], { retired: true }))).toEqual(['retireReason'])
  const gone = await admin.put(made['@id'], { retired: true, retireReason: 'Entered twice' })
  expect(gone.body).toMatchObject({ retired: true, retireReason: 'Entered twice' })
  expect((await admin.put(made['@id'], { subActivity: 'Mixing' })).status).toBe(409)
  expect((await admin.put(made['@id'], { retired: false })).status).toBe(200)
  const events = (await admin.get(`/api/safety/incident_events?report=${made.id}`)).body['hydra:member']
  expect(events.map(({ event }: { event: string }) => event)).toEqual(['Reported', 'Deleted', 'Restored'])
})

test('dangerous occurrences are accepted under both spellings but not twice, and a risk link needs an assessment or other text', async () => {
  const { admin } = await world()
  const made = await post(admin, {
    riskLinks: [{ other: 'No assessment existed for this work' }],
    dangerousOccurences: [{ dangerousOccurance: '/api/dangerous_occurances/1' }],
  })
  expect(made.dangerousOccurrences[0]).toMatchObject({ dangerousOccurrence: { id: 1 }, retired: false })
  const again = await admin.put(made['@id'], {
    dangerousOccurrences: [...made.dangerousOccurrences, { dangerousOccurrence: '/api/safety/dangerous_occurances/1' }],
  })
  expect(again.status).toBe(422)
  expect(violationsOf(await admin.put(made['@id'], { riskLinks: [{ other: ' ' }] }))).toEqual([
    'riskLinks[0].riskAssessment',
  ])
})

test('the model, form and search endpoints have the addresses in the specification', async () => {
  const { admin } = await world()
  const made = await post(admin, { subActivity: 'Mixing', description: 'A bag of cement fell' })
  expect((await admin.get(`${REPORTS}/create_new`)).body).toMatchObject({
    '@type': 'IncidentReport',
    nearMiss: false,
    personnel: [],
  })
  expect((await admin.get(`${REPORTS}/create_near_miss`)).body).toMatchObject({ nearMiss: true, description: '' })
  const copy = (await admin.get(`${REPORTS}/${made.id}/copy`)).body
  expect([copy.subActivity, copy.description, copy.id, copy.number]).toEqual(['Mixing', '', undefined, undefined])
  expect((await admin.get(`${REPORTS}/schema`)).body.steps.length).toBeGreaterThan(1)
  expect((await admin.get(`${REPORTS}/search?q=cement`)).body['hydra:member']).toMatchObject([{ number: made.number }])
  expect((await admin.get('/api/safety/incident_personnels?template=true')).body['hydra:totalItems']).toBe(0)
})

test('an incident is sealed with its people, and verification reports a planted change', async () => {
  const { client, reader } = await world()
  const made = await post(reader, { personnel: [injured()] })
  await reader.put(made['@id'], { personnel: [{ ...made.personnel[0], statement: 'I slipped.' }] })
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE incident_person SET statement = 'I was careless.' WHERE client_id = $1", [client.id]),
  )
  expect(JSON.stringify((await verifyEvidence(portal.engine, client.id)).broken)).toContain('the injured party')
})

test('two reports of about the same time and place are shown as possible duplicates, and never merged', async () => {
  const { client, admin, worker } = await world()
  const made = await post(worker)
  const same = await post(client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] })), { internalLocation: 'BAY 3 ' })
  await post(admin, { internalLocation: 'Canteen' })
  await post(admin, { datetime: portal.engine.clock.now().subtract({ hours: 30 }).toString() })
  const similar = async (api: TestApi) => api.get(`${REPORTS}/${made.id}/similar`)
  const found = await similar(admin)
  expect(found.body['hydra:member'].map(({ number }: { number: string }) => number)).toEqual([same.number])
  expect((await similar(worker)).status).toBe(403)
  const other = await world()
  expect((await similar(other.admin)).status).toBe(404)
})

test('the answer “how bad” in a first report is stored as reported, and sets no severity', async () => {
  const { worker, admin } = await world()
  const made = await post(worker, { reportedHarm: 'major' })
  expect(made).toMatchObject({ reportedHarm: 'major', actualSeverity: null })
  for (const method of ['put', 'patch'] as const)
    expect(violationsOf(await admin[method](made['@id'], { reportedHarm: 'none' }))).toEqual(['reportedHarm'])
  expect((await admin.put(made['@id'], { actualSeverity: 'minor' })).body.reportedHarm).toBe('major')
})

test("an impersonator can change only their own drafts, and can't change a reported incident through any endpoint", async () => {
  const client = await portal.client()
  const user = await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_INCIDENT_READER'] })
  const admin = client.as(user)
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const visit = await staff.get(`/api/security/user/switch?username=${user.username}&client=${client.id}`)
  const visitor = portal.bearing(visit.body.token)
  await visitor.post('/api/security/user/write', { reason: 'They asked for help' })
  const reported = await post(admin, { personnel: [injured({ statement: 'I slipped on ice.' })] })
  const [person] = reported.personnel
  for (const change of [
    { retired: true, retireReason: 'Not needed' },
    { personnel: [{ ...person, statement: 'I was drunk.' }] },
    { personnel: [] },
    { datetime: '2025-01-20T10:00:00Z' },
    { nearMiss: true },
    { riskLinks: [{ other: 'None' }] },
  ])
    for (const method of ['put', 'patch'] as const) {
      const { status, body } = await visitor[method](reported['@id'], change)
      expect([change, status, body.code]).toEqual([change, 403, 'in_person'])
    }
  await admin.put(reported['@id'], { retired: true, retireReason: 'Entered twice' })
  expect((await visitor.put(reported['@id'], { retired: false })).body.code).toBe('in_person')
  const draft = (await admin.post(REPORTS, report({ state: 'draft' }))).body
  expect((await visitor.patch(draft['@id'], { internalLocation: 'Gate' })).status).toBe(403)
  const own = (await visitor.post(REPORTS, report({ state: 'draft' }))).body
  expect((await visitor.patch(own['@id'], { internalLocation: 'Gate' })).status).toBe(200)
})
