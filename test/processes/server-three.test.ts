import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startTemporaryPostgres } from '../../scripts/postgres.mjs'
import { processFolder, type ServedPortal, servePortal, startProgram } from './portal.ts'
import { countResponsesUntil, TWO_SECONDS_IN_RESPONSES } from './yardstick.ts'

// Runs three processes on a separate PostgreSQL server. Each of them is killed, and the database is killed twice, while
// users work.

const LEADS = '/api/crm/contacts'
const PEOPLE = 40

// The machine itself does not crash, so flushing to disk is unnecessary; each commit is still written.
const postgres = await startTemporaryPostgres(['fsync=off', 'full_page_writes=off', 'max_connections=100'])
const env = { DATABASE_URL: postgres.url, DATA_DIR: join(processFolder, 'three') }
const portals: ServedPortal[] = []
afterAll(async () => {
  for (const p of portals) p.child.kill('SIGKILL')
  await Promise.all(portals.map((p) => p.ended))
  await postgres.stop()
})

async function query<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

/**
 * Acknowledged results: names of leads, and IDs of invited users. A process that was killed may have completed those in
 * `unknown`.
 */
const leads = { kept: new Set<string>(), unknown: new Set<string>() }
const letters = { kept: new Set<number>(), unknown: new Set<number>() }
let token = ''
let isOver = false
let acknowledged = 0

/**
 * Sends a request to one process after another, always with the same key, until one has executed it. Returns false if a
 * response says that an earlier attempt may have been executed.
 */
async function insist(first: number, path: string, body: object, key: string): Promise<boolean> {
  for (let at = first; !isOver; at++) {
    const answer = await portals[at % portals.length]?.call('POST', path, body, token, key).catch(() => undefined)
    if (answer && answer.status < 300) {
      acknowledged++
      return true
    }
    if (answer?.status === 409) return false
    await sleep(50)
  }
  return false
}

async function makeLeads(person: number): Promise<void> {
  for (let n = 0; !isOver; n++) {
    const companyName = `Three ${person}-${n}.`
    const isDone = await insist(person, LEADS, { companyName }, companyName)
    leads[isDone ? 'kept' : 'unknown'].add(companyName)
  }
}

async function invite(ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    if (isOver) return
    const isDone = await insist(id, `/api/portal/users/${id}/invite`, {}, `invite ${id}`)
    letters[isDone ? 'kept' : 'unknown'].add(id)
    await sleep(100)
  }
}

const untilMore = async (n: number) => {
  for (const goal = acknowledged + n; acknowledged < goal; ) await sleep(10)
}

async function replace(at: number): Promise<void> {
  portals[at]?.child.kill('SIGKILL')
  await portals[at]?.ended
  portals[at] = await servePortal(env)
}

/**
 * Kills the database and restarts it. Returns the number of responses on a direct connection until a portal serves a
 * request.
 */
async function crash(signal: 'SIGQUIT' | 'SIGKILL'): Promise<number> {
  await postgres.kill(signal)
  await sleep(300)
  await postgres.start()
  const before = acknowledged
  return countResponsesUntil(
    () => acknowledged > before,
    () => query('SELECT 1'),
  )
}

test('three processes lose no acknowledged write and repeat no work, even if each process is killed once and the database twice', async () => {
  const made = startProgram(
    ['user', 'create', '--username', 'first', '--client', '0', '--roles', ROLES, '--password', 'harbour tin piano'],
    env,
  )
  expect([await made.ended, made.said.err]).toEqual([0, ''])
  portals.push(...(await Promise.all([servePortal(env), servePortal(env), servePortal(env)])))
  token = (await (portals[0] as ServedPortal).signIn('first', 'harbour tin piano')).token
  const people = await query<{ id: number }>(
    `INSERT INTO user_account (client_id, username, name, email, roles)
     SELECT 0, 'invited.' || i, 'Invited', 'invited.' || i || '@portal.example', '{}' FROM generate_series(1, ${PEOPLE}) i RETURNING id::int`,
  )
  const work = [0, 1, 2, 3, 4].map(makeLeads)
  const [last, ...others] = people.map((p) => p.id)
  work.push(invite(others))

  await untilMore(10)
  // The replacement process starts while the database is down.
  const [, answered] = await Promise.all([replace(0), crash('SIGQUIT')])
  expect(answered).toBeLessThanOrEqual(TWO_SECONDS_IN_RESPONSES)
  await untilMore(10)
  await replace(1)
  expect(await crash('SIGKILL')).toBeLessThanOrEqual(TWO_SECONDS_IN_RESPONSES)
  await untilMore(10)
  await replace(2)
  await untilMore(10)
  isOver = true
  await Promise.all(work)

  const found = await query<{ name: string; n: number }>(
    "SELECT company_name AS name, count(*)::int AS n FROM contact WHERE company_name LIKE 'Three %' GROUP BY 1",
  )
  const there = new Set(found.map((f) => f.name))
  expect(found.filter((f) => f.n > 1)).toEqual([])
  expect([...leads.kept].filter((name) => !there.has(name))).toEqual([])
  expect([...there].filter((name) => !leads.kept.has(name) && !leads.unknown.has(name))).toEqual([])

  // Another invitation causes pending events to be delivered together with it, before the regular check.
  expect((await portals[0]?.call('POST', `/api/portal/users/${last}/invite`, {}, token))?.status).toBe(204)
  // Jobs of killed processes are reassigned immediately, instead of after a minute.
  const waiting = () =>
    query(
      "SELECT 1 FROM outbox WHERE relayed_at IS NULL UNION ALL SELECT 1 FROM pgboss.job WHERE name = 'mail' AND state <> 'completed'",
    )
  while ((await waiting()).length) {
    await query(
      "UPDATE pgboss.job SET state = 'retry', retry_limit = retry_limit + 1 WHERE state = 'active' AND name = 'mail'",
    )
    await query("UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'")
    await sleep(500)
  }
  const sent = await query<{ id: number; n: number }>(
    'SELECT u.id::int, count(m.id)::int AS n FROM user_account u LEFT JOIN message m ON m.recipient = u.email GROUP BY u.id',
  )
  const lettersTo = new Map(sent.map((s) => [s.id, s.n]))
  expect([...letters.kept].map((id) => lettersTo.get(id))).toEqual([...letters.kept].map(() => 1))
  expect([...letters.unknown].filter((id) => (lettersTo.get(id) ?? 0) > 1)).toEqual([])

  for (const p of portals) p.child.kill('SIGTERM')
  expect(await Promise.all(portals.map((p) => p.ended))).toEqual([0, 0, 0])
})

const ROLES = 'ROLE_STAFF,ROLE_USER_ADMIN,ROLE_LEADS_ADMIN'
