import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { LOOKUP, makeRiddorHelpers, REPORTS } from '#test/support/riddor.ts'

const portal = await testPortal()
const { changePerson, day, decide, injured, post, report, screeningOf, world } = makeRiddorHelpers(portal)

test('a specified injury is proposed as reportable, decided, reported to HSE and sealed', async () => {
  const { client, api } = await world()
  const made = await post(api, report(3, [injured({ specified: ['b'] })]))
  expect(made).toMatchObject({
    riddorOutcome: 'reportable',
    clockStartedOn: day(-3),
    reportBy: day(7),
    riddorDecision: null,
    state: 'reported',
  })
  const shown = await screeningOf(api, made['@id'])
  expect(shown.duties).toMatchObject([
    { kind: 'specifiedInjury', regulation: '4(1)(b)', responsible: 'us', isUrgent: true, reportBy: day(7) },
  ])
  expect((await api.post(`${made['@id']}/record-hse-report`, { reference: 'A1', sentOn: day(0) })).status).toBe(409)
  const decided = await decide(api, made['@id'], 'reportable')
  expect([decided.status, decided.body.riddorDecision, decided.body.state]).toEqual([200, 'reportable', 'riddor'])
  expect((await api.post(`${made['@id']}/close`, {})).body.detail).toContain('the report to HSE is not recorded')
  const sent = await api.post(`${made['@id']}/record-hse-report`, { reference: ' F2508-1 ', sentOn: day(0) })
  expect(sent.body).toMatchObject({
    hseReference: 'F2508-1',
    hseSentOn: day(0),
    reportBy: day(7),
    state: 'investigating',
  })
  expect((await screeningOf(api, made['@id'])).decisions).toMatchObject([
    { decision: 'reportable', reason: '', reportBy: day(7), proposal: { outcome: 'reportable' } },
  ])
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('a decision needs a reason unless it follows the proposal, and a due date if no rule limits the report', async () => {
  const { api } = await world()
  const violationsOf = async (...given: Parameters<typeof decide>) =>
    ((await decide(...given)).body.violations ?? []).map((v: { propertyPath: string }) => v.propertyPath)
  const minor = (await post(api, report(1, [injured()])))['@id']
  expect(await violationsOf(api, minor, 'not reportable')).toEqual(['reason'])
  expect(await violationsOf(api, minor, 'reportable')).toEqual(['reason', 'reportBy'])
  expect(await violationsOf(api, minor, 'reportable', { reason: 'Advice of HSE', reportBy: day(-9) })).toEqual([
    'reportBy',
  ])
  const reported = await decide(api, minor, 'reportable', { reason: 'Advice of HSE', reportBy: day(4) })
  expect(reported.body).toMatchObject({ state: 'riddor', clockStartedOn: day(0), reportBy: day(4) })
  const settled = await decide(api, minor, 'not reportable', { reason: 'HSE has confirmed that it need not know' })
  expect(settled.body).toMatchObject({ state: 'investigating', reportBy: null, riddorDecision: 'not reportable' })
  const severe = (await post(api, report(1, [injured({ specified: ['a'] })])))['@id']
  expect(await violationsOf(api, severe, 'reportable', { reportBy: day(30) })).toEqual(['reportBy'])
  expect(await violationsOf(api, severe, 'not reportable', { reason: ' ' })).toEqual(['reason'])
  expect((await decide(api, severe, 'maybe')).status).toBe(422)
})

test('a decision is refused, and nothing is stored, if the facts changed after the page was opened', async () => {
  const { api } = await world()
  const { '@id': at } = await post(api, report(2, [injured()]))
  const { fingerprint: expected } = await screeningOf(api, at)
  await changePerson(api, at, { specified: ['a'] })
  const refused = await api.post(`${at}/decide-riddor`, { decision: 'not reportable', reason: 'A small cut', expected })
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('Nothing was saved')])
  expect((await screeningOf(api, at)).decisions).toEqual([])
  expect((await api.get(at)).body).toMatchObject({ riddorDecision: null, riddorOutcome: 'reportable' })
  // A change to a value that is not part of the screening does not prevent a decision.
  const { fingerprint } = await screeningOf(api, at)
  await api.put(at, { subActivity: 'Mixing' })
  expect((await api.post(`${at}/decide-riddor`, { decision: 'reportable', expected: fingerprint })).status).toBe(200)
})

test('if two people decide at once, the second is shown the first decision', async () => {
  const { client, api } = await world()
  const second = client.as(await client.user({ roles: ['ROLE_SAFETY_ADMIN', 'ROLE_INCIDENT_READER'] }))
  const { '@id': at } = await post(api, report(2, [injured({ specified: ['a'] })]))
  const { fingerprint: expected } = await screeningOf(api, at)
  const body = { decision: 'reportable', expected }
  const statuses = await Promise.all(
    [api, second].map(async (by) => (await by.post(`${at}/decide-riddor`, body)).status),
  )
  expect(statuses.sort()).toEqual([200, 409])
  expect((await screeningOf(api, at)).decisions.length).toBe(1)
})

