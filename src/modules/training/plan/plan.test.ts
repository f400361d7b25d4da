import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { testPortal } from '#test/support/portal.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'
import { TRAINING as AT, createTrainingCompany } from '#test/support/training.ts'

const portal = await testPortal()
const SUMMARY = '/api/employees/training_plan_summary'
const TASKS = '/api/portal/my_tasks'

interface Notice {
  readonly user: number
  readonly about: number
  readonly since: string
  readonly ended: boolean
}

/** Runs the reminders twice, and returns the notifications of a company. */
async function remind(clientId: number): Promise<Notice[]> {
  for (const _ of [1, 2]) await portal.runSchedule('training.expires')
  return portal.db.tx('system', (tx) =>
    tx.rows<Notice>(
      `SELECT user_id::int AS "user", about::int, since::text, ended_at IS NOT NULL AS ended FROM notice
       WHERE client_id = $1 AND kind = 'training.expires' ORDER BY user_id, about`,
      [clientId],
    ),
  )
}

test('the person and the training role are reminded 90, 60, 30 and 0 days before an expiry, until it is booked or renewed', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const w = await createTrainingCompany(portal)
  const account = await w.client.user({ roles: ['ROLE_EMPLOYEE'] })
  const [worker, leaver] = [await w.person({ user: account.iri }), await w.person()]
  const of = await w.course({ validityMonths: 12 })
  const until = { validUntil: w.day(100), validityReason: 'Printed on the certificate' }
  const { id } = await w.record(worker, of, -200, until)
  await w.record(worker, of, -300, { validUntil: w.day(50), validityReason: 'Printed on the certificate' })
  await w.record(leaver, of, -200, until)
  const end = { leavingDate: w.day(0), leavingReason: 'resigned' }
  expectSuccess(await w.admin.post(`${leaver.iri}/end-employment`, end))
  await moveClock(portal.engine, 9)
  expect(await remind(w.client.id)).toEqual([])
  const seen = new Set<string>()
  for (const days of [10, 11, 40, 70, 100, 101]) {
    await moveClock(portal.engine, days)
    const notices = await remind(w.client.id)
    expect(notices.map(({ user, about, ended }) => ({ user, about, ended }))).toEqual(
      [w.trainerAccount.id, account.id].toSorted((a, b) => a - b).map((user) => ({ user, about: id, ended: false })),
    )
    seen.add(notices[0]?.since ?? '')
  }
  expect(seen.size).toBe(4)
  const booked = { employee: worker.iri, course: of.iri, plannedOn: w.day(20), state: 'booked' }
  expectSuccess(await w.trainer.post('/api/employees/training_plans', booked))
  expect((await remind(w.client.id)).every(({ ended }) => ended)).toBe(true)
})

test('a booked course has no reminder, and the manager is reminded if no user has the training role', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const client = await portal.client({ packs: ['safety', 'employees'] })
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const [boss, account] = [
    await client.user({ roles: ['ROLE_EMPLOYEE'] }),
    await client.user({ roles: ['ROLE_EMPLOYEE'] }),
  ]
  const employ = async (values: Record<string, unknown>) =>
    expectSuccess(await admin.post(AT.employees, { surname: 'Test', extCStartDate: '2020-01-06', ...values }))
  const manager = await employ({ forename: 'Mona', user: boss.iri })
  const worker = await employ({ forename: 'Walt', user: account.iri, manager: manager['@id'] })
  const day = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString()
  const records: number[] = []
  for (const name of ['Booked', 'Open']) {
    const course = expectSuccess(await admin.post(AT.courses, { name, validityMonths: 12 }))
    const body = {
      employee: worker['@id'],
      course: course['@id'],
      completedOn: day(-100),
      result: 'passed',
      validUntil: day(20),
      validityReason: 'Printed on the certificate',
    }
    records.push(expectSuccess(await admin.post(AT.records, body)).id)
    const plan = { employee: worker['@id'], course: course['@id'], plannedOn: day(5), state: 'booked' }
    if (name === 'Booked') expectSuccess(await admin.post('/api/employees/training_plans', plan))
  }
  const notices = await remind(client.id)
  expect(notices.map(({ user, about }) => [user, about])).toEqual([
    [boss.id, records[1]],
    [account.id, records[1]],
  ])
})

test('the plan adds up the cost by person and year, and lists training that is not planned', async () => {
  const w = await createTrainingCompany(portal)
  const [worker, other] = [await w.person(), await w.person()]
  const [dear, free] = [await w.course({ cost: 12_000 }), await w.course()]
  await w.need(dear)
  const planned = { employee: worker.iri, course: dear.iri, plannedOn: w.day(0) }
  const made = expectSuccess(await w.trainer.post('/api/employees/training_plans', planned))
  expect(made).toMatchObject({ state: 'planned', cost: 12_000, done: false })
  expect((await w.trainer.post('/api/employees/training_plans', planned)).status).toBeGreaterThanOrEqual(409)
  expectSuccess(await w.trainer.post('/api/employees/training_plans', { ...planned, course: free.iri }))
  expect((await worker.api.post('/api/employees/training_plans', planned)).status).toBe(403)
  const summary = expectSuccess(await w.trainer.get(`${SUMMARY}?year=${w.day(0).slice(0, 4)}`))
  expect(summary.people).toEqual([
    expect.objectContaining({ employee: worker.id, planned: 2, booked: 0, done: 0, cost: 12_000, withoutCost: 1 }),
  ])
  expect(summary.unplanned).toMatchObject([{ employee: other.id, course: dear.id, validUntil: null, cost: 12_000 }])
  await w.record(worker, dear, 0)
  expect(expectSuccess(await w.trainer.get(made['@id'])).done).toBe(true)
  expect((await w.trainer.patch(made['@id'], { course: free.iri })).status).toBe(409)
  const own = expectSuccess(await other.api.get(SUMMARY))
  expect([own.people, own.unplanned.length]).toEqual([[], 1])
  expect((await other.api.get(made['@id'])).status).toBe(404)
})

test('My-Task lists the person’s own training with its expiry, the most urgent first', async () => {
  const w = await createTrainingCompany(portal)
  const worker = await w.person()
  const [missing, valid] = [
    await w.course({ name: 'Missing' }),
    await w.course({ name: 'Valid', validityMonths: null }),
  ]
  await w.need(missing)
  await w.record(worker, valid, -5)
  const { training } = expectSuccess(await worker.api.get(TASKS))
  expect(training.map(({ title, detail }: { title: string; detail: string }) => [title, detail])).toEqual([
    ['Missing', 'Never'],
    ['Valid', 'In date, no expiry'],
  ])
})
