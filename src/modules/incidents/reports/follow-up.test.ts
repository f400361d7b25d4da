import { expect, test } from 'vitest'
import { makeAssessments } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const REPORTS = '/api/safety/incident_reports'
const ACTIONS = '/api/safety/corrective_actions'

const world = async () => {
  const client = await portal.client()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  const { body: report } = await admin.post(REPORTS, {
    state: 'reported',
    description: 'Slipped on a wet floor',
    datetime: portal.engine.clock.now().subtract({ hours: 2 }).toString(),
    internalLocation: 'Bay 3',
  })
  return { client, admin, worker, report }
}

const action = { description: 'Repair the drain', managerName: 'Ann Carter', email: '', deadline: '2030-01-02' }

test('a corrective action raised from an incident has the incident as its source, and appears in its history', async () => {
  const { admin, worker, report } = await world()
  expect((await worker.post(`${report['@id']}/raise-action`, action)).status).toBe(403)
  expect((await admin.post(`${report['@id']}/raise-action`, { ...action, description: '' })).status).toBe(422)
  expect((await admin.post(`${report['@id']}/raise-action`, action)).status).toBe(200)
  const raised = (await admin.get(`${ACTIONS}?source=${report['@id']}`)).body['hydra:member']
  expect(raised).toMatchObject([{ number: 'CA-0001', sourceTitle: report.number, description: 'Repair the drain' }])
  const events = (await admin.get(`/api/safety/incident_events?report=${report.id}`)).body['hydra:member']
  expect(events.at(-1)).toMatchObject({ event: 'Corrective action raised', notes: 'CA-0001' })
})

test("a corrective action raised for a person with an account gets the account's name, and one without an owner is refused", async () => {
  const { client, admin, report } = await world()
  const owner = await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Sam Reed' })
  const raise = (values: object) =>
    admin.post(`${report['@id']}/raise-action`, { description: 'Grit the ramp', ...values })
  expect((await raise({ owner: owner.id })).status).toBe(200)
  const raised = (await admin.get(`${ACTIONS}?source=${report['@id']}`)).body['hydra:member']
  expect(raised).toMatchObject([{ owner: owner.id, managerName: 'Sam Reed' }])
  expect((await raise({})).body).toMatchObject({ violations: [{ propertyPath: 'managerName' }] })
})

test('deleting an incident retires its open corrective actions but not the completed ones', async () => {
  const { admin, report } = await world()
  for (const description of ['Repair the drain', 'Clean the floor'])
    await admin.post(`${report['@id']}/raise-action`, { ...action, description })
  const list = async () =>
    (await admin.get(`${ACTIONS}?source=${report['@id']}&order[number]=asc`)).body['hydra:member']
  await admin.post(`${(await list())[1]['@id']}/complete`, { proof: 'Cleaned' })
  await admin.put(report['@id'], { retired: true, retireReason: 'Entered twice' })
  expect((await list()).map(({ retired }: { readonly retired: boolean }) => retired)).toEqual([true, false])
  expect((await admin.post(`${report['@id']}/raise-action`, action)).status).toBe(409)
})

test('no corrective action can be raised from a draft', async () => {
  const { admin } = await world()
  const draft = (await admin.post(REPORTS, { state: 'draft', description: 'Not finished' })).body
  expect((await admin.post(`${draft['@id']}/raise-action`, action)).status).toBe(409)
})

test('a list shows open incidents and counts their people', async () => {
  const { admin, report } = await world()
  await admin.post(REPORTS, { state: 'draft', description: 'Not finished' })
  const listed = (await admin.get(`${REPORTS}?open=true`)).body['hydra:member']
  expect(listed).toMatchObject([{ number: report.number, open: true, peopleCount: 0 }])
})

test('a review of a linked risk assessment is requested once, and a review of an unlinked one is not requested', async () => {
  const { author, current } = await makeAssessments(portal)
  const assessment = await current()
  const { body: report } = await author.post(REPORTS, {
    state: 'reported',
    description: 'Slipped on a wet floor',
    datetime: '2026-01-15T09:30:00+00:00',
    internalLocation: 'Bay 3',
  })
  const request = () => author.post(`${report['@id']}/request-review`, { riskAssessment: assessment['@id'] })
  expect((await request()).status).toBe(409)
  await author.put(report['@id'], { riskLinks: [{ riskAssessment: assessment['@id'] }] })
  expect([(await request()).status, (await request()).status]).toEqual([200, 200])
  const asked = (await author.get(assessment['@id'])).body.reviewAsked
  expect(asked).toBe(`Incident ${report.number} on 15/01/2026.`)
})
