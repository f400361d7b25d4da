import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { createPortal } from '#app/server.ts'
import { readConfig } from '#server/config.ts'
import { connectToDbServer } from '#server/db/server.ts'
import { QueueWorkers } from '#server/jobs/workers.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'
import { startProxy } from './wire.ts'
import { countResponsesUntil, TWO_SECONDS_IN_RESPONSES } from './yardstick.ts'

// A portal whose database connection can be cut, and whose database sessions another process can terminate.

const LEADS = '/api/crm/contacts'

const near: TestPortal = await testPortal()
const wire = await startProxy(near.db.origin.url)
const db = connectToDbServer(wire.url, 5)
const portal = await createPortal(db, readConfig({ DATA_DIR: '/nonexistent', LOG_LEVEL: 'silent' }))
const workers = new QueueWorkers(portal.engine, { error: () => {} })
await workers.start()
afterAll(async () => {
  wire.mend()
  await workers.stop()
  await db.close()
  wire.close()
})

const staff = await near.provider.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] })
const { token } = await portal.sessions.open(
  { clientId: 0, userId: staff.id },
  { address: '127.0.0.1', agent: 'test', browser: false },
)
const ask = async (method: 'GET' | 'POST', url: string, body?: object, key?: string) => {
  // Lets other work run first. Requests without network latency would leave no time for it.
  await breathe()
  const {
    statusCode,
    headers,
    body: text,
  } = await portal.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, ...(key ? { 'idempotency-key': key } : {}) },
    ...(body ? { payload: body } : {}),
  })
  return { status: statusCode, headers, body: text ? JSON.parse(text) : undefined }
}

let made = 0
/**
 * Simulates eight users until `stop`, which returns the statuses of their responses and the number of acknowledged
 * leads that are lost.
 */
function work() {
  const statuses = new Set<number>()
  const kept: number[] = []
  let isOver = false
  const people = Array.from({ length: 8 }, async (_, person) => {
    while (!isOver) {
      const read = person % 2 === 0
      const { status, body } = await (read
        ? ask('GET', `${LEADS}?itemsPerPage=5`)
        : ask('POST', LEADS, { companyName: `Outage ${++made}` }))
      statuses.add(status)
      if (status === 201) kept.push(body.id)
    }
  })
  const untilKept = async (more: number) => {
    for (const goal = kept.length + more; kept.length < goal; ) await sleep(5)
  }
  const stop = async () => {
    isOver = true
    await Promise.all(people)
    const found = await near.db.tx('system', (tx) => tx.rows('SELECT 1 FROM contact WHERE id = ANY($1)', [kept]))
    return { statuses: [...statuses].sort(), lost: kept.length - found.length }
  }
  return { untilKept, stop }
}

/** Counts the responses from the database on a direct connection until a request to the portal succeeds. */
async function untilServed(): Promise<number> {
  let isServed = false
  const asking = (async () => {
    while ((await ask('GET', `${LEADS}?itemsPerPage=1`)).status !== 200) await sleep(20)
    isServed = true
  })()
  const answered = await countResponsesUntil(() => isServed, askNearby)
  await asking
  return answered
}
const askNearby = () => near.db.tx('system', (tx) => tx.rows('SELECT 1'))
async function untilRefused() {
  for (;;) {
    const answer = await ask('GET', `${LEADS}?itemsPerPage=1`)
    if (answer.status !== 200) return answer
  }
}

describe('a portal whose database is unavailable', () => {
  test('requests get 503 and Retry-After while the database is unavailable, and succeed within two seconds of its recovery', async () => {
    const { untilKept, stop } = work()
    await untilKept(5)
    wire.drop()
    const refused = await untilRefused()
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2'])
    expect(refused.body.detail).toContain('database')
    const ready = await ask('GET', '/readyz')
    expect([ready.status, ready.body]).toEqual([503, { ok: false, database: 'away' }])
    expect((await ask('GET', '/healthz')).status).toBe(200)
    wire.mend()
    expect(await untilServed()).toBeLessThanOrEqual(TWO_SECONDS_IN_RESPONSES)
    expect((await ask('GET', '/readyz')).body).toEqual({ ok: true, database: 'here' })
    await untilKept(5)
    expect(await stop()).toEqual({ statuses: [200, 201, 503], lost: 0 })
  })

  test('a portal reconnects when the server has moved and old connections hang', async () => {
    const { untilKept, stop } = work()
    await untilKept(5)
    wire.dropStanding()
    await untilKept(20)
    const { statuses, lost } = await stop()
    expect(lost).toBe(0)
    expect([200, 201, 503]).toEqual(expect.arrayContaining(statuses))
  })

  test('a portal continues to serve reads when single connections are terminated, and loses no acknowledged change', async () => {
    const { untilKept, stop } = work()
    for (let n = 0; n < 5; n++) {
      await untilKept(3)
      await near.db.tx('owner', (tx) =>
        tx.rows(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'stanchion%'",
        ),
      )
    }
    await untilKept(3)
    const { statuses, lost } = await stop()
    expect(lost).toBe(0)
    expect([200, 201, 503]).toEqual(expect.arrayContaining(statuses))
    expect(await untilServed()).toBeLessThanOrEqual(TWO_SECONDS_IN_RESPONSES)
  })

  test('a portal releases the Idempotency-Key of a request refused with 503', async () => {
    const lead = { companyName: 'Outage, once' }
    wire.drop()
    expect((await ask('POST', LEADS, lead, 'outage-1')).status).toBe(503)
    wire.mend()
    await untilServed()
    let answer = await ask('POST', LEADS, lead, 'outage-1')
    while (answer.status === 409) answer = await ask('POST', LEADS, lead, 'outage-1')
    expect(answer.status).toBe(201)
    const { body } = await ask('GET', `${LEADS}?companyName=${encodeURIComponent(lead.companyName)}`)
    expect(body['hydra:totalItems']).toBe(1)
  })

  test('a portal delivers events committed during the outage once the database is available again', async () => {
    wire.drop()
    await untilRefused()
    // Another process commits the event, and any process may deliver it.
    const [row] = await near.db.tx('system', (tx) =>
      tx.rows<{ id: number }>(
        "INSERT INTO outbox (client_id, kind, version, payload) SELECT 0, 'mail', 1, $1::jsonb RETURNING id",
        [JSON.stringify({ to: 'late@portal.example', subject: 'Overdue', body: 'Overdue' })],
      ),
    )
    wire.mend()
    const isHandedOn = async () =>
      (
        await near.db.tx('system', (tx) =>
          tx.rows('SELECT 1 FROM outbox WHERE id = $1 AND relayed_at IS NOT NULL', [row?.id]),
        )
      ).length === 1
    // This is before the regular check, which runs every half minute.
    expect(await countResponsesUntil(isHandedOn, askNearby)).toBeLessThan(10 * TWO_SECONDS_IN_RESPONSES)
  })
})
