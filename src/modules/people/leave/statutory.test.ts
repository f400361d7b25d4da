import { expect, test } from 'vitest'
import { createLeaveCompany, LEAVE } from '#test/support/leave.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CALENDAR = '/api/employees/leave_calendar'
const REPORT = '/api/employees/leave_report'

const year = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').year + 1
/** A Monday in March of the next year. */
const monday = (() => {
  const first = Temporal.PlainDate.from({ year, month: 3, day: 1 })
  return first.add({ days: (8 - first.dayOfWeek) % 7 })
})()
const day = (after = 0) => monday.add({ days: after }).toString()
const START = `${year}-01-01`

/** A worker with a manager, whose own manager heads the department and doesn't approve leave. */
async function team() {
  const company = await createLeaveCompany(portal)
  const { hr, saved, person } = company
  const head = await person()
  const manager = await person({ manager: head.iri })
  const department = (await saved(hr, LEAVE.departments, { name: 'Yard', head: head.iri }))['@id']
  const worker = await person({ manager: manager.iri, department })
  const colleague = await person({ department })
  return { ...company, head, manager, worker, colleague }
}

type Conditions = readonly { readonly subject: string; readonly state: string }[]
const statesOf = (conditions: Conditions) => conditions.map(({ subject, state }) => `${subject} ${state}`)

test('leave other than annual leave shows service and notice before it is sent, refuses nothing and deducts nothing', async () => {
  const { worker, hr, kind, request, balance, saved } = await team()
  const before = await balance(worker.api, worker, START)
  const body = { ...request(worker, day(), day(6)), kind: kind('shared-parental') }
  const preview = async (api: TestApi, facts: Record<string, unknown>) =>
    (await api.post(`${LEAVE.requests}/preview`, { ...body, employee: `${LEAVE.accounts}/${worker.id}`, ...facts }))
      .body
  const due = `${year}-02-20`
  expect(statesOf((await preview(worker.api, {})).conditions)).toEqual(['service unknown', 'notice met'])
  expect(statesOf((await preview(worker.api, { eventOn: due })).conditions)).toEqual(['service met', 'notice met'])
  // Only human resources state when notice was given.
  const late = { eventOn: due, noticeOn: day(-1) }
  expect(statesOf((await preview(hr, late)).conditions)).toEqual(['service met', 'notice notMet'])
  expect(statesOf((await preview(worker.api, late)).conditions)).toEqual(['service met', 'notice met'])
  // Days without annual leave don't refuse a right of the law.
  await saved(hr, '/api/employees/leave_blackouts', { firstDay: day(), lastDay: day(6), reason: 'Stocktaking' })
  expect((await worker.api.post(LEAVE.requests, request(worker, day()))).status).toBe(409)
  const sent = await worker.api.post(LEAVE.requests, { ...body, eventOn: due, details: 'Twins' })
  expect([sent.status, sent.body.deducted, sent.body.state], sent.text).toEqual([201, false, 'requested'])
  expect(await balance(worker.api, worker, START)).toEqual(before)
})

test('a missing start of employment is named, and facts that do not belong to the kind of leave are refused', async () => {
  const { worker, admin, kind, request, person } = await team()
  const unknown = await person({ extCStartDate: null })
  const employee = `${LEAVE.accounts}/${unknown.id}`
  const body = { ...request(unknown, day()), employee, kind: kind('shared-parental'), eventOn: `${year}-02-20` }
  const { conditions } = (await unknown.api.post(`${LEAVE.requests}/preview`, body)).body
  expect(conditions[0].text).toBe('Cannot be computed: the start of employment is not stored.')
  const wrong = async (api: TestApi, values: Record<string, unknown>) => {
    const { status, body: answer } = await api.post(LEAVE.requests, { ...request(worker, day()), ...values })
    return [status, answer.violations?.[0].propertyPath]
  }
  expect(await wrong(worker.api, { details: 'Private' })).toEqual([422, 'details'])
  expect(await wrong(worker.api, { eventOn: day() })).toEqual([422, 'eventOn'])
  expect(await wrong(worker.api, { kind: kind('jury'), eventOn: day() })).toEqual([422, 'eventOn'])
  expect(await wrong(admin, { kind: kind('carers'), noticeOn: day() })).toEqual([422, 'noticeOn'])
  expect(await wrong(worker.api, { kind: kind('maternity'), eventOn: '1066-10-14' })).toEqual([422, 'eventOn'])
})