test("malformed answers, absences and injuries are refused, and a draft can't be screened", async () => {
  const { api } = await world()
  const wrong = async (values: Record<string, unknown>, more: Record<string, unknown> = {}) => {
    const { status, body } = await api.post(REPORTS, report(2, [injured(values)], more))
    return [status, ...(body.violations ?? []).map(({ propertyPath }: { propertyPath: string }) => propertyPath)]
  }
  expect(await wrong({}, { answers: { workRelated: 'perhaps' } })).toEqual([422, 'answers'])
  expect(await wrong({}, { answers: { toString: 'yes' } })).toEqual([422, 'answers'])
  expect(await wrong({}, { answers: 'yes' })).toEqual([422, 'answers'])
  for (const answers of [{ armedForces: true }, { workRelated: 'yes' }, 'no'])
    expect(await wrong({ answers })).toEqual([422, 'personnel[0].answers'])
  for (const specified of [['z'], ['toString'], 'a', {}])
    expect(await wrong({ specified })).toEqual([422, 'personnel[0].specified'])
  for (const absences of ['x', {}, [null], [{ from: '2026-02-30' }], [{ until: day(0) }], [{ from: day(0), until: 7 }]])
    expect(await wrong({ absences })).toEqual([422, 'personnel[0].absences'])
  expect(await wrong({ absences: [{ from: day(-3) }] })).toEqual([422, 'personnel[0].absences'])
  expect(await wrong({ diedOn: day(1) })).toEqual([422, 'personnel[0].diedOn'])
  const draft = (await api.post(REPORTS, { state: 'draft', description: 'Not finished' })).body
  expect((await api.get(`${draft['@id']}/screening`)).status).toBe(409)
})

test('a screening is logged as a read of exactly the details that it shows', async () => {
  const { api, reader } = await world()
  const readsOf = async (at: string) =>
    (await api.get(`/api/portal/confidential_reads?record=${at}`)).body['hydra:member'] as { data: string[] }[]
  const nearMiss = (await post(api, report(2, [])))['@id']
  await screeningOf(reader, nearMiss)
  expect(await readsOf(nearMiss)).toEqual([])
  const { '@id': at } = await post(api, report(2, [injured({ absences: [{ from: day(-1) }] })]))
  const before = (await readsOf(at)).length
  await screeningOf(reader, at)
  const [read, ...earlier] = await readsOf(at)
  expect([earlier.length, read?.data]).toEqual([
    before,
    ['Severity', 'Injury sustained', 'Absences', 'Answers of the screening'],
  ])
  await decide(api, at, 'not reportable', { reason: 'Back at work' })
  await screeningOf(reader, at)
  expect((await readsOf(at))[0]?.data).toContain('Reason')
})

