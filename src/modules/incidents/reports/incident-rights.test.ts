import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { makeRiddorHelpers, REPORTS } from '#test/support/riddor.ts'
import { makePicture, makeUploadForm } from '#test/support/uploads.ts'

// Changes that people may not make to a reported incident, even if their role would allow them.

const portal = await testPortal()
const { world, day, injured, report, post, decide, changePerson } = makeRiddorHelpers(portal)

const overSevenDays = () =>
  report(20, [injured({ absences: [{ from: day(-19) }], answers: { ...injured().answers, overSevenDays: 'yes' } })])
const EMPLOYEES = '/api/employees/employees'
const FACTS = { answers: { workRelated: 'no', occurrence: 'no', gasSupplier: 'no', gasFitting: 'no' } }

test('a user without access to health details can neither change facts in the screening nor reopen a decision', async () => {
  const { api, approver } = await world()
  const made = await post(api, overSevenDays())
  expect((await decide(api, made['@id'], 'reportable')).status).toBe(200)
  const before = (await api.get(made['@id'])).body
  for (const change of [
    FACTS,
    { disease: 'cancer' },
    { diagnosedOn: day(0) },
    { datetime: `${day(-25)}T09:00:00Z` },
    { nation: 'elsewhere' },
  ])
    for (const method of ['put', 'patch'] as const)
      expect((await approver[method](made['@id'], change)).status, JSON.stringify(change)).toBe(403)
  expect((await approver.patch(made['@id'], { subActivity: 'Mixing mortar' })).status).toBe(200)
  const { reportBy, riddorDecision, state } = (await api.get(made['@id'])).body
  expect([reportBy, riddorDecision, state]).toEqual([before.reportBy, 'reportable', 'riddor'])
})

test("an incident can't be deleted if it is closed or its report to HSE is due", async () => {
  const { api, approver } = await world()
  const made = await post(api, overSevenDays())
  const remove = { retired: true, retireReason: 'Reported twice' }
  for (const user of [api, approver]) expect((await user.put(made['@id'], remove)).status).toBe(409)
  expect((await decide(api, made['@id'], 'not reportable', { reason: 'Reported twice' })).status).toBe(200)
  expect((await api.put(made['@id'], { ...remove, retireReason: '\u200b \u2060' })).status).toBe(422)
  expect((await api.put(made['@id'], remove)).status).toBe(200)
})

test('a reason that consists of invisible characters is refused for a decision', async () => {
  const { api } = await world()
  const made = await post(api, overSevenDays())
  expect((await decide(api, made['@id'], 'not reportable', { reason: ' \u200b\u2060 ' })).status).toBe(422)
})

test('after a change of injury a decision based on the former injury is refused, and a decision against a report is reopened', async () => {
  const { api } = await world()
  const made = await post(api, report(3, [injured()]))
  const { fingerprint } = (await api.get(`${made['@id']}/screening`)).body
  await changePerson(api, made['@id'], { injuryEffect: [1, 3] })
  const stale = { decision: 'not reportable', reason: 'A cut', expected: fingerprint }
  expect((await api.post(`${made['@id']}/decide-riddor`, stale)).status).toBe(409)
  expect((await decide(api, made['@id'], 'not reportable', { reason: 'A cut' })).status).toBe(200)
  await changePerson(api, made['@id'], { description: 'Deep cut' })
  expect((await api.get(made['@id'])).body.riddorDecision).toBe('not reportable')
  await changePerson(api, made['@id'], { injuryEffect: [4] })
  expect((await api.get(made['@id'])).body.riddorDecision).toBe(null)
})

test("a report to HSE can't be recorded before the duty arose, or with punctuation instead of a reference", async () => {
  const { api } = await world()
  const ill = {
    disease: 'dermatitis',
    diagnosedOn: day(-5),
    answers: { ...report(0, []).answers, diseaseFromWork: 'yes' },
  }
  const made = await post(api, report(20, [injured()], ill))
  await decide(api, made['@id'], 'reportable')
  expect((await api.get(made['@id'])).body.clockStartedOn).toBe(day(-5))
  const record = (reference: string, sentOn: string) =>
    api.post(`${made['@id']}/record-hse-report`, { reference, sentOn })
  expect((await record('-', day(0))).status).toBe(422)
  expect((await record('B8D4-2210', day(-6))).body.violations).toMatchObject([{ propertyPath: 'sentOn' }])
  expect((await record('B8D4-2210', day(0))).status).toBe(200)
})

