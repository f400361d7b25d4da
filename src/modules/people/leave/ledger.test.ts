import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { createLeaveCompany, LEAVE, type TestPerson } from '#test/support/leave.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const DAY = 480
const today = () => portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate()
const thisYear = today().year
const [YEAR, NEXT] = [`${thisYear}-01-01`, `${thisYear + 1}-01-01`]

const act = (api: TestApi, of: TestPerson, action: string, values: Record<string, unknown>) =>
  api.post(`${LEAVE.accounts}/${of.id}/${action}`, values)

const rowsOf = async (api: TestApi, of: TestPerson, query = '') =>
  (await api.get(`${LEAVE.entries}?employee=${of.id}${query}`)).body['hydra:member'] as Record<string, unknown>[]

test('an employee with a start date and a pattern has statutory leave by rule, with its formula', async () => {
  const { person, client } = await createLeaveCompany(portal)
  const worker = await person()
  const rows = (await rowsOf(worker.api, worker, `&year=${NEXT}&kind=entitlement`)).map(({ part, minutes }) => [
    part,
    minutes,
  ])
  expect(rows).toEqual([
    ['reg13', 20 * DAY],
    ['reg13A', 8 * DAY],
  ])
  const [row] = await rowsOf(worker.api, worker, `&year=${NEXT}&kind=entitlement`)
  expect(row?.formula).toContain('5.6 weeks × 40 hours a week')
  expect(client.id).toBeGreaterThan(0)
})

test('the ledger is append-only for everybody, and no API client enters a row', async () => {
  const { admin, hr, person } = await createLeaveCompany(portal)
  const worker = await person()
  const [row] = await rowsOf(admin, worker)
  for (const api of [admin, hr]) {
    expect(
      (await api.post(LEAVE.entries, { employee: worker.iri, year: YEAR, kind: 'adjustment', minutes: 60 })).status,
    ).toBeGreaterThan(400)
    expect((await api.put(String(row?.['@id']), { minutes: 1 })).status).toBe(405)
    expect((await api.delete(String(row?.['@id']))).status).toBe(405)
  }
  const changes = portal.db.tx('system', (tx) =>
    tx.rows('UPDATE leave_entry SET minutes = 1 WHERE employee_id = $1', [worker.id]),
  )
  await expect(changes).rejects.toThrow(/append|permission|changed/i)
})

test('an adjustment needs a reason and a leave year, and nobody adjusts their own leave', async () => {
  const { hr, person, balance } = await createLeaveCompany(portal)
  const worker = await person()
  const own = await person({}, ['ROLE_EMPLOYEE', 'ROLE_HR'])
  const before = (await balance(hr, worker, NEXT)).left
  const adjust = { year: NEXT, minutes: -DAY, reason: 'Agreed on 3 May' }
  expect((await act(hr, worker, 'adjust', { ...adjust, reason: '' })).status).toBe(422)
  expect(
    (await act(hr, worker, 'adjust', { ...adjust, year: `${thisYear}-02-01` })).body.violations[0].message,
  ).toContain(YEAR)
  expect((await act(hr, worker, 'adjust', adjust)).status).toBe(200)
  expect(await balance(hr, worker, NEXT)).toMatchObject({ left: before - DAY, adjusted: -DAY })
  expect((await act(own.api, own, 'adjust', { ...adjust, minutes: DAY })).status).toBe(403)
  expect((await act(worker.api, worker, 'adjust', adjust)).status).toBe(403)
})

test('statutory leave is carried over for the reasons and rules that the law states, up to what is unused', async () => {
  const { hr, person, balance } = await createLeaveCompany(portal)
  const worker = await person()
  const carry = {
    year: YEAR,
    part: 'reg13',
    minutes: 2 * DAY,
    carryReason: 'sickness',
    reason: 'Absent until December',
  }
  expect((await act(hr, worker, 'carry-over', { ...carry, part: 'additional' })).body.violations[0].propertyPath).toBe(
    'part',
  )
  expect((await act(hr, worker, 'carry-over', { ...carry, minutes: 21 * DAY })).body.violations[0].propertyPath).toBe(
    'minutes',
  )
  const before = [(await balance(hr, worker, YEAR)).left, (await balance(hr, worker, NEXT)).left]
  expect((await act(hr, worker, 'carry-over', carry)).status).toBe(200)
  expect([(await balance(hr, worker, YEAR)).left, (await balance(hr, worker, NEXT)).left]).toEqual([
    Number(before[0]) - 2 * DAY,
    Number(before[1]) + 2 * DAY,
  ])
  const [row] = await rowsOf(hr, worker, `&year=${NEXT}&kind=carryOver`)
  expect(row).toMatchObject({ expiresOn: `${thisYear + 2}-06-30`, carryReason: 'sickness', entered: true })
})

