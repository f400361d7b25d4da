import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { prepareServerProgram } from '../scripts/server.mjs'
import { programArguments } from '../scripts/shared.mjs'

export const PROJECT_ROOT = join(import.meta.dirname, '..')

/** A request with random values. The limit and the portal receive the same values. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly body?: unknown
}
export interface RandomValues {
  readonly id: number
  readonly owner: number
  readonly term: string
  readonly result: number
  readonly type: number
  readonly uid: number
  readonly when: Date
}

const TOMORROW = Math.ceil(Date.now() / 86_400_000) * 86_400_000

let seed = 1
const random = (n: number) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return Math.floor((seed / 4294967296) * n)
}
/** Draws random values. Every tenth contact belongs to the large tenant. */
export const draw = (): RandomValues => ({
  id: 10 * (1 + random(20_000)),
  owner: 1 + random(10),
  term: (0x1000 + random(0x1000)).toString(16).slice(1),
  result: 1 + random(40),
  type: 1 + random(30),
  uid: random(1e9),
  // The time is always in the future, whenever the benchmark runs.
  when: new Date(TOMORROW + random(86_400) * 60_000),
})

export type BenchOperation = 'list' | 'get' | 'search' | 'notes' | 'create' | 'update' | 'process'

/**
 * Requests to the hand-written server that sets the performance limit. It has no permissions, audit or validation, and
 * uses only prepared statements.
 */
const limit: Record<BenchOperation, (d: RandomValues) => BenchRequest> = {
  list: (d) => ({ method: 'GET', path: `/contacts?owner=${d.owner}` }),
  get: (d) => ({ method: 'GET', path: `/contacts/${d.id}` }),
  search: (d) => ({ method: 'GET', path: `/search?q=${d.term}` }),
  notes: (d) => ({ method: 'GET', path: `/contacts/${d.id}/notes` }),
  create: (d) => ({
    method: 'POST',
    path: '/contacts',
    body: {
      name: 'Ann Archer',
      company_name: `Bench ${d.uid} Ltd`,
      phone: `01${d.uid}`,
      email: `b${d.uid}@example.test`,
      owner: d.owner,
      business_type_id: d.type,
    },
  }),
  update: (d) => ({
    method: 'PATCH',
    path: `/contacts/${d.id}`,
    body: { last_result_id: d.result, callback_date: d.when.toISOString() },
  }),
  process: (d) => ({
    method: 'POST',
    path: `/contacts/${d.id}/process-cached`,
    body: {
      last_result_id: d.result,
      callback_date: d.when.toISOString(),
      text: `Spoke to them, call back ${d.uid}`,
      minutes: 3,
      owner: d.owner,
      after: d.when.toISOString(),
    },
  }),
}

/**
 * Requests to the hand-written twin, which makes the same writes as the portal on the same tables. Of the reads, its
 * server answers only the list.
 */
const twin: Record<BenchOperation, (d: RandomValues) => BenchRequest> = {
  ...limit,
  process: (d) => ({
    method: 'POST',
    path: `/contacts/${d.id}/outcomes`,
    body: {
      result: 31,
      date: d.when.toISOString(),
      text: `Spoke to them, call back ${d.uid}`,
      minutes: 3,
      owner: d.owner,
    },
  }),
}

