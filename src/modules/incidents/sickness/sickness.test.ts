import { expect, test } from 'vitest'
import { grantPacks, type TestApi, testPortal } from '#test/support/portal.ts'
import { makeRiddorHelpers, NOT_EXEMPT } from '#test/support/riddor.ts'

const portal = await testPortal()
const { world, day, injured, report, post, screeningOf, decide, changePerson } = makeRiddorHelpers(portal)
const SICKNESS = '/api/employees/sickness_absences'

async function company() {
  const made = await world()
  await portal.db.tx('system', (tx) => grantPacks(tx, made.client.id, ['safety', 'employees', 'holidays']))
  const hire = async (...roles: string[]) => made.client.as(await made.client.user({ roles }))
  const [hr, api] = [await hire('ROLE_HR'), await hire('ROLE_CLIENT_ADMIN', 'ROLE_INCIDENT_READER')]
  const { '@id': employee } = (await api.post('/api/employees/employees', { forename: 'Ann', surname: 'Carter' })).body
  const sick = async (from: number, until: number | null) => {
    const values = { employee, firstDay: day(from), lastDay: until === null ? null : day(until) }
    const { status, body } = await hr.post(SICKNESS, values)
    expect(status).toBe(201)
    await portal.drain()
    return body
  }
  return { ...made, hr, api, employee, sick }
}
const notices = async (api: TestApi): Promise<string[]> =>
  (await api.get('/api/portal/notices/inbox')).body['hydra:member']
    .filter(({ kind }: { kind: string }) => kind === 'incident.sickness')
    .map(({ words }: { words: string }) => words)
const answers = { ...NOT_EXEMPT, enclosedSpace: 'no' }

test('sickness after an accident is shown to the decision-maker, and counts once its days are confirmed', async () => {
  const { api, hr, worker, employee, sick } = await company()
  const { '@id': at, number } = await post(api, report(12, [injured({ employee, answers })]))
  const absence = await sick(-11, null)
  expect(await notices(api)).toEqual([
    `${number}: sickness was recorded after the incident. Please confirm the days of absence.`,
  ])
  const before = await screeningOf(api, at)
  expect(before.absences).toMatchObject([{ days: 0, sickness: [{ from: day(-11) }] }])
  expect((await api.get(at)).body.personnel[0].absences).toBeNull()
  expect(before.absences[0].overSevenOn).toBeUndefined()

  await changePerson(api, at, { absences: before.absences[0].sickness })
  const after = await screeningOf(api, at)
  expect(after.absences).toMatchObject([{ days: 12, overSevenOn: day(-4), isOngoing: true }])
  expect((await api.get(at)).body).toMatchObject({ riddorOutcome: 'reportable', reportBy: day(3) })

  await hr.put(absence['@id'], { lastDay: day(-2) })
  await portal.drain()
  expect((await screeningOf(api, at)).absences).toMatchObject([
    { days: 12, sickness: [{ from: day(-11), until: day(-2) }] },
  ])
  expect((await worker.get(`${at}/screening`)).status).toBeGreaterThanOrEqual(403)
})

test('sickness never changes an incident that is closed or reported to HSE', async () => {
  const { api, employee, sick } = await company()
  const address = { addressLine1: '1 Quay', city: 'Leeds', county: 'West Yorkshire', postcode: 'LS1 4AP' }
  const facts = { employee, answers: { ...answers, overSevenDays: 'no' } }
  const closed = await post(api, report(12, [injured(facts)], address))
  expect((await decide(api, closed['@id'], 'not reportable', { reason: 'A small cut' })).status).toBe(200)
  expect((await api.post(`${closed['@id']}/close`, {})).body.state).toBe('closed')
  await sick(-11, null)
  await portal.runSchedule('incident.absences')
  expect((await api.get(closed['@id'])).body).toMatchObject({
    state: 'closed',
    riddorDecision: 'not reportable',
    reportBy: null,
  })
  expect(await notices(api)).toHaveLength(1)
})

test("sickness before the accident, another person's sickness, and sickness without the leave entitlement are not shown", async () => {
  const { api, client, employee, sick } = await company()
  await sick(-20, -14)
  const { '@id': at } = await post(api, report(12, [injured({ employee, answers }), injured({ name: 'Visitor' })]))
  expect((await screeningOf(api, at)).absences.map(({ sickness }: { sickness: unknown }) => sickness)).toEqual([[], []])
  await sick(-10, -9)
  expect((await screeningOf(api, at)).absences[0].sickness).toHaveLength(1)
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, ['safety', 'employees']))
  expect((await screeningOf(api, at)).absences[0].sickness).toEqual([])
})
