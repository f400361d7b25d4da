import { expect, test } from 'vitest'
import { ASSESSMENTS_URL, makeAssessments, makeHazards } from '#test/support/assessments.ts'
import { makeAttendances } from '#test/support/attendances.ts'
import { MAX_BLOCKING_MS, measureLongestBlock } from '#test/support/effort.ts'
import { type TestResponse, testPortal } from '#test/support/portal.ts'

// Tests how long the largest write of one request blocks a process whose database runs in the same thread.

const portal = await testPortal()

/** Sends a request. Returns the response, and how long the request blocked the process. */
async function held(ask: () => Promise<TestResponse>): Promise<readonly [TestResponse, number]> {
  const answers: TestResponse[] = []
  const hold = await measureLongestBlock(async () => answers.push(await ask()))
  return [answers.at(-1) as TestResponse, hold]
}

test('a record with a thousand rows is created, changed and emptied without blocking other requests', async () => {
  const { author } = await makeAssessments(portal)
  const controls = Array.from({ length: 999 }, (_, n) => ({ ...makeHazards()[1], hazardName: `Hazard ${n}` }))
  const [made, hold] = await held(() => author.post(ASSESSMENTS_URL, { description: 'Roof', controls }))
  expect(made.status).toBe(201)
  expect(made.body.controls.map((c: { hazardName: string }) => c.hazardName)).toEqual(controls.map((c) => c.hazardName))
  const iri = made.body['@id']
  const sent: readonly Record<string, unknown>[] = made.body.controls
  const other = sent.map((c) => ({ ...c, persons: 'Roofers and visitors' }))
  const [changed, holdOfChange] = await held(() => author.put(iri, { controls: other }))
  expect(new Set(changed.body.controls.map((c: { persons: string }) => c.persons))).toEqual(
    new Set(['Roofers and visitors']),
  )
  const [emptied, holdOfRemoval] = await held(() => author.put(iri, { controls: [] }))
  expect(emptied.body.controls).toEqual([])
  for (const one of [hold, holdOfChange, holdOfRemoval]) expect(one).toBeLessThan(MAX_BLOCKING_MS)
})

test('a thousand records are created in one request without blocking other requests', async () => {
  const { talk, present, worker, now } = await makeAttendances(portal)
  const about = await talk()
  const names = Array.from({ length: 999 }, (_, n) => `Person ${n}`)
  let record = await present(about, 'Will Worker')
  const [added, hold] = await held(async () => {
    record = await present(about, 'Will Worker')
    return worker.post(`${record['@id']}/people`, { names })
  })
  expect([added.status, hold < MAX_BLOCKING_MS]).toEqual([200, true])
  expect((await now(record)).attendees.map((one) => one.name)).toEqual(['Will Worker', ...names])
})

test('a thousand people are asked to sign in one request without blocking other requests', async () => {
  const { client, admin, talk } = await makeAttendances(portal)
  const people = await portal.db.tx('system', (tx) =>
    tx.rows<{ id: number }>(
      `INSERT INTO user_account (client_id, username, name, email, roles)
       SELECT $1::int, 'asked.' || $1::int || '.' || n, 'Person ' || n, '', '{ROLE_EMPLOYEE}' FROM generate_series(1, 1000) n RETURNING id::int`,
      [client.id],
    ),
  )
  let on = await talk()
  const [asked, hold] = await held(async () => {
    on = await talk()
    return admin.post('/api/safety/sign_offs', {
      document: `/api/safety/documents/${on.id}`,
      people: people.map(({ id }) => id),
      due: '2099-01-01',
    })
  })
  expect(asked.status).toBe(201)
  const { asked: all, missing } = (await admin.get(on['@id'])).body
  expect([all, missing]).toEqual([1000, 1000])
  expect(hold).toBeLessThan(MAX_BLOCKING_MS)
})
