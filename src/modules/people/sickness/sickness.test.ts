import { expect, test } from 'vitest'
import { createLeaveCompany, LEAVE } from '#test/support/leave.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const SICKNESS = '/api/employees/sickness_absences'
const before = (days: number) =>
  portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().subtract({ days }).toString()

test('reasons of sickness are read and changed by people with the role for private details only', async () => {
  const { client, hr, person, admin } = await createLeaveCompany(portal)
  const manager = await person()
  const worker = await person({ manager: manager.iri })
  const privateHr = client.as(await client.user({ roles: ['ROLE_HR', 'ROLE_HR_PRIVATE'] }))
  const { body, status } = await privateHr.post(SICKNESS, {
    employee: worker.iri,
    firstDay: before(9),
    reason: 'Back pain',
  })
  expect([status, body.reason, body.days, body.fitNoteDue]).toEqual([201, 'Back pain', 10, true])
  for (const api of [hr, admin, manager.api, worker.api]) {
    const one = (await api.get(body['@id'])).body
    expect(one.days).toBe(10)
    expect(one).not.toHaveProperty('reason')
    expect(one).not.toHaveProperty('protected')
  }
  await hr.put(body['@id'], { reason: 'Other', lastDay: before(1) })
  expect((await privateHr.get(body['@id'])).body).toMatchObject({ reason: 'Back pain', lastDay: before(1) })
  expect((await privateHr.get(SICKNESS)).body['hydra:member'][0]).not.toHaveProperty('reason')
})

test('a fit note is due after seven days and states both its days', async () => {
  const { hr, person } = await createLeaveCompany(portal)
  const worker = await person()
  const { body } = await worker.api.post(SICKNESS, { employee: worker.iri, firstDay: before(6) })
  expect(body.fitNoteDue).toBe(false)
  expect((await hr.put(body['@id'], { firstDay: before(7) })).body.fitNoteDue).toBe(true)
  expect((await hr.put(body['@id'], { fitNoteUntil: before(-5) })).body.violations[0].propertyPath).toBe(
    'fitNoteSeenOn',
  )
  const noted = await hr.put(body['@id'], { fitNoteUntil: before(-5), fitNoteSeenOn: before(0) })
  expect(noted.body.fitNoteDue).toBe(false)
})

test('absences of one employee do not overlap, and none starts in the future', async () => {
  const { hr, person } = await createLeaveCompany(portal)
  const worker = await person()
  const post = (firstDay: string, lastDay: string | null = null) =>
    hr.post(SICKNESS, { employee: worker.iri, firstDay, lastDay })
  expect((await post(before(9), before(8))).status).toBe(201)
  expect((await post(before(8), before(7))).status).toBe(409)
  expect((await post(before(6), before(7))).status).toBe(422)
  expect((await post(before(-1))).status).toBe(422)
  for (const day of ['0001-01-01', '1900-01-01']) expect((await post(day, day)).status).toBe(422)
  expect((await post(before(1), '9999-12-31')).status).toBe(422)
  const both = await Promise.all([post(before(3)), post(before(2))])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  expect((await worker.api.put(`${SICKNESS}/1`, { lastDay: before(0) })).status).toBeGreaterThanOrEqual(403)
})

test('statutory sick pay is calculated from the working days of the pattern, for human resources only', async () => {
  const { hr, person } = await createLeaveCompany(portal)
  const worker = await person()
  const { body } = await hr.post(SICKNESS, { employee: worker.iri, firstDay: before(6), lastDay: before(0) })
  const pay = `${body['@id']}/sick_pay`
  expect((await hr.get(`${pay}?weeklyEarnings=500`)).body.pay).toMatchObject({ qualifyingDays: 5 })
  expect((await hr.get(pay)).status).toBe(400)
  expect((await worker.api.get(`${pay}?weeklyEarnings=500`)).status).toBe(403)
})

test('sick pay shows no reason for an absence, so its calculation is logged as no read of one', async () => {
  const { client, admin, person } = await createLeaveCompany(portal)
  const privateHr = client.as(await client.user({ roles: ['ROLE_HR', 'ROLE_HR_PRIVATE'] }))
  const worker = await person()
  const { body } = await privateHr.post(SICKNESS, {
    employee: worker.iri,
    firstDay: before(6),
    lastDay: before(0),
    reason: 'Back pain',
  })
  const reads = async () =>
    (await admin.get(`/api/portal/confidential_reads?record=${body['@id']}`)).body['hydra:totalItems']
  const earlier = await reads()
  expect((await privateHr.get(`${body['@id']}/sick_pay?weeklyEarnings=500`)).status).toBe(200)
  expect(await reads()).toBe(earlier)
  expect((await privateHr.get(body['@id'])).body.reason).toBe('Back pain')
  expect(await reads()).toBe(earlier + 1)
})

