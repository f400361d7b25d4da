import { expect, test } from 'vitest'
import { createLeaveCompany, FIVE_DAYS, LEAVE } from '#test/support/leave.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const DAY = 480

/** Days in the next calendar year, so that the test holds in every year. */
const year = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').year + 1
const START = `${year}-01-01`
/** The first Monday of March, and days after it. */
const monday = (() => {
  const first = Temporal.PlainDate.from({ year, month: 3, day: 1 })
  return first.add({ days: (8 - first.dayOfWeek) % 7 })
})()
const day = (after = 0) => monday.add({ days: after }).toString()

async function team() {
  const company = await createLeaveCompany(portal)
  const manager = await company.person()
  const worker = await company.person({ manager: manager.iri })
  return { ...company, manager, worker }
}

test('a request deducts its working days at once, and declining or withdrawing it returns them', async () => {
  const { worker, manager, request, balance } = await team()
  const before = (await balance(worker.api, worker, START)).left
  expect(before).toBe(28 * DAY - (await balance(worker.api, worker, START)).bankHolidays)
  // Monday to Sunday: five days of work.
  const sent = await worker.api.post(LEAVE.requests, request(worker, day(), day(6)))
  expect([sent.status, sent.body.state, sent.body.minutes]).toEqual([201, 'requested', 5 * DAY])
  expect(await balance(worker.api, worker, START)).toMatchObject({ left: before - 5 * DAY, waiting: 5 * DAY })
  expect((await manager.api.post(`${sent.body['@id']}/decline`, {})).status).toBe(422)
  const declined = await manager.api.post(`${sent.body['@id']}/decline`, { reason: 'Stocktaking' })
  expect(declined.body).toMatchObject({
    state: 'declined',
    decision: 'Stocktaking',
    decidedBy: manager.account.username,
  })
  expect(await balance(worker.api, worker, START)).toMatchObject({ left: before, waiting: 0 })

  const again = await worker.api.post(LEAVE.requests, request(worker, day()))
  expect((await worker.api.post(`${again.body['@id']}/withdraw`, {})).body.state).toBe('withdrawn')
  expect((await balance(worker.api, worker, START)).left).toBe(before)
  const { body } = await worker.api.get(`${LEAVE.entries}?request=${again.body.id}`)
  expect(body['hydra:member'].map(({ kind, minutes }: { kind: string; minutes: number }) => [kind, minutes])).toEqual([
    ['booking', -DAY],
    ['cancellation', DAY],
  ])
})

test('parts of days and hours are requested together, and overlapping parts are refused', async () => {
  const { worker, request } = await team()
  const parts = (...all: Record<string, unknown>[]) => ({ ...request(worker, day()), parts: all })
  const [morning, hours] = [
    { firstDay: day(), lastDay: day(), portion: 'morning' },
    { firstDay: day(1), lastDay: day(1), portion: 'hours', from: '15:00', until: '18:00' },
  ]
  const sent = await worker.api.post(LEAVE.requests, parts(morning, hours))
  expect([sent.status, sent.body.minutes, sent.body.parts.length]).toEqual([201, 240 + 120, 2])
  const wrong = await worker.api.post(
    LEAVE.requests,
    parts({ firstDay: day(2), lastDay: day(2) }, { ...morning, firstDay: day(2), lastDay: day(2) }),
  )
  expect(wrong.body.violations[0].propertyPath).toBe('parts[1].firstDay')
  expect((await worker.api.post(LEAVE.requests, parts({ firstDay: day(3), lastDay: day(2) }))).status).toBe(422)
  expect((await worker.api.post(LEAVE.requests, parts())).status).toBe(422)
  // The same morning is requested; the afternoon is free.
  expect((await worker.api.post(LEAVE.requests, parts(morning))).status).toBe(409)
  expect((await worker.api.post(LEAVE.requests, parts({ ...morning, portion: 'afternoon' }))).status).toBe(201)
})