test('only its author can change a draft, and an administrator can delete it with a reason', async () => {
  const { worker, api } = await world()
  const draft = (await worker.post(REPORTS, { state: 'draft', description: 'I slipped' })).body
  for (const change of [{ description: 'Nothing happened' }, { state: 'reported' }])
    expect((await api.put(draft['@id'], change)).status).toBe(403)
  expect((await worker.put(draft['@id'], { description: 'I slipped on the ramp' })).status).toBe(200)
  expect((await api.put(draft['@id'], { retired: true, retireReason: 'Abandoned' })).status).toBe(200)
})

test('the wording of a first report is retained beside a corrected description', async () => {
  const { worker, approver } = await world()
  const made = await post(worker, report(1, []))
  expect((await approver.put(made['@id'], { description: 'Slipped at the mixer', reportedText: 'x' })).status).toBe(200)
  expect((await approver.get(made['@id'])).body).toMatchObject({
    description: 'Slipped at the mixer',
    reportedText: made.description,
  })
})

test('employee names, and severities that RIDDOR names, are hidden from users without access to health details', async () => {
  const { api, approver } = await world()
  const { status, body: someone } = await api.post(EMPLOYEES, { forename: 'Ann', surname: 'Carter' })
  expect(status).toBe(201)
  const made = await post(api, report(3, [injured({ employee: someone['@id'] })]))
  expect(made.personnel[0].employee).toBe(someone['@id'])
  const [person] = (await approver.get(made['@id'])).body.personnel
  for (const name of ['employee', 'user', 'riddor', 'name']) expect(person, name).not.toHaveProperty(name)
  const listed = (await approver.get(`/api/safety/incident_personnels?report=${made['@id']}`)).body['hydra:member'][0]
  for (const name of ['employee', 'user', 'riddor', 'name']) expect(listed, name).not.toHaveProperty(name)
})

test('opening another person’s photo is logged, and only readers of health details can remove photos', async () => {
  const { client, api, worker, approver } = await world()
  const send = async (by: TestApi) => {
    const { body, headers } = makeUploadForm(await makePicture(9, 9).png().toBuffer(), 'hand.png')
    return (await by.send('POST', `${REPORTS}/files`, { headers, body })).body
  }
  const file = await send(worker)
  const made = await post(worker, report(1, [], { files: [file['@id']] }))
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const reads = async () =>
    (await admin.get('/api/portal/confidential_reads?recordType=IncidentFile')).body['hydra:totalItems']
  await worker.get(`${file['@id']}/file`)
  expect(await reads()).toBe(0)
  await api.get(`${file['@id']}/file`)
  expect(await reads()).toBe(1)
  expect((await approver.put(made['@id'], { files: [] })).status).toBe(403)
  expect((await api.put(made['@id'], { files: [] })).status).toBe(200)
})

test('a photo named in several reports at once belongs to only one of them', async () => {
  const { api, worker } = await world()
  const { body, headers } = makeUploadForm(await makePicture(9, 9).png().toBuffer(), 'ramp.png')
  const file = (await worker.send('POST', `${REPORTS}/files`, { headers, body })).body
  const drafts = await Promise.all(
    Array.from({ length: 5 }, () =>
      worker.post(REPORTS, { state: 'draft', description: 'Ramp', files: [file['@id']] }),
    ),
  )
  expect(drafts.filter(({ status }) => status === 201)).toHaveLength(1)
  expect((await api.get(file['@id'])).body.report['@id'] ?? (await api.get(file['@id'])).body.report).toBe(
    drafts.find(({ status }) => status === 201)?.body['@id'],
  )
})

