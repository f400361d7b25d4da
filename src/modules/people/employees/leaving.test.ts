import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const EMPLOYEES = '/api/employees/employees'
const DEPARTMENTS = '/api/employees/departments'
const ACTIONS = '/api/safety/corrective_actions'
const JOBS = '/api/employees/jobs'

async function company() {
  const client = await portal.client({ packs: ['employees', 'safety'] })
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const hr = client.as(await client.user({ roles: ['ROLE_HR'] }))
  const add = async (forename: string, values: Record<string, unknown> = {}): Promise<string> => {
    const { status, body, text } = await admin.post(EMPLOYEES, { forename, surname: 'Day', ...values })
    expect(status, text).toBe(201)
    return body['@id']
  }
  const read = async (iri: string) => (await admin.get(iri)).body
  return { client, admin, hr, add, read }
}

const jobsOf = async (api: TestApi, employee: string) => {
  const { body } = await api.get(`${JOBS}?employee=${employee}&order[from]=asc`)
  return body['hydra:member'] as readonly Readonly<Record<string, string>>[]
}

/** Moves the portal's clock until the test ends. */
async function goAhead(days: number): Promise<void> {
  onTestFinished(() => moveClock(portal.engine, 0))
  await moveClock(portal.engine, days)
}

const daysAhead = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString()

test('a leaver’s reports, departments and open actions pass to the successor, and their sessions end', async () => {
  const c = await company()
  const [leaving, following] = [
    await c.client.user({ roles: ['ROLE_EMPLOYEE'] }),
    await c.client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Sam Day' }),
  ]
  const boss = await c.add('Boss')
  const leaver = await c.add('Leaver', { user: leaving.iri, manager: boss })
  const successor = await c.add('Sam', { user: following.iri, manager: leaver })
  const report = await c.add('Report', { manager: leaver })
  const office = (await c.hr.post(DEPARTMENTS, { name: 'Office', head: leaver, approver: leaver })).body['@id']
  const action = (
    await c.admin.post(ACTIONS, { description: 'Mend the gate', owner: leaving.id, managerName: 'Leaver Day' })
  ).body['@id']

  const values = { retired: true, leavingReason: 'resigned', leavingDate: daysAhead(0), successor }
  const { status, text } = await c.hr.put(leaver, values)
  expect(status, text).toBe(200)
  expect((await c.client.as(leaving).get('/api/security/user_check')).status).toBe(401)
  expect((await c.read(report)).manager).toBe(successor)
  expect((await c.read(successor)).manager).toBe(boss)
  expect((await c.read(office)).head['@id']).toBe(successor)
  expect((await c.read(office)).approver['@id']).toBe(successor)
  expect((await c.read(action)).owner).toBe(following.id)
  expect((await c.read(report)).retired).toBe(false)
  const history = await jobsOf(c.admin, leaver)
  expect(history.map(({ event }) => event)).toContain('leave')
})

test('only an administrator ends the employment of a user who controls money or access', async () => {
  const c = await company()
  const other = await c.client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const leaver = await c.add('Leaver', { user: other.iri })
  const end = { leavingDate: daysAhead(0), leavingReason: 'resigned' }
  const refused = [
    await c.hr.put(leaver, { retired: true }),
    await c.hr.patch(leaver, end),
    await c.hr.patch(leaver, { leavingDate: daysAhead(30) }),
    await c.hr.post(`${leaver}/end-employment`, end),
  ]
  for (const { status, body } of refused)
    expect([status, body.detail]).toEqual([403, expect.stringContaining('ask an administrator')])
  expect(await c.read(leaver)).toMatchObject({ retired: false, leavingDate: null })
  const account = c.client.as(other)
  expect((await account.get('/api/security/user_check')).status).toBe(200)
  expect((await c.hr.patch(leaver, { jobtitlename: 'Director' })).status).toBe(200)
  expect((await c.admin.post(`${leaver}/end-employment`, end)).status).toBe(200)
  expect((await account.get('/api/security/user_check')).status).toBe(401)
})

test('without a successor, reports pass to the manager of the leaver', async () => {
  const c = await company()
  const boss = await c.add('Boss')
  const leaver = await c.add('Leaver', { manager: boss })
  const report = await c.add('Report', { manager: leaver })
  await c.hr.put(leaver, { retired: true })
  expect((await c.read(report)).manager).toBe(boss)
})