test('statutory leave is paid only to leavers, and never more than is left', async () => {
  const { admin, hr, person, balance } = await createLeaveCompany(portal)
  const worker = await person()
  const pay = { year: YEAR, part: 'reg13', minutes: DAY, reason: 'Final pay' }
  expect((await act(hr, worker, 'pay-in-lieu', pay)).body.violations[0].propertyPath).toBe('part')
  expect((await admin.put(worker.iri, { leavingDate: `${thisYear}-12-31` })).status).toBe(200)
  expect((await act(hr, worker, 'pay-in-lieu', { ...pay, minutes: 1000 * DAY })).status).toBe(422)
  const before = (await balance(hr, worker, YEAR)).left
  expect((await act(hr, worker, 'pay-in-lieu', pay)).status).toBe(200)
  expect(await balance(hr, worker, YEAR)).toMatchObject({ left: before - DAY, paidInLieu: DAY })
})

test('the morning recount grants the next leave year, and appends nothing twice', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const { hr, person, balance } = await createLeaveCompany(portal)
  const worker = await person()
  await moveClock(portal.engine, 366)
  await portal.runSchedule('leave-recount')
  const granted = await balance(hr, worker, `${thisYear + 2}-01-01`)
  expect(granted.entitlement).toBe(28 * DAY)
  await moveClock(portal.engine, 367)
  await portal.runSchedule('leave-recount')
  expect(await balance(hr, worker, `${thisYear + 2}-01-01`)).toEqual(granted)
})

test('a changed rule of the company recounts all ledgers, and the first day of the year stays once rows are entered', async () => {
  const { client, hr, person, balance } = await createLeaveCompany(portal)
  const worker = await person()
  const settings = `/api/employees/leave_settings/${client.id}`
  expect((await hr.put(settings, { additionalDays: 2, bankHolidays: 'additional' })).status).toBe(200)
  await portal.drain()
  expect(await balance(hr, worker, NEXT)).toMatchObject({ entitlement: 30 * DAY, bankHolidays: 0, left: 30 * DAY })
  expect((await hr.put(settings, { yearStartsOn: '02-29' })).status).toBe(422)
  expect((await hr.put(settings, { yearStartsOn: '04-01' })).status).toBe(200)
  await portal.drain()
  expect((await balance(hr, worker, `${thisYear}-05-01`)).entitlement).toBe(30 * DAY)
  expect((await act(hr, worker, 'adjust', { year: `${thisYear}-04-01`, minutes: 60, reason: 'Test' })).status).toBe(200)
  expect((await hr.put(settings, { yearStartsOn: '01-01' })).status).toBe(409)
  expect((await hr.put(settings, { serviceSteps: [{ years: 0, days: 1 }] })).status).toBe(422)
  expect((await worker.api.put(settings, { additionalDays: 99 })).status).toBe(403)
})

test('irregular-hours workers accrue 12.07 % of the hours of a pay period', async () => {
  const { hr, person, balance, saved } = await createLeaveCompany(portal)
  const worker = await person()
  await saved(hr, LEAVE.assignments, { employee: worker.iri, pattern: null, from: YEAR })
  await saved(hr, '/api/employees/leave_pay_periods', {
    employee: worker.iri,
    until: `${thisYear}-01-31`,
    minutes: 6000,
  })
  expect(await balance(hr, worker, YEAR)).toMatchObject({ entitlement: 12 * 60, left: 12 * 60 })
})

test('a work pattern that employees work keeps its shifts and is not retired', async () => {
  const { hr, person, pattern } = await createLeaveCompany(portal)
  await person()
  expect((await hr.put(pattern, { days: [[]] })).status).toBe(409)
  expect((await hr.put(pattern, { retired: true })).status).toBe(409)
  expect((await hr.put(pattern, { name: 'Office week' })).status).toBe(200)
  expect((await hr.post(LEAVE.patterns, { name: 'Wrong', days: [[{ from: '9' }]] })).status).toBe(422)
})

test('employees read their own leave, managers that of their people, and nobody that of another company', async () => {
  const { person, hr } = await createLeaveCompany(portal)
  const manager = await person()
  const worker = await person({ manager: manager.iri })
  const other = await createLeaveCompany(portal)
  const count = async (api: TestApi) => (await rowsOf(api, worker)).length
  const all = await count(hr)
  expect(all).toBeGreaterThan(0)
  expect([await count(worker.api), await count(manager.api)]).toEqual([all, all])
  expect(await rowsOf(worker.api, manager)).toEqual([])
  expect(await rowsOf(other.hr, worker)).toEqual([])
  expect((await worker.api.get(`${LEAVE.accounts}/${manager.id}/balance`)).status).toBe(404)
})

