import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { startTemporaryPostgres } from '../../scripts/postgres.mjs'
import { createScaleDatabase, SCALE_BENCH_USER } from '../scale/data.ts'
import { BENCH_USER, type BenchSystem, signInToClient, start } from '../systems.ts'

/** PostgreSQL settings as in production. */
export const CALL_CENTRE_POSTGRES_SETTINGS = [
  'shared_buffers=1GB',
  'work_mem=32MB',
  'maintenance_work_mem=512MB',
  'max_connections=100',
  'random_page_cost=1.1',
  'max_wal_size=4GB',
]
export const CALL_CENTRE_CLIENT_ID = 11

/** A signed-in user and the headers of that user's requests. */
export interface SignedInBenchUser {
  readonly userId: number
  readonly headers: Record<string, string>
}

interface BenchCaller extends SignedInBenchUser {
  readonly username: string
}

/** Callers of one client, the portal's server, and a separate pool of connections to its database. */
export interface CallCentreBench {
  readonly system: BenchSystem
  readonly callers: readonly BenchCaller[]
  /** Pool of the database owner, with the same number of connections as the server's pool. */
  readonly beside: pg.Pool
}

/** Default size of the server's pool. */
const POOL = 10

interface CallCentreSize {
  readonly leads: number
  readonly people?: number
  /** Settings of PostgreSQL; by default, those as in production. */
  readonly settings?: string[]
}

/**
 * Starts a temporary PostgreSQL server with the given numbers of leads and callers, and the portal's server. Runs
 * `work`, then stops both.
 */
export async function withCallCentreBench(
  { leads, people = 1, settings = CALL_CENTRE_POSTGRES_SETTINGS }: CallCentreSize,
  work: (floor: CallCentreBench) => Promise<void>,
): Promise<void> {
  const postgres = await startTemporaryPostgres(settings)
  try {
    const database = await createScaleDatabase(postgres.url, [{ client: CALL_CENTRE_CLIENT_ID, rows: leads }])
    const beside = new pg.Pool({ connectionString: database, max: POOL })
    // Connections may still be open when the database stops. Their errors are ignored.
    beside.on('connect', (client) => client.on('error', () => {}))
    beside.on('error', () => {})
    const { rows } = await beside.query<{ id: string; username: string }>(PEOPLE, [
      CALL_CENTRE_CLIENT_ID,
      people,
      SCALE_BENCH_USER.username,
    ])
    const system = await start('ours', database)
    const callers: BenchCaller[] = []
    for (const { id, username } of rows)
      callers.push({
        userId: Number(id),
        username,
        headers: {
          ...(await signInToClient(system.base, { ...BENCH_USER, username }, CALL_CENTRE_CLIENT_ID)),
          prefer: 'return=minimal',
        },
      })
    try {
      await work({ system, callers, beside })
    } finally {
      await system.stop()
    }
  } finally {
    await postgres.stop()
  }
}

/** Creates the callers, who share the password of the existing user. */
const PEOPLE = `WITH made AS (
    INSERT INTO user_account (client_id, username, name, roles)
    SELECT $1, 'caller' || i, 'Caller ' || i, '{ROLE_STAFF,ROLE_LEADS_ADMIN}' FROM generate_series(1, $2::int) i RETURNING id, username),
  known AS (
    INSERT INTO credential (client_id, user_id, hash)
    SELECT $1, m.id, c.hash FROM made m, credential c JOIN user_account u ON u.client_id = c.client_id AND u.id = c.user_id
    WHERE u.client_id = $1 AND u.username = $3)
  SELECT id, username FROM made ORDER BY id`

/** Connections are reused, as in browsers. `fetch` would take as much processor time as the measured request itself. */
const agent = new Agent({ keepAlive: true })

export async function fetchAsBenchUser<T>(
  base: string,
  caller: SignedInBenchUser,
  path: string,
  body?: object,
): Promise<T> {
  const json = body && JSON.stringify(body)
  const headers = { ...caller.headers, ...(json ? { 'content-type': 'application/json' } : {}) }
  const asked = request(base + path, { agent, headers, method: json ? 'POST' : 'GET' }).end(json)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const answered = await text(answer)
  if (!answer.statusCode || answer.statusCode >= 300)
    throw new Error(`${path}: ${answer.statusCode} ${answered.slice(0, 200)}`)
  return JSON.parse(answered) as T
}

export const measureDurationMs = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Returns a quantile of the values; for example, `part` is 0.5 for the median. */
export const valueAtQuantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? Number.NaN

export const isQuickRun = process.argv.includes('--quick')