test('of twenty callers who approve at once, one approves and the others receive 409', async () => {
  const { client, worker, request } = await team()
  const sent = (await worker.api.post(LEAVE.requests, request(worker, day()))).body
  const callers = await Promise.all(
    Array.from({ length: 20 }, async () => client.as(await client.user({ roles: ['ROLE_HR'] }))),
  )
  const answers = await Promise.all(
    callers.map((api, n) => api.post(`${sent['@id']}/${n % 2 ? 'decline' : 'approve'}`, n % 2 ? { reason: 'No' } : {})),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
})

test('nobody approves their own leave, and only managers, approvers, deputies and human resources decide', async () => {
  const { hr, admin, person, worker, manager, request, saved, client } = await team()
  const [approver, deputy, stranger] = [await person(), await person(), await person()]
  const department = await saved(hr, LEAVE.departments, { name: 'Yard', approver: approver.iri, deputy: deputy.iri })
  expect((await admin.put(worker.iri, { department: department['@id'] })).status).toBe(200)
  const send = async (n: number) => (await worker.api.post(LEAVE.requests, request(worker, day(n)))).body['@id']
  const first = await send(0)
  expect((await worker.api.post(`${first}/approve`)).status).toBe(403)
  expect((await stranger.api.post(`${first}/approve`)).status).toBe(404)
  expect((await stranger.api.get(first)).status).toBe(404)
  expect((await manager.api.post(`${first}/approve`)).body.state).toBe('approved')
  expect((await approver.api.post(`${await send(1)}/approve`)).body.state).toBe('approved')
  expect((await deputy.api.post(`${await send(2)}/approve`)).body.state).toBe('approved')
  const own = await person({}, ['ROLE_EMPLOYEE', 'ROLE_HR'])
  const mine = (await own.api.post(LEAVE.requests, request(own, day()))).body['@id']
  expect((await own.api.post(`${mine}/approve`)).status).toBe(403)
  // A request that a manager sends for another person is decided by another one.
  const forWorker = (await manager.api.post(LEAVE.requests, request(worker, day(3)))).body['@id']
  expect((await manager.api.post(`${forWorker}/approve`)).status).toBe(403)
  const others = await createLeaveCompany(portal)
  expect((await others.hr.post(`${forWorker}/approve`)).status).toBe(404)
  expect(client.id).not.toBe(others.client.id)
})

test('an employee requests leave for themselves only', async () => {
  const { worker, manager, request } = await team()
  expect((await worker.api.post(LEAVE.requests, request(manager, day()))).status).toBe(404)
})

test('a request that makes the balance negative is refused, and says in which year', async () => {
  const { worker, request } = await team()
  const { status, body } = await worker.api.post(LEAVE.requests, request(worker, `${year}-02-01`, `${year}-04-30`))
  expect([status, body.detail]).toEqual([409, `The balance of the leave year from ${START} would be negative.`])
})

test('leave without deduction takes nothing from the balance', async () => {
  const { worker, request, balance, kind } = await team()
  const before = (await balance(worker.api, worker, START)).left
  const { body } = await worker.api.post(LEAVE.requests, request(worker, day(), day(4), { kind: kind('jury') }))
  expect([body.state, body.deducted]).toEqual(['requested', false])
  expect((await balance(worker.api, worker, START)).left).toBe(before)
})

test('approved leave is cancelled by the employee before it starts, or only by the approver if the company says so', async () => {
  const { client, hr, worker, manager, request, balance } = await team()
  const approved = async (n: number) => {
    const { '@id': iri } = (await worker.api.post(LEAVE.requests, request(worker, day(n)))).body
    expect((await manager.api.post(`${iri}/approve`)).status).toBe(200)
    return iri
  }
  const before = (await balance(worker.api, worker, START)).left
  const first = await approved(0)
  expect((await worker.api.post(`${first}/withdraw`)).status).toBe(409)
  expect((await worker.api.post(`${first}/cancel`, { reason: 'Changed plans' })).body.state).toBe('cancelled')
  expect((await balance(worker.api, worker, START)).left).toBe(before)
  await hr.put(`/api/employees/leave_settings/${client.id}`, { cancellation: 'approver' })
  const second = await approved(1)
  expect((await worker.api.post(`${second}/cancel`, { reason: 'Changed plans' })).status).toBe(403)
  expect((await manager.api.post(`${second}/cancel`, { reason: 'Agreed' })).body.state).toBe('cancelled')
})

test('a sent request is never edited', async () => {
  const { hr, worker, request } = await team()
  const { '@id': iri } = (await worker.api.post(LEAVE.requests, request(worker, day()))).body
  expect((await hr.put(iri, { notes: 'x' })).status).toBe(405)
  expect((await hr.delete(iri)).status).toBe(405)
})

test('a pattern that changes during booked leave corrects the ledger', async () => {
  const { hr, worker, request, balance, saved } = await team()
  await worker.api.post(LEAVE.requests, request(worker, day(), day(4)))
  const [half] = FIVE_DAYS
  const short = await saved(hr, LEAVE.patterns, { name: 'Two days', days: [half, half, [], [], [], [], []] })
  await saved(hr, LEAVE.assignments, { employee: worker.iri, pattern: short['@id'], from: day(2) })
  expect((await balance(worker.api, worker, START)).waiting).toBe(2 * DAY)
})

test('a preview shows balance, colleagues, cover, blackouts and bank holidays, and stores nothing', async () => {
  const { admin, hr, person, worker, request, saved } = await team()
  const department = await saved(hr, LEAVE.departments, { name: 'Yard', minimumCover: 1 })
  const colleague = await person({ department: department['@id'] })
  await admin.put(worker.iri, { department: department['@id'] })
  await colleague.api.post(LEAVE.requests, request(colleague, day(), day(1)))
  await saved(hr, '/api/employees/leave_blackouts', { firstDay: day(1), lastDay: day(1), reason: 'Stocktaking' })
  const body = { ...request(worker, day(), day(2)) }
  const preview = await worker.api.post(`${LEAVE.requests}/preview`, {
    ...body,
    employee: `${LEAVE.accounts}/${worker.id}`,
  })
  expect(preview.status, preview.text).toBe(200)
  expect(preview.body).toMatchObject({
    minutes: 3 * DAY,
    others: [{ firstDay: day(), lastDay: day(1) }],
    shortCover: [
      { day: day(), atWork: 0, minimum: 1 },
      { day: day(1), atWork: 0, minimum: 1 },
    ],
    blackouts: [{ reason: 'Stocktaking' }],
    problem: '',
  })
  const [{ before, after }] = preview.body.balances
  expect(before - after).toBe(3 * DAY)
  expect((await worker.api.get(LEAVE.requests)).body['hydra:totalItems']).toBe(0)
  expect((await worker.api.post(LEAVE.requests, body)).status).toBe(409)
  expect((await hr.post(LEAVE.requests, body)).status).toBe(201)
  const other = await person()
  const foreign = { ...body, employee: `${LEAVE.accounts}/${worker.id}` }
  expect((await other.api.post(`${LEAVE.requests}/preview`, foreign)).status).toBe(400)
})

test('deciders are notified of a request, and the employee of the decision', async () => {
  const { worker, manager, request } = await team()
  const { '@id': iri } = (await worker.api.post(LEAVE.requests, request(worker, day()))).body
  await portal.drain()
  const words = async (api: typeof worker.api) =>
    (await api.get('/api/portal/notices/inbox')).body['hydra:member'].map((one: { words: string }) => one.words)
  expect(await words(manager.api)).toEqual([expect.stringContaining('waits for approval')])
  await manager.api.post(`${iri}/approve`)
  await portal.drain()
  expect(await words(worker.api)).toEqual([expect.stringContaining('was approved')])
})

test('staff who impersonate a manager read leave, and neither request nor decide', async () => {
  const { client, worker, manager, request } = await team()
  const { '@id': iri } = (await worker.api.post(LEAVE.requests, request(worker, day()))).body
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  expect((await staff.get(iri)).status).toBe(403)
  const { username } = manager.account
  const visit = await staff.get(`/api/security/user/switch?username=${username}&client=${client.id}&reason=Help`)
  const visitor = portal.bearing(visit.body.token)
  await visitor.post('/api/security/user/write', { reason: 'They asked for help' })
  expect((await visitor.get(iri)).body.state).toBe('requested')
  expect((await visitor.post(`${iri}/approve`)).body.code).toBe('in_person')
  expect((await visitor.post(LEAVE.requests, request(manager, day()))).body.code).toBe('in_person')
})

test('leave of a colleague can’t be requested, and no request is stored', async () => {
  const w = await createLeaveCompany(portal)
  const [worker, colleague] = [await w.person(), await w.person()]
  const answer = await colleague.api.post(LEAVE.requests, w.request(worker, day()))
  expect(answer.status).toBe(404)
  expect((await w.hr.get(`${LEAVE.requests}?employee=${worker.id}`)).body['hydra:totalItems']).toBe(0)
})

test('a request is withdrawn by the employee or its author, and not by the manager', async () => {
  const { worker, manager, hr, request } = await team()
  const own = await worker.api.post(LEAVE.requests, request(worker, day()))
  const refused = await manager.api.post(`${own.body['@id']}/withdraw`)
  expect([refused.status, refused.body.detail]).toEqual([
    403,
    'You do not have permission to do this with this record.',
  ])
  expect((await hr.get(own.body['@id'])).body.state).toBe('requested')
  const entered = await manager.api.post(LEAVE.requests, request(worker, day(1)))
  expect((await manager.api.post(`${entered.body['@id']}/withdraw`)).body.state).toBe('withdrawn')
  expect((await worker.api.post(`${own.body['@id']}/withdraw`)).body.state).toBe('withdrawn')
})

test('a request or preview outside the years of leave, or longer than 366 days, is refused before it is calculated', async () => {
  const { worker, request } = await team()
  const account = `${LEAVE.accounts}/${worker.id}`
  for (const [first, last] of [
    [`${year}-01-01`, '9999-01-01'],
    [`${year}-01-01`, `${year + 1}-01-02`],
    ['1900-01-01', '1900-01-01'],
    ['0001-01-01', '0001-01-01'],
    ['9999-12-30', '9999-12-31'],
    ['1989-12-31', '1989-12-31'],
  ] as const) {
    const body = request(worker, first, last)
    const answers = [
      await worker.api.post(LEAVE.requests, body),
      await worker.api.post(`${LEAVE.requests}/preview`, { ...body, employee: account }),
    ]
    for (const { status, body: refused } of answers) {
      expect([first, last, status]).toEqual([first, last, 422])
      expect(refused.violations[0]).toMatchObject({
        propertyPath: expect.stringMatching(/^parts\[0\]/),
        message: expect.stringMatching(/between 1990 and|366 days/),
      })
    }
  }
})

test('a request for a colleague returns 404, regardless of their leave, shifts and balance', async () => {
  const { worker, person, request } = await team()
  const stranger = await person()
  expect((await worker.api.post(LEAVE.requests, request(worker, day()))).status).toBe(201)
  const answers = [
    await stranger.api.post(LEAVE.requests, request(worker, day())),
    await stranger.api.post(LEAVE.requests, request(worker, day(1))),
    await stranger.api.post(LEAVE.requests, request(worker, day(5))),
    await stranger.api.post(LEAVE.requests, request(worker, day(1), day(100))),
    await stranger.api.post(LEAVE.requests, request(worker, day(1), day())),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1)
})

test('leave before the employment starts or after it ends is refused, also leave that is not deducted', async () => {
  const { person, request, kind } = await team()
  const worker = await person({ extCStartDate: day(1), leavingDate: day(10) })
  const ask = async (first: string, last: string) => {
    const { status, body } = await worker.api.post(LEAVE.requests, request(worker, first, last, { kind: kind('jury') }))
    return status === 201 ? 'sent' : `${status} ${body.detail}`
  }
  expect(await ask(day(), day(1))).toMatch(/^409 The employment of .+ starts on/)
  expect(await ask(day(10), day(11))).toMatch(/^409 The employment of .+ ends on/)
  expect(await ask(day(1), day(2))).toBe('sent')
})

test('the author of a request doesn’t decide on it after a change of username', async () => {
  const { admin, worker, manager, hr, request } = await team()
  const { '@id': iri } = (await manager.api.post(LEAVE.requests, request(worker, day()))).body
  const renamed = await admin.put(manager.account.iri, { username: `${manager.account.username}.new` })
  expect(renamed.status, renamed.text).toBe(200)
  const { status, body } = await manager.api.post(`${iri}/approve`)
  expect([status, body.detail]).toEqual([403, 'You sent this request. Another person has to decide on it.'])
  expect((await hr.post(`${iri}/approve`)).body.state).toBe('approved')
})