test('the company’s last administrator and the actor’s own account stay', async () => {
  const c = await company()
  const hrUser = await c.client.user({ roles: ['ROLE_HR'] })
  const own = await c.add('Own', { user: hrUser.iri })
  expect((await c.client.as(hrUser).put(own, { retired: true })).status).toBe(409)
  expect((await c.read(own)).retired).toBe(false)
})

test('an employee is retired once the last day has passed, and returns without it', async () => {
  const c = await company()
  const iri = await c.add('Ann', { extCStartDate: '2020-02-29' })
  expect((await c.hr.put(iri, { leavingDate: '2020-02-28' })).status).toBe(422)
  expect((await c.hr.put(iri, { leavingDate: daysAhead(2), retired: true })).status).toBe(422)
  await c.hr.put(iri, { leavingDate: daysAhead(2), leavingReason: 'contractEnded' })
  const record = iri.replace(EMPLOYEES, '/api/employees/records')
  expect((await c.read(record)).state).toBe('leaving')
  await goAhead(2)
  await portal.runSchedule('people.retire-leavers')
  expect((await c.read(iri)).retired).toBe(false)
  await goAhead(3)
  await portal.runSchedule('people.retire-leavers')
  expect(await c.read(record)).toMatchObject({ retired: true, state: 'left', leavingReason: 'contractEnded' })
  await c.hr.put(iri, { retired: false })
  expect(await c.read(record)).toMatchObject({
    retired: false,
    state: 'employed',
    leavingDate: null,
    leavingReason: null,
  })
  expect((await jobsOf(c.admin, iri)).map(({ event }) => event)).toEqual(['start', 'leave', 'return'])
})

test('a change of job dated ahead takes effect on its day, and changes nothing else', async () => {
  const c = await company()
  const [ann, bob] = [await c.add('Ann', { jobtitlename: 'Mason', extCStartDate: '2024-01-08' }), await c.add('Bob')]
  const { status, body } = await c.hr.post(JOBS, { employee: ann, from: daysAhead(3), jobtitlename: 'Foreman' })
  expect([status, body.applied, body.sets]).toEqual([201, false, ['jobtitlename']])
  await c.hr.put(ann, { manager: bob })
  expect((await c.read(ann)).jobtitlename).toBe('Mason')
  await goAhead(3)
  await portal.runSchedule('people.apply-jobs')
  expect(await c.read(ann)).toMatchObject({ jobtitlename: 'Foreman', manager: bob })
  const history = await jobsOf(c.admin, ann)
  expect(history.map(({ from, event, jobtitlename, applied }) => [from, event, jobtitlename, applied])).toEqual([
    ['2024-01-08', 'start', 'Mason', true],
    [daysAhead(0), 'change', 'Mason', true],
    [daysAhead(3), 'change', 'Foreman', true],
  ])
})

test('a change of job that began earlier takes effect at once, but not before a later one', async () => {
  const c = await company()
  const ann = await c.add('Ann', { jobtitlename: 'Mason', extCStartDate: '2024-01-08' })
  expect((await c.hr.post(JOBS, { employee: ann, from: '2025-05-01', jobtitlename: 'Foreman' })).status).toBe(201)
  expect((await c.read(ann)).jobtitlename).toBe('Foreman')
  expect((await jobsOf(c.admin, ann)).map(({ from }) => from)).toEqual(['2024-01-08', '2025-05-01'])
  expect((await c.hr.post(JOBS, { employee: ann, from: '2025-04-01', jobtitlename: 'Mason' })).status).toBe(422)
  expect((await c.hr.post(JOBS, { employee: ann, from: daysAhead(1) })).status).toBe(422)
})

test('a change that can’t take effect states the reason', async () => {
  const c = await company()
  const [ann, bob] = [await c.add('Ann'), await c.add('Bob')]
  const { body } = await c.hr.post(JOBS, { employee: ann, from: daysAhead(1), manager: bob })
  await c.hr.put(bob, { retired: true })
  await goAhead(1)
  await portal.runSchedule('people.apply-jobs')
  expect((await c.read(body['@id'])).refusal).toBe('The manager has left. Please choose another manager.')
  expect((await c.read(ann)).manager).toBeNull()
  expect((await c.hr.delete(body['@id'])).status).toBe(204)
})

test('only changes that have not taken effect can be deleted', async () => {
  const c = await company()
  const ann = await c.add('Ann')
  const [start] = await jobsOf(c.admin, ann)
  expect((await c.hr.delete(start?.['@id'] ?? '')).status).toBe(409)
})