test('sickness is recorded by the employee, the manager or the approver, and for nobody else’s people', async () => {
  const { hr, person, saved } = await createLeaveCompany(portal)
  const [manager, approver, colleague] = [await person(), await person(), await person()]
  const department = await saved(hr, LEAVE.departments, { name: 'Yard', approver: approver.iri })
  const worker = await person({ manager: manager.iri, department: department['@id'] })
  const record = (api: TestApi, days: number) =>
    api.post(SICKNESS, { employee: worker.iri, firstDay: before(days), lastDay: before(days) })
  const statuses = [
    await record(colleague.api, 2),
    await record(worker.api, 4),
    await record(manager.api, 6),
    await record(approver.api, 8),
  ].map(({ status }) => status)
  expect(statuses).toEqual([404, 201, 201, 201])
  expect((await hr.get(`${SICKNESS}?employee=${worker.id}`)).body['hydra:totalItems']).toBe(3)
})

test('an employee or manager records no certificate, fit note or return-to-work talk', async () => {
  const { hr, person } = await createLeaveCompany(portal)
  const manager = await person()
  const worker = await person({ manager: manager.iri })
  const byHr = {
    selfCertifiedOn: before(1),
    fitNoteUntil: before(0),
    fitNoteSeenOn: before(1),
    returnedOn: before(1),
  }
  for (const [n, api] of [worker.api, manager.api].entries()) {
    const day = before(20 + n)
    const { '@id': iri } = (await api.post(SICKNESS, { employee: worker.iri, firstDay: day, lastDay: day, ...byHr }))
      .body
    expect((await hr.get(iri)).body).toMatchObject({
      selfCertifiedOn: null,
      fitNoteUntil: null,
      fitNoteSeenOn: null,
      returnedOn: null,
    })
  }
  const day = before(30)
  expect((await hr.post(SICKNESS, { employee: worker.iri, firstDay: day, lastDay: day, ...byHr })).body).toMatchObject(
    byHr,
  )
})

test('recording sickness of an unreadable employee returns 404, whether or not the day is free', async () => {
  const { hr, person } = await createLeaveCompany(portal)
  const [worker, colleague] = [await person(), await person()]
  const record = (api: TestApi, day: string, lastDay = day) =>
    api.post(SICKNESS, { employee: worker.iri, firstDay: day, lastDay })
  expect((await record(hr, before(5))).status).toBe(201)
  const answers = [
    await record(colleague.api, before(5)),
    await record(colleague.api, before(6)),
    await record(colleague.api, before(5), before(6)),
    await record(colleague.api, before(-5)),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1)
})

test('sickness before the employment starts or after it ends is refused', async () => {
  const { hr, person } = await createLeaveCompany(portal)
  const worker = await person({ extCStartDate: before(20), leavingDate: before(-20) })
  const record = (first: string, last: string | null) =>
    hr.post(SICKNESS, { employee: worker.iri, firstDay: first, lastDay: last })
  const early = await record(before(21), before(19))
  expect([early.status, early.body.detail]).toEqual([409, expect.stringContaining('starts on')])
  expect((await record(before(1), before(-21))).body.detail).toContain('ends on')
  expect((await record(before(20), before(19))).status).toBe(201)
})

test('human resources report their own sickness, and another person changes it', async () => {
  const { hr, person } = await createLeaveCompany(portal)
  const own = await person({}, ['ROLE_EMPLOYEE', 'ROLE_HR'])
  const day = before(3)
  const sent = { employee: own.iri, firstDay: day, lastDay: day }
  expect((await own.api.post(SICKNESS, { ...sent, selfCertifiedOn: before(1) })).status).toBe(403)
  const { '@id': iri } = (await own.api.post(SICKNESS, sent)).body
  for (const values of [{ retired: true }, { lastDay: before(2) }, { returnedOn: before(1) }])
    expect((await own.api.put(iri, values)).status).toBe(403)
  expect((await hr.put(iri, { retired: true })).status).toBe(200)
})
