import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Actor, authorOf } from '#kernel/roles.ts'
import type { BatchStep } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { defineBatchJob, startBatchJob } from '#server/jobs/batch-job-control.ts'
import { impersonate } from '#test/support/impersonate.ts'
import { type TestApi, type TestClient, type TestPortal, type TestUser, testPortal } from '#test/support/portal.ts'

const step = (place: number): BatchStep<number> => ({ cursor: place, execute: async () => ({ done: 1 }) })

/** Batch job that counts to three. Undoing the job counts back to zero. */
const counting = defineBatchJob({
  kind: 'test.three',
  queue: 'bulk',
  whileImpersonating: true,
  input: z.object({}),
  cursor: z.int(),
  begin: async () => 3,
  steps: async function* (_engine, _run, from) {
    for (let n = (from ?? 0) + 1; n <= 3; n++) yield step(n)
  },
  undo: async function* (_engine, _run, from) {
    for (let n = (from ?? 0) + 1; n <= 3; n++) yield step(n)
  },
})
const steered = defineBatchJob({
  kind: 'test.steered',
  queue: 'bulk',
  input: z.object({}),
  cursor: z.int(),
  managedAt: 'the list of imports',
  steps: async function* () {
    yield step(1)
  },
})

let portal: TestPortal
let client: TestClient
const people: Record<'starter' | 'colleague' | 'admin', TestUser> = {} as never
const api = (who: keyof typeof people): TestApi => client.as(people[who])

beforeAll(async () => {
  portal = await (await testPortal()).with({}, [{ name: 'counting', resources: [], batchJobs: [counting, steered] }])
  client = await portal.client()
  people.starter = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  people.colleague = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  people.admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
})

const actor = (): Actor => ({
  userId: people.starter.id,
  clientId: client.id,
  username: people.starter.username,
  name: 'Sam',
  roles: [],
  scopes: [],
})
const inClient = <T>(work: (c: Context) => Promise<T>): Promise<T> =>
  portal.engine.inTenant(client.id, { actor: actor(), requestId: 'test' }, async (c) => {
    const value = await work(c)
    return () => value
  })
const start = async (options = {}) =>
  `/api/portal/runs/${await inClient((c) => startBatchJob(c, counting, {}, options))}`

