import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { impersonate } from '#test/support/impersonate.ts'
import { testPortal } from '#test/support/portal.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'
import { TRAINING as AT, createTrainingCompany, type TrainedPerson } from '#test/support/training.ts'

const portal = await testPortal()
const holder = portal.provider.as(
  await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'], name: 'Holly Holder' }),
)
const COURSE = 'Manual handling'
const template = expectSuccess(await holder.get(`${AT.templates}?name=${encodeURIComponent(COURSE)}`))[
  'hydra:member'
][0]

const at = (hours: number) =>
  portal.engine.clock
    .now()
    .add({ minutes: hours * 60 })
    .toString({ smallestUnit: 'second' })
const sessionBody = (values: Record<string, unknown> = {}) => ({
  course: template['@id'],
  trainer: 'Terry Teacher',
  startsAt: at(48),
  endsAt: at(51),
  place: '14 Wharf Street, Leeds',
  seats: 2,
  ...values,
})
const hold = async (values: Record<string, unknown> = {}) =>
  expectSuccess(await holder.post(AT.sessions, sessionBody(values)))
type Company = Awaited<ReturnType<typeof createTrainingCompany>>
const book = (
  w: Company,
  session: { '@id': string },
  of: { readonly iri: string },
  more: Record<string, unknown> = {},
) => w.trainer.post(AT.bookings, { session: session['@id'], employee: of.iri, ...more })
const pathsOf = (body: { violations?: { propertyPath: string }[] }) => body.violations?.map((one) => one.propertyPath)
const emails = (about: string) =>
  portal.db.tx('system', (tx) =>
    tx.rows<{ recipient: string; subject: string; body: string }>(
      'SELECT recipient, subject, body FROM message WHERE about = $1 ORDER BY id',
      [about],
    ),
  )
const notices = (clientId: number, kind: string) =>
  portal.db.tx('system', (tx) =>
    tx.rows<{ about: number }>('SELECT DISTINCT about::int FROM notice WHERE client_id = $1 AND kind = $2 ORDER BY 1', [
      clientId,
      kind,
    ]),
  )

test('a booked seat is in the plan, has a joining e-mail, and gives the company a copy of the course', async () => {
  const w = await createTrainingCompany(portal)
  const worker = await w.person({ email: 'walt@works.example' })
  const session = await hold({ joiningDetails: 'Please bring boots.', price: 6000 })
  const booking = expectSuccess(await book(w, session, worker))
  expect(booking).toMatchObject({ state: 'booked', course: { name: COURSE }, queuePosition: null })
  await portal.drain()
  const [email] = await emails(booking['@id'])
  expect([email?.recipient, email?.subject.includes(COURSE), email?.body.includes('Please bring boots.')]).toEqual([
    'walt@works.example',
    true,
    true,
  ])
  const read = expectSuccess(await w.trainer.get(booking['@id']))
  expect(read.joiningRequestedAt).toBeTruthy()
  expect(expectSuccess(await w.trainer.get(read.plan['@id'] ?? read.plan))).toMatchObject({
    state: 'booked',
    cost: 6000,
    plannedOn: Temporal.Instant.from(session.startsAt).toZonedDateTimeISO('Europe/London').toPlainDate().toString(),
  })
  expect(expectSuccess(await w.trainer.get(session['@id']))).toMatchObject({ seatsTaken: 1, freeSeats: 1 })
  expect((await w.trainer.get(session['@id'])).body.joiningDetails).toBeUndefined()
  expect(pathsOf((await book(w, session, worker)).body)).toEqual(['employee'])
  const [own] = expectSuccess(await w.trainer.get(`${AT.courses}?template=${template.id}`))['hydra:member']
  expect(own).toMatchObject({ name: COURSE, validityMonths: template.validityMonths })
})

test('a session refuses a past start, an end before its start, a missing address and fewer seats than are taken', async () => {
  const w = await createTrainingCompany(portal)
  const refused = async (values: Record<string, unknown>) =>
    pathsOf((await holder.post(AT.sessions, sessionBody(values))).body)
  expect(await refused({ startsAt: at(-1) })).toEqual(['startsAt'])
  expect(await refused({ endsAt: at(47) })).toEqual(['endsAt'])
  expect(await refused({ startsAt: null })).toEqual(['startsAt'])
  expect(await refused({ place: '' })).toEqual(['place'])
  expect(await refused({ seats: 0 })).toEqual(['seats'])
  const session = await hold()
  for (const worker of [await w.person(), await w.person()]) expectSuccess(await book(w, session, worker))
  expect(pathsOf((await holder.patch(session['@id'], { seats: 1 })).body)).toEqual(['seats'])
  const other = expectSuccess(await holder.get(AT.templates))['hydra:member'].find(
    ({ id }: { id: number }) => id !== template.id,
  )
  expect((await holder.patch(session['@id'], { course: other['@id'] })).status).toBe(409)
  expect((await w.admin.post(AT.sessions, sessionBody())).status).toBe(403)
  expect((await w.trainer.post(`${session['@id']}/cancel`, { reason: 'No' })).status).toBe(403)
})