const ours: Record<BenchOperation, (d: RandomValues) => BenchRequest> = {
  list: (d) => ({
    method: 'GET',
    path: `/api/crm/contacts?owner=/api/crm/staff/${d.owner}&retired=false&order[id]=desc`,
  }),
  get: (d) => ({ method: 'GET', path: `/api/crm/contacts/${d.id}` }),
  search: (d) => ({
    method: 'GET',
    path: `/api/crm/contacts?companyName=${d.term}&retired=false&order[id]=desc&partial=true`,
  }),
  notes: (d) => ({ method: 'GET', path: `/api/crm/contacts/${d.id}/actions` }),
  create: (d) => ({
    method: 'POST',
    path: '/api/crm/contacts',
    body: {
      name: 'Ann Archer',
      companyName: `Bench ${d.uid} Ltd`,
      phone: `01${d.uid}`,
      email: `b${d.uid}@example.test`,
      owner: `/api/crm/staff/${d.owner}`,
      businessType: `/api/crm/business_types/${d.type}`,
    },
  }),
  update: (d) => ({
    method: 'PUT',
    path: `/api/crm/contacts/${d.id}`,
    body: { lastResult: `/api/crm/last_results/${d.result}`, callbackDate: Math.floor(d.when.getTime() / 1000) },
  }),
  process: (d) => ({
    method: 'POST',
    path: `/api/crm/contacts/${d.id}/outcomes?owner=/api/crm/staff/${d.owner}&retired=false`,
    body: {
      result: '/api/crm/last_results/31',
      date: Math.floor(d.when.getTime() / 1000),
      notes: `Spoke to them, call back ${d.uid}`,
      minutes: 3,
    },
  }),
}

const SHOTS = { limit, twin, ours }

export interface BenchSystem {
  readonly name: keyof typeof SHOTS
  readonly base: string
  readonly database: string
  readonly process: ChildProcess
  readonly headers: Record<string, string>
  readonly shots: Record<BenchOperation, (d: RandomValues) => BenchRequest>
  /** Milliseconds from the start of the process to the first list of a signed-in user. */
  readonly cold: number
  stop(): Promise<void>
}

export const BENCH_USER = { username: 'bench', password: 'bench-pass-1234' }
export const buildDatabaseUrl = (url: string, database: string) => url.replace(/\/\w+$/, `/${database}`)

async function sql(url: string, ...texts: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const text of texts) await client.query(text)
  } finally {
    await client.end()
  }
}