describe('a background job', () => {
  test('a background job is visible only to its owner and administrators', async () => {
    const at = await start()
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await api('starter').get(at)).body).toMatchObject({
      '@type': 'Run',
      kind: 'test.three',
      state: 'queued',
      author: authorOf(actor()).username,
    })
    expect((await api('admin').get(at)).status).toBe(200)
    expect((await api('colleague').get(at)).status).toBe(404)
    expect((await stranger.get(at)).status).toBe(404)
    expect((await api('colleague').post(`${at}/stop`, {})).status).toBe(404)
  })

  test('a background job started during impersonation shows both users', async () => {
    const original = { userId: people.admin.id, clientId: client.id, username: 'visitor', name: 'Vera' }
    const change = { actor: { ...actor(), original }, requestId: 'test' }
    const id = await portal.engine.inTenant(client.id, change, async (c) => {
      const made = await startBatchJob(c, counting, {})
      return () => made
    })
    await portal.drain()
    expect((await api('starter').get(`/api/portal/runs/${id}`)).body).toMatchObject({
      state: 'done',
      author: 'visitor',
    })
    const trail = await portal.db.tx('system', (tx) =>
      tx.rows("SELECT username, as_username, as_user_id FROM audit WHERE type = 'Run' AND row_id = $1", [id]),
    )
    expect(trail).toEqual([
      { username: 'visitor', as_username: people.starter.username, as_user_id: people.starter.id },
    ])
  })

  test('an impersonator can stop only their own background jobs', async () => {
    const at = await start()
    const visitor = await impersonate(portal, people.starter)
    expect((await visitor.post(`${at}/stop`, {})).body.code).toBe('in_person')
    const own = await visitor.post('/api/portal/exports', { from: '/api/safety/hazards', format: 'csv' })
    expect((await visitor.post(`${own.body['@id']}/stop`, {})).body.state).toBe('stopping')
    await portal.drain()
    expect((await api('starter').get(at)).body.state).toBe('done')
  })

  test("a file can't be downloaded after its owner has lost a role with which it was written", async () => {
    const user = await client.user({ roles: ['ROLE_EMPLOYEE', 'ROLE_HR'] })
    const owner = client.as(user)
    const made = await owner.post('/api/portal/exports', { from: '/api/employees/employees', format: 'csv' })
    await portal.drain()
    const at = `${made.body['@id']}/file`
    expect((await owner.get(at)).status).toBe(200)
    expect((await api('admin').put(user.iri, { roles: ['ROLE_EMPLOYEE'] })).status).toBe(200)
    portal.sessions.forget()
    const refused = await owner.get(at)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Please export again')])
  })

  test('a background job can be stopped, resumed and undone', async () => {
    const at = await start()
    expect((await api('starter').post(`${at}/stop`, {})).body.state).toBe('stopping')
    await portal.drain()
    expect((await api('starter').get(at)).body).toMatchObject({ state: 'stopped', done: 0 })
    expect((await api('starter').post(`${at}/stop`, {})).status).toBe(409)
    expect((await api('starter').post(`${at}/resume`, {})).body.state).toBe('queued')
    await portal.drain()
    expect((await api('starter').get(at)).body).toMatchObject({ state: 'done', done: 3, total: 3 })
    expect((await api('admin').post(`${at}/undo`, {})).body.state).toBe('undoing')
    await portal.drain()
    expect((await api('starter').get(at)).body).toMatchObject({ state: 'undone', done: 3, undone: 3 })
    expect((await api('starter').post(`${at}/undo`, {})).status).toBe(409)
  })

  test("each user's background jobs are limited, but jobs from other users are still accepted", async () => {
    const busy = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
    const begin = (who: TestApi) => who.post('/api/portal/exports', { from: '/api/safety/hazards', format: 'csv' })
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push((await begin(busy)).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    expect((await begin(api('colleague'))).status).toBe(202)
    await portal.drain()
    expect((await begin(busy)).status).toBe(202)
    await portal.drain()
  })

  test('of ten background jobs that a user starts at once, only five are accepted', async () => {
    const busy = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
    const begin = () => busy.post('/api/portal/exports', { from: '/api/safety/hazards', format: 'csv' })
    const answers = await Promise.all(Array.from({ length: 10 }, begin))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
    await portal.drain()
  })

  test('a user with five unfinished background jobs can neither resume nor undo a sixth', async () => {
    const [stopped, done] = [await start(), await start()]
    await api('starter').post(`${stopped}/stop`, {})
    await portal.drain()
    const open: string[] = []
    for (let n = 0; n < 5; n++) open.push(await start())
    expect((await api('starter').post(`${stopped}/resume`, {})).status).toBe(429)
    expect((await api('starter').post(`${done}/undo`, {})).status).toBe(429)
    await api('starter').post(`${open[0]}/stop`, {})
    expect((await api('starter').post(`${open[0]}/undo`, {})).body.state).toBe('undoing')
    await portal.drain()
    expect((await api('starter').post(`${stopped}/resume`, {})).body.state).toBe('queued')
    expect((await api('starter').post(`${done}/undo`, {})).body.state).toBe('undoing')
    await portal.drain()
  })

  test("a background job with its own screen can't be stopped from the list of jobs", async () => {
    const id = await inClient((c) => startBatchJob(c, steered, {}))
    const answer = await api('starter').post(`/api/portal/runs/${id}/stop`, {})
    expect([answer.status, answer.body['hydra:description']]).toEqual([
      409,
      'You can stop and undo this job where it was started: the list of imports.',
    ])
  })
})

describe('a job whose process has ended', () => {
  const lapse = (at: string, state: string) =>
    portal.db.tx('system', (tx) =>
      tx.rows("UPDATE run SET state = $2, lease = 'gone', lease_until = now() - interval '1 second' WHERE id = $1", [
        Number(at.split('/').at(-1)),
        state,
      ]),
    )

  test('a job whose process has ended is resumed by another process', async () => {
    const at = await start()
    await portal.db.tx('system', (tx) => tx.rows("DELETE FROM outbox WHERE kind = 'run.test.three'"))
    await lapse(at, 'running')
    await portal.runSchedule('runs.recover')
    await portal.drain()
    expect((await api('starter').get(at)).body).toMatchObject({ state: 'done', done: 3 })
  })

  test('a job run by a command whose process has ended is marked as failed', async () => {
    const at = await start({ foreground: true })
    await lapse(at, 'running')
    await portal.runSchedule('runs.recover')
    await portal.drain()
    expect((await api('starter').get(at)).body).toMatchObject({
      state: 'failed',
      error:
        'The command that was running this job was stopped. Completed work is safe. Run the command again to continue.',
    })
  })
})