test('the kind of other leave is private: the manager sees it, others above only that the person is busy', async () => {
  const { worker, manager, head, colleague, hr, kind, request, client } = await team()
  const privateHr = client.as(await client.user({ roles: ['ROLE_HR', 'ROLE_HR_PRIVATE'] }))
  const facts = { kind: kind('bereavement'), eventOn: day(-20), details: 'Our son' }
  const { '@id': iri } = (await worker.api.post(LEAVE.requests, { ...request(worker, day(), day(6)), ...facts })).body
  const read = async (api: TestApi) => {
    const { status, body } = await api.get(iri)
    return [status, body.kind?.code, body.eventOn, body.details]
  }
  expect(await read(worker.api)).toEqual([200, 'bereavement', day(-20), 'Our son'])
  expect(await read(privateHr)).toEqual([200, 'bereavement', day(-20), 'Our son'])
  expect(await read(hr)).toEqual([200, 'bereavement', day(-20), undefined])
  expect(await read(manager.api)).toEqual([200, 'bereavement', undefined, undefined])
  for (const one of [head, colleague]) {
    expect((await one.api.get(iri)).status).toBe(404)
    expect((await one.api.get(`${iri}/conditions`)).status).toBe(404)
    expect((await one.api.post(`${iri}/approve`)).status).toBe(404)
    expect((await one.api.get(`${LEAVE.requests}?employee=${worker.id}`)).body['hydra:totalItems']).toBe(0)
  }
  // A list never has the facts, and a manager's conditions reveal none of them.
  const listed = (await hr.get(LEAVE.requests)).body['hydra:member'][0]
  expect([listed.kind.code, listed.eventOn, listed.details]).toEqual(['bereavement', undefined, undefined])
  expect(statesOf((await worker.api.get(`${iri}/conditions`)).body.conditions)).toEqual(['service met', 'notice met'])
  expect(statesOf((await manager.api.get(`${iri}/conditions`)).body.conditions)).toEqual([
    'service met',
    'notice unknown',
  ])

  const absences = async (api: TestApi) => {
    const { body } = await api.get(`${CALENDAR}?from=${year}-03-01&until=${year}-03-31`)
    return body.absences.map(({ state, kind: of, request: id }: Record<string, unknown>) => [
      state,
      of !== null,
      id !== null,
    ])
  }
  expect(await absences(manager.api)).toEqual([['requested', true, true]])
  expect(await absences(head.api)).toEqual([])
  expect((await manager.api.post(`${iri}/approve`)).status).toBe(200)
  expect(await absences(worker.api)).toEqual([['approved', true, true]])
  for (const one of [head, colleague]) expect(await absences(one.api)).toEqual([['busy', false, false]])
})

test('other leave is in the report as days without its kind, and in the record for those who may see it', async () => {
  const { worker, manager, head, hr, kind, request } = await team()
  const today = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate()
  const body = { ...request(worker, today.toString(), today.add({ days: 1 }).toString()), kind: kind('jury') }
  const { '@id': iri } = (await worker.api.post(LEAVE.requests, body)).body
  const days = async (api: TestApi) =>
    (await api.get(REPORT)).body.rows.find(({ employee }: { employee: number }) => employee === worker.id).otherDays
  expect(await days(hr)).toBe(0)
  await manager.api.post(`${iri}/approve`)
  expect(await days(head.api)).toBe(1)
  const record = async (api: TestApi) => (await api.get(`${LEAVE.accounts}/${worker.id}/record.csv`)).text
  expect(await record(manager.api)).toContain('Jury service')
  expect(await record(worker.api)).toContain('Jury service')
  expect(await record(head.api)).not.toContain('Jury service')
  expect((await hr.get(`${REPORT}/export.csv`)).text).toContain('Days of other leave')
  expect((await manager.api.post(`${iri}/cancel`, { reason: 'The trial was put off' })).status).toBe(200)
  expect(await days(hr)).toBe(0)
})
