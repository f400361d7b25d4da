import { expect, test } from 'vitest'
import { createContractCompany } from '#test/support/contracts.ts'
import { createLeaveCompany, LEAVE } from '#test/support/leave.ts'
import { type TestApi, type TestUser, testPortal } from '#test/support/portal.ts'
import { expectSuccess, makeSignOffHelpers, sendSignature } from '#test/support/sign-offs.ts'
import type { MyTasks } from './my-tasks.ts'

const portal = await testPortal()
const { day, company, ask } = makeSignOffHelpers(portal)
const URL = '/api/portal/my_tasks'
const FORM = {
  steps: [
    { name: 's', title: 'S', groups: [{ fields: [{ name: 'ok', kind: 'text', label: 'OK?', required: true }] }] },
  ],
}

const tasksOf = async (who: TestApi): Promise<MyTasks> => expectSuccess(await who.get(URL))

test('one read lists the documents to sign and to read, and the forms due, of the signed-in person alone', async () => {
  const { author, workers, current, as } = await company('Will', 'Zoe')
  const [will, zoe] = workers as [TestUser, TestUser]
  const asked = await current('Ladders')
  const other = await current('Dust')
  expectSuccess(await ask(author, asked, { people: [will.id] }))
  const form = expectSuccess(await author.post('/api/safety/custom_forms', { title: 'Ladder check', schema: FORM }))
  expectSuccess(await author.post(`${form['@id']}/publish`, {}))
  const schedule = { form: form['@id'], user: will.id, every: 'week', startsOn: day(0), place: 'Yard' }
  expectSuccess(await author.post('/api/safety/form_schedules', schedule))

  const wills = await tasksOf(as(will))
  expect(wills.sign).toMatchObject([
    { title: 'Ladders', detail: 'TT-0001 revision 1', to: `/safety/toolbox-talks/view/${asked.id}`, due: day(14) },
  ])
  expect(wills.read).toMatchObject([
    {
      title: 'Dust',
      detail: 'Toolbox talk TT-0002, revision 1',
      to: `/safety/toolbox-talks/view/${other.id}`,
      due: null,
    },
  ])
  expect(wills.forms).toMatchObject([
    { title: 'Ladder check', detail: 'Yard', to: `/safety/custom-form/fill/${form.id}`, due: day(0) },
  ])
  expect(wills.leave).toBeNull()
  expect(wills.report.map(({ to }) => to)).toEqual([
    '/sfp/accident-book/report-accident',
    '/sfp/accident-book/report-near-miss',
  ])
  const zoes = await tasksOf(as(zoe))
  expect([zoes.sign, zoes.read.map(({ title }) => title), zoes.forms]).toEqual([[], ['Dust'], []])

  expect((await sendSignature(as(will), asked)).status).toBe(201)
  expect((await sendSignature(as(will), other)).status).toBe(201)
  const after = await tasksOf(as(will))
  expect([after.sign, after.read]).toEqual([[], []])
})

test('my leave lists requests that have not ended and the days that remain, and nothing for users without an employee', async () => {
  const { person, client, request, admin } = await createLeaveCompany(portal)
  const worker = await person()
  const colleague = await person()
  const next = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').year + 1
  expectSuccess(await worker.api.post(LEAVE.requests, request(worker, `${next}-03-01`, `${next}-03-05`)))
  expectSuccess(await colleague.api.post(LEAVE.requests, request(colleague, `${next}-04-01`)))
  const { leave } = await tasksOf(worker.api)
  expect(leave).toMatchObject({
    requests: [{ title: `01/03/${next} to 05/03/${next}`, detail: 'Annual leave: waiting for approval' }],
    request: '/ffh/calendar/event/new',
  })
  expect(leave?.left).toMatch(/^[\d.]+ days$/)
  expect((await tasksOf(admin)).leave).toBeNull()
  expect((await tasksOf(client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] })))).leave).toBeNull()
})

test('tasks of a product that the company does not have are left out, and users without a company role are refused', async () => {
  const client = await portal.client({ packs: ['holidays'] })
  const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  expect(await tasksOf(worker)).toMatchObject({ sign: [], read: [], forms: [], report: [], leave: null })
  expect((await client.as(await client.user({ roles: [] })).get(URL)).status).toBe(403)
})

test('a contract to sign or countersign is listed first, and only for the person who signs it', async () => {
  const { worker, boss, send, sign } = await createContractCompany(portal)
  const sent = await send(worker)
  const to = `/ffe/contracts/view/${sent.id}`
  expect((await tasksOf(worker.api)).sign).toMatchObject([
    { title: 'Contract of employment', detail: 'Contract EC-0001', to, due: sent.signUntil },
  ])
  expect((await tasksOf(boss.api)).sign).toEqual([])
  await sign(worker.api, sent)
  expect((await tasksOf(worker.api)).sign).toEqual([])
  expect((await tasksOf(boss.api)).sign).toMatchObject([
    { title: 'Contract of employment', detail: 'Countersign contract EC-0001 of Ann Carter', to, due: null },
  ])
  await sign(boss.api, sent, 'countersign')
  expect((await tasksOf(boss.api)).sign).toEqual([])
})
