import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import type { PeopleOverview } from './overview.ts'

const portal = await testPortal()
const EMPLOYEES = '/api/employees/employees'
const daysAhead = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString()

test('the overview counts employees, joiners, leavers and missing details', async () => {
  const client = await portal.client({ packs: ['employees'] })
  const hr = client.as(await client.user({ roles: ['ROLE_HR'] }))
  const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  const add = async (values: Record<string, unknown>) =>
    (await hr.post(EMPLOYEES, { forename: 'Ann', surname: 'Day', ...values })).body['@id']
  const boss = await add({ extCStartDate: '2010-01-04' })
  await add({ extCStartDate: daysAhead(-30), manager: boss })
  await add({ extCStartDate: daysAhead(30) })
  await add({ isSubby: true })
  await add({ leavingDate: daysAhead(10), extCStartDate: '2012-01-04' })
  const leaver = await add({ extCStartDate: '2012-01-04' })
  await hr.post(`${leaver}/end-employment`, { leavingDate: daysAhead(-1), leavingReason: 'resigned' })

  const { body } = await hr.get('/api/employees/overview')
  const counts = ({ people, missing, statements, expiries }: PeopleOverview) =>
    Object.fromEntries([...people, ...missing, ...statements, ...expiries].map(({ name, count }) => [name, count]))
  expect(counts(body)).toEqual({
    headcount: 4,
    subcontractors: 1,
    joiners: 1,
    starting: 1,
    leaving: 1,
    leavers: 1,
    start: 1,
    manager: 4,
    department: 5,
    site: 5,
    account: 5,
    statementMissing: 3,
    statementDue: 1,
    rightToWorkDue: 0,
    rightToWorkOverdue: 0,
    rightToWorkMissing: 4,
    rightToWorkToDestroy: 0,
  })
  expect((body as PeopleOverview).starters).toMatchObject([{ name: 'Ann Day', dueOn: daysAhead(30) }])
  expect((await worker.get('/api/employees/overview')).status).toBe(403)
})