test('facts that change the duties reopen a decision, require a new report to HSE and leave the earlier reports in place', async () => {
  const { client, api } = await world()
  const { '@id': at } = await post(api, report(20, [injured({ specified: ['a'] })]))
  await decide(api, at, 'reportable')
  await api.post(`${at}/record-hse-report`, { reference: 'F1', sentOn: day(-8) })
  await changePerson(api, at, { absences: [{ from: day(-19) }] })
  expect((await api.get(at)).body).toMatchObject({ riddorDecision: 'reportable', hseReference: 'F1' })
  const changed = await changePerson(api, at, { harm: 'dead', diedOn: day(-1) })
  expect(changed).toMatchObject({
    riddorDecision: null,
    hseReference: '',
    hseSentOn: null,
    state: 'riddor',
    reportBy: day(-10),
  })
  const { duties, decisions, sent } = await screeningOf(api, at)
  expect(duties.map(({ kind }: { kind: string }) => kind)).toEqual(['specifiedInjury', 'laterDeath'])
  expect([decisions.length, sent]).toMatchObject([1, [{ reference: 'F1', reportBy: day(-10), sentOn: day(-8) }]])
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('a report to HSE needs a reference and a possible date, remains marked as late, and needs a reason for a correction', async () => {
  const { client, api } = await world()
  const { '@id': at } = await post(api, report(20, [injured({ specified: ['a'] })]))
  await decide(api, at, 'reportable')
  const record = (body: Record<string, unknown>) => api.post(`${at}/record-hse-report`, body)
  const wrong = async (body: Record<string, unknown>) =>
    (await record(body)).body.violations.map((v: { propertyPath: string }) => v.propertyPath)
  expect(await wrong({ reference: '  ', sentOn: day(0) })).toEqual(['reference'])
  expect(await wrong({ reference: 'F1', sentOn: day(1) })).toEqual(['sentOn'])
  expect(await wrong({ reference: 'F1', sentOn: day(-21) })).toEqual(['sentOn'])
  const late = await record({ reference: 'F1', sentOn: day(0) })
  expect(late.body).toMatchObject({ hseSentOn: day(0), reportBy: day(-10) })
  expect(await wrong({ reference: 'F2', sentOn: day(0) })).toEqual(['reason'])
  expect((await record({ reference: 'F2', sentOn: day(0), reason: 'Misread' })).body.hseReference).toBe('F2')
  const { sent } = await screeningOf(api, at)
  expect(sent.map(({ reference, reason }: Record<string, string>) => [reference, reason])).toEqual([
    ['F1', ''],
    ['F2', 'Misread'],
  ])
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
  await portal.db.tx('system', (tx) =>
    tx.rows('UPDATE incident_report SET hse_sent_on = hse_sent_on - 15 WHERE client_id = $1', [client.id]),
  )
  expect((await verifyEvidence(portal.engine, client.id)).broken.length).toBeGreaterThan(0)
})

test('the portal decides nothing in Northern Ireland, where a person decides and sets a due date for the report', async () => {
  const { api } = await world()
  const { '@id': at, ...made } = await post(
    api,
    report(1, [injured({ specified: ['a'] })], { nation: 'northernIreland' }),
  )
  expect(made).toMatchObject({ riddorOutcome: 'otherLaw', reportBy: null })
  const shown = await screeningOf(api, at)
  expect([shown.duties, shown.reasons[0].text]).toEqual([[], expect.stringContaining('RIDDOR (NI) 1997')])
  const decided = await decide(api, at, 'reportable', { reason: 'Over three days', reportBy: day(9) })
  expect(decided.body).toMatchObject({ state: 'riddor', reportBy: day(9) })
  await api.put(at, { subActivity: 'Mixing' })
  expect((await api.get(at)).body).toMatchObject({ riddorDecision: 'reportable', reportBy: day(9) })
})

test('an injury that another employer must report starts no clock, and the incident can be closed without our report', async () => {
  const { api } = await world()
  const address = { addressLine1: '1 Quay', city: 'Leeds', county: 'West Yorkshire', postcode: 'LS1 4AP' }
  const person = injured({ specified: ['a'], jobClass: `${LOOKUP}_jobclasses/5` })
  const { '@id': at, ...made } = await post(api, report(1, [person], address))
  expect(made).toMatchObject({ riddorOutcome: 'reportable', reportBy: null })
  expect((await decide(api, at, 'reportable')).body).toMatchObject({ riddorDecision: 'reportable', state: 'reported' })
  expect((await api.post(`${at}/close`, {})).body.state).toBe('closed')
})

test('only approvers who can read health details can decide, in their own name and for their own company', async () => {
  const { client, decider, api, approver, reader, worker } = await world()
  const { '@id': at } = await post(api, report(1, [injured({ specified: ['a'] })]))
  const { fingerprint: expected } = await screeningOf(api, at)
  const body = { decision: 'reportable', expected }
  const other = (await world()).api
  expect((await approver.get(`${at}/screening`)).status).toBe(403)
  expect((await worker.get(`${at}/screening`)).status).toBe(403)
  expect((await other.get(`${at}/screening`)).status).toBe(404)
  expect((await reader.get(`${at}/screening`)).status).toBe(200)
  const statusOf = async (by: TestApi) => (await by.post(`${at}/decide-riddor`, body)).status
  expect([await statusOf(approver), await statusOf(reader), await statusOf(worker), await statusOf(other)]).toEqual([
    403, 403, 403, 404,
  ])
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
  const query = new URLSearchParams({ username: decider.username, client: `${client.id}`, reason: 'Help with RIDDOR' })
  const switched = await staff.get(`/api/security/user/switch?${query}`)
  const impersonator = portal.bearing(switched.body.token) as TestApi
  await impersonator.post('/api/security/user/write', { reason: 'Help with RIDDOR' })
  expect((await impersonator.post(`${at}/decide-riddor`, body)).body.code).toBe('in_person')
  expect((await impersonator.post(`${at}/record-hse-report`, { reference: 'F1', sentOn: day(0) })).body.code).toBe(
    'in_person',
  )
  const decided = (await api.post(`${at}/decide-riddor`, body)).status
  expect(decided).toBe(200)
  const [listed] = (await approver.get('/api/safety/riddor_decisions')).body['hydra:member']
  expect([listed.decision, 'reason' in listed, 'proposal' in listed]).toEqual(['reportable', false, false])
  expect((await other.get(`/api/safety/riddor_decisions/${listed.id}`)).status).toBe(404)
})
