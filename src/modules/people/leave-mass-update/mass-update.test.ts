import { expect, test } from 'vitest'
import { createLeaveCompany, LEAVE } from '#test/support/leave.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const UPDATE = '/api/employees/leave_mass_updates'
const DAY = 480
const year = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').year + 1
const START = `${year}-01-01`
const monday = (() => {
  const first = Temporal.PlainDate.from({ year, month: 3, day: 1 })
  return first.add({ days: (8 - first.dayOfWeek) % 7 }).toString()
})()

test('a shutdown books and approves leave of everyone after a preview, leaves out those with leave, and is undone', async () => {
  const { hr, person, request, balance } = await createLeaveCompany(portal)
  const [worker, busy] = [await person(), await person()]
  await busy.api.post(LEAVE.requests, request(busy, monday))
  const before = (await balance(hr, worker, START)).left
  const update = { kind: 'shutdown', firstDay: monday, lastDay: monday, reason: 'Stocktaking' }
  const preview = await hr.post(`${UPDATE}/preview`, update)
  expect(
    preview.body.rows.map((row: { problem: string; before: number; after: number }) => [
      row.before - row.after,
      row.problem,
    ]),
  ).toEqual([
    [DAY, ''],
    [DAY, 'Leave is already requested on these days'],
  ])
  const started = await hr.post(UPDATE, update)
  expect(started.status).toBe(202)
  await portal.drain()
  expect((await hr.get(started.body.run)).body).toMatchObject({ done: 1 })
  expect(await balance(hr, worker, START)).toMatchObject({ left: before - DAY, booked: DAY })
  expect((await hr.post(`${started.body.run}/undo`)).status).toBeLessThan(300)
  await portal.drain()
  expect(await balance(hr, worker, START)).toMatchObject({ left: before, booked: 0 })
})

test('an allowance adds days of each employee’s own length, never of the starter, and is undone', async () => {
  const { client, hr, person, balance, saved } = await createLeaveCompany(portal)
  const worker = await person()
  const short = await saved(hr, LEAVE.patterns, {
    name: 'Half days',
    days: [[{ from: '09:00', until: '13:00', breakMinutes: 0 }]],
  })
  await saved(hr, LEAVE.assignments, { employee: worker.iri, pattern: short['@id'], from: '2021-01-01' })
  const starter = await person({}, ['ROLE_HR'])
  const before = [(await balance(hr, worker, START)).left, (await balance(hr, starter, START)).left]
  const update = { kind: 'allowance', year: START, days: 1.5, reason: 'Long service' }
  expect((await starter.api.post(UPDATE, { ...update, year: `${year}-01-02` })).status).toBe(422)
  expect((await worker.api.post(UPDATE, update)).status).toBe(403)
  const { body } = await starter.api.post(UPDATE, update)
  await portal.drain()
  const left = async () => [(await balance(hr, worker, START)).left, (await balance(hr, starter, START)).left]
  expect(await left()).toEqual([before[0] + 360, before[1]])
  await starter.api.post(`${body.run}/undo`)
  await portal.drain()
  expect(await left()).toEqual(before)
  expect(client.id).toBeGreaterThan(0)
})

test('a shutdown longer than 366 days, or outside the years of leave, is refused before it is calculated', async () => {
  const { hr, person } = await createLeaveCompany(portal)
  await person()
  for (const values of [
    { kind: 'shutdown', firstDay: START, lastDay: '9999-01-01' },
    { kind: 'shutdown', firstDay: START, lastDay: `${year + 1}-01-02` },
    { kind: 'shutdown', firstDay: '1900-01-01', lastDay: '1900-01-01' },
    { kind: 'allowance', year: '9999-01-01', days: 1 },
    { kind: 'allowance', year: '0001-01-01', days: 1 },
  ])
    for (const url of [UPDATE, `${UPDATE}/preview`]) {
      const { status, text } = await hr.post(url, { ...values, reason: 'Test' })
      expect([url, status], text).toEqual([url, 422])
    }
})

test('a shutdown is booked for the days on which each person is employed', async () => {
  const { hr, person, balance } = await createLeaveCompany(portal)
  const tuesday = Temporal.PlainDate.from(monday).add({ days: 1 }).toString()
  const [leaver, late] = [await person({ leavingDate: monday }), await person({ extCStartDate: `${year}-09-01` })]
  const { body } = await hr.post(UPDATE, {
    kind: 'shutdown',
    firstDay: monday,
    lastDay: tuesday,
    reason: 'Stocktaking',
  })
  await portal.drain()
  expect((await hr.get(body.run)).body).toMatchObject({ done: 1, refused: 1 })
  expect((await balance(hr, leaver, START)).booked).toBe(DAY)
  expect((await balance(hr, late, START)).booked).toBe(0)
})