test("a reporter can't see health details, statements or private details entered by another user", async () => {
  const { client, api, worker } = await world()
  const made = await post(worker, report(1, [{ recordType: 'IP', name: 'Ann Carter', description: 'Hurt her hand' }]))
  const read = async () => (await worker.get(made['@id'])).body
  expect((await read()).personnel).toMatchObject([{ name: 'Ann Carter', description: 'Hurt her hand' }])
  await changePerson(api, made['@id'], injured({ statement: 'I slipped.', statementAddition: 'By telephone' }))
  await api.patch(made['@id'], { disease: 'dermatitis', diagnosedOn: day(0) })
  const [person] = (await read()).personnel
  expect(person).toMatchObject({ name: 'Ann Carter', recordType: 'IP' })
  const [whole] = (await api.get(made['@id'])).body.personnel
  const hidden = Object.keys(whole).filter((name) => !(name in person))
  const details = 'injurySustained bodyPart severity injuryEffect description statement statementAddition harm riddor'
  const privateDetails = 'dateOfBirth age sex telephone payroll jobTitle address1 postcode'
  expect(hidden).toEqual(expect.arrayContaining(`${details} ${privateDetails}`.split(' ')))
  const row = (await worker.get(person['@id'])).body
  for (const name of hidden) expect(row, name).not.toHaveProperty(name)
  expect(await read()).not.toHaveProperty('disease')
  expect((await worker.get(`${made['@id']}/accident-record.pdf`)).status).toBe(403)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('a reporter can see the disease and the details that they entered until another user changes them', async () => {
  const { api, worker } = await world()
  const made = await post(worker, report(1, [injured()], { disease: 'dermatitis', diagnosedOn: day(0) }))
  await api.patch(made['@id'], { subActivity: 'Mixing', personnel: [{ '@id': made.personnel[0]['@id'] }] })
  const { disease, personnel } = (await worker.get(made['@id'])).body
  expect([disease, personnel[0].telephone]).toEqual(['dermatitis', '01632 960001'])
})

test("after the report to HSE, a change of an injured person's identity reopens the decision, but a missing value does not", async () => {
  const { api } = await world()
  const made = await post(api, report(3, [injured({ specified: ['a'], payroll: 'P-12', dateOfBirth: null })]))
  const at = made['@id']
  const change = (values: object) => api.patch(at, { personnel: [{ '@id': made.personnel[0]['@id'], ...values }] })
  const record = (reference: string) => api.post(`${at}/record-hse-report`, { reference, sentOn: day(0) })
  const stateOf = async () => (await api.get(at)).body
  for (const [values, reference] of [
    [{ name: 'Peter Other' }, 'HSE-1'],
    [{ dateOfBirth: '1991-01-01' }, 'HSE-2'],
    [{ payroll: 'P-13' }, 'HSE-3'],
  ] as const) {
    expect((await decide(api, at, 'reportable')).status).toBe(200)
    expect((await record(reference)).status).toBe(200)
    if (reference === 'HSE-1') await change({ dateOfBirth: '1990-02-28', description: 'A broken arm' })
    expect(await stateOf()).toMatchObject({ riddorDecision: 'reportable', hseReference: reference })
    expect((await change(values)).status).toBe(200)
    expect(await stateOf()).toMatchObject({ riddorDecision: null, hseReference: '', state: 'riddor' })
  }
  const sent = (await api.get(`/api/safety/hse_reports?report=${made.id}`)).body['hydra:member']
  expect(sent.map(({ reference }: { reference: string }) => reference)).toEqual(['HSE-1', 'HSE-2', 'HSE-3'])
})

test("a reporter can't read the number or title of a risk assessment linked by the office", async () => {
  const { api, worker } = await world()
  const draft = (await api.post('/api/safety/risk_assessments', { description: 'Hidden plan' })).body
  const made = await post(worker, report(1, []))
  const linked = await api.patch(made['@id'], { riskLinks: [{ riskAssessment: draft['@id'] }] })
  expect(linked.body.riskLinks).toMatchObject([{ description: 'Hidden plan' }])
  const [link] = (await worker.get(made['@id'])).body.riskLinks
  for (const name of ['description', 'riskAssessmentDocumentNumber']) expect(link, name).not.toHaveProperty(name)
  expect(link.riskAssessment).toBe(null)
  expect((await api.get(made['@id'])).body.riskLinks).toMatchObject([{ riskAssessment: draft['@id'] }])
})

test('an employee invisible to a reader is omitted from an incident, and is retained if the reader saves the incident', async () => {
  const { client, api } = await world()
  const hr = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const { body: one } = await hr.post(EMPLOYEES, { forename: 'Ann', surname: 'Carter' })
  const made = await post(api, report(1, [{ recordType: 'IP', name: 'Ann Carter', employee: one['@id'] }]))
  expect(made.personnel[0].employee).toBe(one['@id'])
  const reader = client.as(await client.user({ roles: ['ROLE_INCIDENT_READER'] }))
  expect((await reader.get(one['@id'])).status).not.toBe(200)
  const [person] = (await reader.get(made['@id'])).body.personnel
  expect(person.employee).toBe(null)
  expect((await reader.put(made['@id'], { personnel: [person] })).status).toBe(200)
  expect((await api.get(made['@id'])).body.personnel[0].employee).toBe(one['@id'])
})

test('an injured person with an account can read their own details, and nobody else’s', async () => {
  const { client, api } = await world()
  const hurt = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  const other = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  const employed = async (user: { readonly iri: string }, surname: string) =>
    (await api.post(EMPLOYEES, { forename: 'Ann', surname, user: user.iri })).body['@id']
  const [mine, theirs] = [await employed(hurt, 'Carter'), await employed(other, 'Reed')]
  const { personnel } = await post(
    api,
    report(1, [
      injured({ employee: mine }),
      { recordType: 'WT', name: 'Ann Reed', employee: theirs, statement: 'I saw it' },
    ]),
  )
  const [own, foreign] = personnel
  const { status, body } = await client.as(hurt).get(own['@id'])
  expect([status, body.address1, body.description]).toEqual([200, '1 High Street', 'Cut finger'])
  expect(body).not.toHaveProperty('user')
  expect((await client.as(hurt).get(foreign['@id'])).status).toBe(404)
  const reads = (await api.get(`/api/portal/confidential_reads?record=${own['@id']}`)).body['hydra:member']
  expect(reads[0].username).toBe(hurt.username)
})

test('copying an incident or searching for similar ones is not logged as a read of confidential data', async () => {
  const { api, reader } = await world()
  const made = await post(api, report(1, [injured()], { disease: 'dermatitis', diagnosedOn: day(0) }))
  const readsOf = async () =>
    (await api.get(`/api/portal/confidential_reads?record=${made['@id']}`)).body['hydra:totalItems']
  const before = await readsOf()
  const copy = (await reader.get(`${made['@id']}/copy`)).body
  expect([copy.internalLocation, copy.personnel, copy.description]).toEqual(['Bay 3', [], ''])
  expect((await reader.get(`${made['@id']}/similar`)).status).toBe(200)
  expect(await readsOf()).toBe(before)
  expect((await reader.get(made['@id'])).status).toBe(200)
  expect(await readsOf()).toBe(before + 1)
})

test('facts of an invalid JSON type are refused in an incident and in its people', async () => {
  const { api } = await world()
  const made = await post(api, report(1, [injured()]))
  const change = (values: object) =>
    api.patch(made['@id'], { personnel: [{ '@id': made.personnel[0]['@id'], ...values }] })
  for (const answers of [[], [[1]], ['yes'], 'yes'])
    expect((await api.patch(made['@id'], { answers })).status, JSON.stringify(answers)).toBe(422)
  for (const wrong of [
    { answers: [] },
    { specified: [['a']] },
    { specified: [null] },
    { injuryEffect: ['4'] },
    { absences: [[['2026-01-01']]] },
  ])
    expect((await change(wrong)).status, JSON.stringify(wrong)).toBe(422)
})