test('people of two companies wait in order, and a free seat goes to the first', async () => {
  const [a, b] = [await createTrainingCompany(portal), await createTrainingCompany(portal)]
  const session = await hold({ seats: 1 })
  const first = expectSuccess(await book(a, session, await a.person()))
  const second = expectSuccess(await book(b, session, await b.person({ email: 'second@works.example' })))
  const third = expectSuccess(await book(a, session, await a.person()))
  expect([second, third].map(({ state, queuePosition }) => [state, queuePosition])).toEqual([
    ['waiting', 1],
    ['waiting', 2],
  ])
  expect(second.plan).toBeNull()
  expect((await notices(0, 'training.session-full')).map(({ about }) => about)).toContain(session.id)
  expect((await b.trainer.get(first['@id'])).status).toBe(404)
  expectSuccess(await a.trainer.post(`${first['@id']}/cancel`))
  await portal.drain()
  expect(expectSuccess(await b.trainer.get(second['@id']))).toMatchObject({ state: 'booked', queuePosition: null })
  expect(expectSuccess(await a.trainer.get(third['@id']))).toMatchObject({ state: 'waiting', queuePosition: 1 })
  expect((await emails(second['@id'])).map(({ recipient }) => recipient)).toEqual(['second@works.example'])
  expect(await notices(b.client.id, 'training.booking')).toEqual([{ about: second.id }])
  expectSuccess(await holder.patch(session['@id'], { seats: 2 }))
  await portal.drain()
  expect(expectSuccess(await a.trainer.get(third['@id'])).state).toBe('booked')
  const all = expectSuccess(await holder.get(`${AT.bookings}?session=${session.id}&order[id]=asc`))['hydra:member']
  expect(all.map(({ state }: { state: string }) => state)).toEqual(['cancelled', 'booked', 'booked'])
  expect(expectSuccess(await holder.get(session['@id']))).toMatchObject({ seatsTaken: 2, freeSeats: 0 })
})

test('fifty people who book at once get the seats that exist, and the others wait', async () => {
  const w = await createTrainingCompany(portal)
  await w.course({ template: template['@id'], name: COURSE })
  const session = await hold({ seats: 7 })
  const people: TrainedPerson[] = []
  for (let i = 0; i < 50; i++) {
    const sent = { forename: `Booked${i}`, surname: 'Test', extCStartDate: w.day(-100) }
    const made = expectSuccess(await w.admin.post(AT.employees, sent))
    people.push({ iri: made['@id'], id: made.id, api: w.admin })
  }
  const answers = await Promise.all(people.map((of) => book(w, session, of)))
  const states = answers.map((one) => expectSuccess(one).state as string)
  expect(states.filter((state) => state === 'booked')).toHaveLength(7)
  expect(states.filter((state) => state === 'waiting')).toHaveLength(43)
  expect(expectSuccess(await holder.get(session['@id']))).toMatchObject({ seatsTaken: 7, freeSeats: 0 })
  const booked = answers.filter(({ body }) => body.state === 'booked')
  await Promise.all(booked.map(({ body }) => w.trainer.post(`${body['@id']}/cancel`)))
  await portal.drain()
  const after = expectSuccess(await w.trainer.get(`${AT.bookings}?session=${session.id}&state=booked&order[id]=asc`))
  const waiting = answers.filter(({ body }) => body.state === 'waiting').map(({ body }) => body.id as number)
  expect(after['hydra:member'].map(({ id }: { id: number }) => id)).toEqual(
    waiting.toSorted((x, y) => x - y).slice(0, 7),
  )
  expect(expectSuccess(await holder.get(session['@id']))).toMatchObject({ seatsTaken: 7 })
})