const nodeIn = (tree: string) => join(tree, 'node_modules/.bin/node')
/** Returns a function that runs a command of a source tree's CLI on a database. */
export const createCli =
  (tree: string) =>
  (url: string, ...args: string[]) =>
    new Promise<void>((done, failed) => {
      const child = spawn(nodeIn(tree), ['src/app/cli.ts', ...args], {
        cwd: tree,
        env: { ...process.env, DATABASE_URL: url },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      child.on('exit', (code) => (code === 0 ? done() : failed(new Error(`${args[0]} ended with exit code ${code}`))))
    })

export const runCli = createCli(PROJECT_ROOT)

/** Creates `BENCH_USER` in a migrated database. */
export const createBenchUser = (url: string, run = runCli): Promise<void> =>
  run(
    url,
    'user',
    'create',
    '--username',
    BENCH_USER.username,
    '--roles',
    'ROLE_STAFF',
    '--password',
    BENCH_USER.password,
  )

/** Signs a user in to a client. Returns the headers for that user's requests. */
export async function signInToClient(
  base: string,
  who: typeof BENCH_USER,
  client: number,
): Promise<{ authorization: string }> {
  const answer = await fetch(`${base}/api/security/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...who, client }),
  })
  const { token } = (await answer.json()) as { token: string }
  return { authorization: `Bearer ${token}` }
}

const withNotes = (name: string, notes: number) =>
  readFileSync(join(import.meta.dirname, name), 'utf8').replace(
    'generate_series(1, 1000000)',
    `generate_series(1, ${notes})`,
  )

/**
 * Creates the portal's database with its rows and a user; `notes` sets the number of notes. Returns the database URL.
 */
export async function loadOurs(url: string, notes = 1_000_000): Promise<string> {
  await sql(url, 'CREATE DATABASE bench_ours')
  const ours = buildDatabaseUrl(url, 'bench_ours')
  await runCli(ours, 'migrate')
  await sql(ours, withNotes('data.sql', notes))
  await createBenchUser(ours)
  await sql(ours, 'VACUUM ANALYZE')
  return ours
}

/** Creates the databases of the limit and of the portal with the same rows. Returns their URLs. */
export async function load(url: string, notes = 1_000_000): Promise<{ limit: string; ours: string }> {
  await sql(url, 'CREATE DATABASE bench_limit')
  const limit = buildDatabaseUrl(url, 'bench_limit')
  await sql(limit, withNotes('limit.sql', notes), 'VACUUM ANALYZE')
  return { limit, ours: await loadOurs(url, notes) }
}

/** Copies the portal's database, which must have no open connections. Returns the URL of the copy. */
export async function copyPortalDatabase(url: string): Promise<string> {
  await sql(url, 'CREATE DATABASE bench_twin TEMPLATE bench_ours')
  const twin = buildDatabaseUrl(url, 'bench_twin')
  await sql(twin, 'VACUUM ANALYZE')
  return twin
}

/** Vacuums the database before each measurement. Otherwise, earlier writes would slow later reads. */
export const tidy = (s: BenchSystem) => sql(s.database, 'VACUUM', 'CHECKPOINT')

/** Milliseconds for which a portal must have no job before it is considered idle. */
const REST_MS = 3000

/** Waits until the portal has no job left. At its first start of a day, it runs the daily schedules of every client. */
export async function waitForSchedules({ database }: BenchSystem): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    for (let looks = 0; looks < 2; ) {
      await sleep(REST_MS)
      const { rows } = await client.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM pgboss.job WHERE state = 'active' OR state IN ('created', 'retry') AND start_after <= now()",
      )
      looks = rows[0]?.n ? 0 : looks + 1
    }
  } finally {
    await client.end()
  }
}

interface Start {
  readonly port: number
  readonly args: readonly string[]
  /** Whether the system accepts process messages. */
  readonly told?: true
  /** Root of the other source tree, if its server is to be started. */
  readonly tree?: string
}

/** Default port and arguments of each system. */
const STARTS = {
  limit: { port: 4701, args: [...programArguments.slice(0, -1), 'bench/limit-server.mjs'] },
  twin: { port: 4702, args: [...programArguments.slice(0, -1), 'bench/twin-server.mjs'] },
  ours: { port: 4704, args: [...(await prepareServerProgram()), 'start'] },
} as const satisfies Record<BenchSystem['name'], Start>

/** Milliseconds to wait until a system stops; longer than the system's own shutdown limit. */
const END_MS = 30_000

/** Starts a system, signs in to it and waits until it has answered a list. */
export async function start(
  name: BenchSystem['name'],
  database: string,
  { port, args, told, tree = PROJECT_ROOT }: Start = STARTS[name],
): Promise<BenchSystem> {
  const base = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(nodeIn(tree), args, {
    cwd: tree,
    env: {
      ...process.env,
      DATABASE_URL: database,
      PORT: String(port),
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
      SECOND_FACTOR: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit', ...(told ? (['ipc'] as const) : [])],
  })
  // Stops the server if the run is interrupted.
  const endIt = () => void child.kill()
  process.once('exit', endIt)
  child.once('exit', () => process.off('exit', endIt))
  const way =
    name === 'ours' ? { path: '/api/security/login', body: BENCH_USER } : { path: '/login', body: { user: 3 } }
  const shots = SHOTS[name]
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} did not start`)
    const headers = await fetch(base + way.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(way.body),
    }).then(
      // Requests minimal responses, as the portal's own pages do: lists without the parts that never change.
      async (r) => ({
        authorization: `Bearer ${((await r.json()) as { token: string }).token}`,
        prefer: 'return=minimal',
      }),
      () => undefined,
    )
    const listed = headers && (await fetch(base + shots.list(draw()).path, { headers }).catch(() => undefined))
    if (headers && listed?.status === 200) {
      const cold = performance.now() - began
      const stop = () =>
        new Promise<void>((done, failed) => {
          if (child.exitCode !== null) return done()
          // An earlier error is reported only after the system has stopped. Without this limit, it might never be
          // reported.
          const late = setTimeout(() => {
            child.kill('SIGKILL')
            failed(new Error(`${name} did not stop when requested`))
          }, END_MS)
          child.on('exit', () => {
            clearTimeout(late)
            done()
          })
          child.kill('SIGTERM')
        })
      return { name, base, database, process: child, headers, shots, cold, stop }
    }
    await sleep(5)
  }
}