test('patterns, pay periods, blackouts and reports of days without leave are refused', async () => {
  const { hr, person, pattern } = await createLeaveCompany(portal)
  const worker = await person()
  const late = `${thisYear + 3}-01-01`
  for (const [url, values] of [
    [LEAVE.assignments, { employee: worker.iri, pattern, from: '1900-01-01', cycleStart: '1900-01-01' }],
    [LEAVE.assignments, { employee: worker.iri, pattern, from: late }],
    [LEAVE.assignments, { employee: worker.iri, pattern, from: YEAR, cycleStart: '9999-01-01' }],
    ['/api/employees/leave_pay_periods', { employee: worker.iri, until: '9999-12-31', minutes: 60 }],
    ['/api/employees/leave_blackouts', { firstDay: YEAR, lastDay: late, reason: 'x' }],
    ['/api/employees/leave_blackouts', { firstDay: YEAR, lastDay: `${thisYear + 1}-02-01`, reason: 'x' }],
    ['/api/employees/leave_blackouts', { firstDay: NEXT, lastDay: YEAR, reason: 'x' }],
    [`${LEAVE.accounts}/${worker.id}/adjust`, { year: '2999-01-01', minutes: 60, reason: 'x' }],
  ] as const) {
    const { status, text } = await hr.post(url, values)
    expect([url, status], text).toEqual([url, 422])
  }
  for (const year of ['0001-01-01', '1900-01-01', '9999-01-01'])
    for (const path of [
      `leave_accounts/${worker.id}/balance`,
      `leave_accounts/${worker.id}/record.csv`,
      'leave_report',
      'leave_report/export.csv',
    ])
      expect([path, (await hr.get(`/api/employees/${path}?year=${year}`)).status]).toEqual([path, 400])
  for (const [from, until] of [
    ['0001-01-01', '0001-02-01'],
    ['2999-12-01', '2999-12-31'],
  ])
    expect((await hr.get(`/api/employees/leave_calendar?from=${from}&until=${until}`)).status).toBe(200)
})

test('human resources don’t change their own pattern, hours or dates of employment', async () => {
  const { admin, hr, pattern, person } = await createLeaveCompany(portal)
  const own = await person({}, ['ROLE_EMPLOYEE', 'ROLE_HR'])
  const other = await person()
  const assign = (of: TestPerson, from: string) => own.api.post(LEAVE.assignments, { employee: of.iri, pattern, from })
  const period = { until: `${thisYear}-01-31`, minutes: 6000 }
  const PERIODS = '/api/employees/leave_pay_periods'
  const assigned = (await hr.get(`${LEAVE.assignments}?employee=${own.id}`)).body['hydra:member'][0]['@id']
  const worked = (await hr.post(PERIODS, { employee: own.iri, ...period })).body['@id']
  const elsewhere = (await assign(other, '2021-01-01')).body['@id']
  const refused = [
    await assign(own, YEAR),
    await own.api.put(assigned, { from: '2019-01-01' }),
    await own.api.put(elsewhere, { employee: own.iri }),
    await own.api.delete(assigned),
    await own.api.post(PERIODS, { employee: own.iri, until: `${thisYear}-02-28`, minutes: 60 }),
    await own.api.put(worked, { minutes: 60_000 }),
    await own.api.delete(worked),
    await own.api.put(own.iri, { extCStartDate: '2000-01-03' }),
    await own.api.put(own.iri, { nation: 'scotland' }),
    await own.api.post(`${LEAVE.employees}/bulk`, { action: 'nation', ids: [own.id], input: { nation: 'scotland' } }),
    await own.api.post(`${own.iri}/end-employment`, { leavingDate: NEXT, leavingReason: 'resigned' }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([
    403,
    403,
    403,
    403,
    403,
    403,
    403,
    403,
    403,
    expect.any(Number),
    403,
  ])
  const { extCStartDate, nation } = (await admin.get(own.iri)).body
  expect([extCStartDate, nation]).toEqual(['2020-01-01', 'england'])
  expect((await own.api.put(own.iri, { payroll: 'P1' })).status).toBe(200)
  expect((await admin.put(own.iri, { extCStartDate: '2019-01-01' })).status).toBe(200)
})
