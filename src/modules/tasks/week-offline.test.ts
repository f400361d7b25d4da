import { expect, test } from 'vitest'
import { createLeaveCompany, LEAVE } from '#test/support/leave.ts'
import { type TestResponse, testPortal } from '#test/support/portal.ts'
import { documentApiUrl, expectSuccess, openParts, TALKS_URL } from '#test/support/sign-offs.ts'

const portal = await testPortal()
const SIGNATURES = 30

const year = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').year + 1
/** A Monday in March of the next year, and days after it. */
const monday = (() => {
  const first = Temporal.PlainDate.from({ year, month: 3, day: 1 })
  return first.add({ days: (8 - first.dayOfWeek) % 7 })
})()
const day = (after: number) => monday.add({ days: after }).toString()

test('30 signatures and 5 leave requests of a week without signal arrive once each, and refused ones can be corrected', async () => {
  const { admin, hr, person, saved, request, balance } = await createLeaveCompany(portal)
  const worker = await person()
  const talks = []
  for (let n = 0; n < SIGNATURES; n++) {
    const talk = expectSuccess(await admin.post(TALKS_URL, { title: `Talk ${n}`, points: [{ text: 'Look up.' }] }))
    expectSuccess(await admin.post(`${talk['@id']}/complete`))
    talks.push(expectSuccess(await admin.post(`${talk['@id']}/approve`, {})))
  }
  const signatures = []
  for (const talk of talks) {
    const opened = await openParts(worker.api, talk)
    signatures.push({ document: documentApiUrl(talk), method: 'typed', opened })
  }
  const leave = [
    request(worker, day(0), day(1)),
    request(worker, day(2)),
    request(worker, day(14), day(18)),
    // Three and six weeks: together more than a year has.
    request(worker, day(21), day(39)),
    request(worker, day(49), day(88)),
  ]
  // Decided while the worker had no signal.
  await saved(hr, '/api/employees/leave_blackouts', { firstDay: day(14), lastDay: day(15), reason: 'Stocktaking' })

  const queued = [
    ...signatures.map((body, n) => ({ url: '/api/safety/signatures', key: `sign-${n}`, body })),
    ...leave.map((body, n) => ({ url: LEAVE.requests, key: `leave-${n}`, body })),
  ]
  const sendAll = async (): Promise<TestResponse[]> => {
    const answers = []
    for (const { url, key, body } of queued)
      answers.push(await worker.api.post(url, body, { 'idempotency-key': `${worker.id}-${key}` }))
    return answers
  }
  const reason = ({ status, body }: TestResponse) => [status, body.detail]
  const first = await sendAll()
  expect(first.slice(0, SIGNATURES).map(({ status }) => status)).toEqual(Array(SIGNATURES).fill(201))
  const refusals = [
    [409, 'No leave can be requested then: Stocktaking.'],
    [409, `The balance of the leave year from ${year}-01-01 would be negative.`],
  ]
  const sent = first.slice(SIGNATURES)
  expect([sent[2], sent[4]].map((one) => one && reason(one))).toEqual(refusals)
  expect([0, 1, 3].map((n) => sent[n]?.status)).toEqual([201, 201, 201])
  const left = (await balance(worker.api, worker, `${year}-01-01`)).left

  // The responses were lost: the device sends everything again.
  const second = await sendAll()
  expect(second.map(({ status }) => status)).toEqual(first.map(({ status }) => status))
  expect(second.filter(({ status }) => status === 201).every(({ headers }) => headers['idempotency-replayed'])).toBe(
    true,
  )
  const total = async (url: string) => (await worker.api.get(url)).body['hydra:totalItems']
  expect(await total(`${LEAVE.requests}?employee=${worker.id}`)).toBe(3)
  expect((await balance(worker.api, worker, `${year}-01-01`)).left).toBe(left)
  expect((await worker.api.get('/api/portal/my_tasks')).body.read).toEqual([])

  // Without the key, as after a day, an overlapping request is refused instead of stored twice.
  expect((await worker.api.post(LEAVE.requests, leave[0])).status).toBe(409)
  const corrected = { ...leave[2], parts: [{ firstDay: day(16), lastDay: day(18) }] }
  expect((await worker.api.post(LEAVE.requests, corrected)).status).toBe(201)
})