test('recorded attendance adds a sealed training record, and an absent person gets none', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const w = await createTrainingCompany(portal)
  const [passed, missing] = [await w.person(), await w.person()]
  const session = await hold()
  const [one, two] = [expectSuccess(await book(w, session, passed)), expectSuccess(await book(w, session, missing))]
  const record = (of: { '@id': string }, body: Record<string, unknown>, who = holder) =>
    who.post(`${of['@id']}/record-attendance`, body)
  expect((await record(one, { attendance: 'passed' })).status).toBe(409)
  await moveClock(portal.engine, 3)
  expect((await record(one, { attendance: 'passed' }, w.trainer)).status).toBe(403)
  expect((await record(one, {})).status).toBe(422)
  expectSuccess(await record(one, { attendance: 'passed', externalNumber: 'MH-7' }))
  expectSuccess(await record(two, { attendance: 'absent' }))
  const recordsOf = async (of: TrainedPerson) =>
    expectSuccess(await w.trainer.get(`${AT.records}?employee=${of.id}&order[id]=asc`))['hydra:member']
  const [made] = await recordsOf(passed)
  expect(made).toMatchObject({ result: 'passed', externalNumber: 'MH-7', course: { name: COURSE } })
  expect(await recordsOf(missing)).toEqual([])
  expect((await w.cellOf(passed, made.course))?.competent).toBe(true)
  expect(expectSuccess(await w.trainer.get(two['@id'])).state).toBe('absent')
  expect(pathsOf((await record(one, { attendance: 'absent' })).body)).toEqual(['reason'])
  expectSuccess(await record(one, { attendance: 'absent', reason: 'Mixed up two people' }))
  expectSuccess(await record(two, { attendance: 'attended', reason: 'Mixed up two people' }))
  expect((await recordsOf(passed)).map(({ result }: { result: string }) => result)).toEqual(['passed', 'void'])
  expect((await recordsOf(missing)).map(({ result }: { result: string }) => result)).toEqual(['attended'])
  expect(await w.cellOf(passed, made.course)).toBeUndefined()
  expect((await book(w, session, await w.person())).status).toBe(409)
  expect((await w.trainer.post(`${two['@id']}/cancel`)).status).toBe(409)
  await portal.drain()
  expect((await verifyEvidence(portal.engine, w.client.id)).broken).toEqual([])
})

test('a booking ends the reminders of a course, and its end lets them begin again', async () => {
  const w = await createTrainingCompany(portal)
  const worker = await w.person()
  const of = await w.course({ template: template['@id'], name: COURSE })
  await w.record(worker, of, -300, { validUntil: w.day(20), validityReason: 'Printed on the certificate' })
  const open = async () => {
    await portal.runSchedule('training.expires')
    const rows = await portal.db.tx('system', (tx) =>
      tx.rows('SELECT 1 FROM notice WHERE client_id = $1 AND kind = $2 AND ended_at IS NULL', [
        w.client.id,
        'training.expires',
      ]),
    )
    return rows.length > 0
  }
  expect(await open()).toBe(true)
  const session = await hold()
  const booking = expectSuccess(await book(w, session, worker))
  expect(await open()).toBe(false)
  const plan = expectSuccess(await w.trainer.get(booking['@id'])).plan
  expect((await w.trainer.patch(plan['@id'] ?? plan, { state: 'cancelled' })).status).toBe(409)
  expectSuccess(await holder.patch(session['@id'], { startsAt: at(72), endsAt: at(75) }))
  await portal.drain()
  expect(expectSuccess(await w.trainer.get(plan['@id'] ?? plan)).plannedOn).toBe(w.day(3))
  expectSuccess(await holder.post(`${session['@id']}/cancel`, { reason: 'The trainer is ill' }))
  await portal.drain()
  expect(expectSuccess(await w.trainer.get(booking['@id']))).toMatchObject({
    state: 'cancelled',
    reason: 'The trainer is ill',
  })
  expect(await notices(w.client.id, 'training.booking')).toEqual([{ about: booking.id }])
  expect(await open()).toBe(true)
  expect(expectSuccess(await holder.get(session['@id']))).toMatchObject({ seatsTaken: 0 })
})

test('a priced session offers a draft quote for the seats of a client who is a customer', async () => {
  const w = await createTrainingCompany(portal)
  const session = await hold({ price: 6000 })
  const offer = (of = session) => holder.post(`${of['@id']}/quote`, { client: w.client.iri })
  expect((await offer()).status).toBe(409)
  for (const worker of [await w.person(), await w.person()]) expectSuccess(await book(w, session, worker))
  expect((await offer()).body.detail ?? (await offer()).body['hydra:description']).toContain('not a customer')
  expectSuccess(await holder.post('/api/financial/customers', { email: 'office@works.example', client: w.client.iri }))
  const quote = expectSuccess(await offer())
  const stored = expectSuccess(await holder.get(quote['@id']))
  expect(stored).toMatchObject({ state: 'draft', additionalItems: [{ quantity: 2, unitAmount: 6000 }] })
  expect((await offer(await hold())).status).toBe(409)
  expect((await w.trainer.post(`${session['@id']}/quote`, { client: w.client.iri })).status).toBe(403)
})

test('employees see their own seats, and staff book for a client only while impersonating', async () => {
  const w = await createTrainingCompany(portal)
  const [worker, other] = [await w.person(), await w.person()]
  const session = await hold()
  const booking = expectSuccess(await book(w, session, worker))
  expect((await worker.api.get(booking['@id'])).status).toBe(200)
  expect((await other.api.get(booking['@id'])).status).toBe(404)
  const sent = { session: session['@id'], employee: other.iri }
  expect((await other.api.post(AT.bookings, sent)).status).toBe(403)
  expect((await holder.post(AT.bookings, { ...sent, client: w.client.iri })).status).toBe(403)
  expect((await holder.get(booking['@id'])).body).toMatchObject({ employee: { name: expect.any(String) } })
  const visitor = await impersonate(portal, w.trainerAccount)
  expect(expectSuccess(await visitor.post(AT.bookings, sent)).state).toBe('booked')
})
