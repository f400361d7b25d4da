import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { buildModuleList } from '#app/modules.ts'
import { createPortal, type RunningPortal } from '#app/server.ts'
import { setPassword } from '#server/auth/credentials.ts'
import { readConfig } from '#server/config.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { createEngine } from '#server/engine/engine.ts'
import type { Module } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import { createHttpApp } from '#server/http/app.ts'
import { registerHydraRoutes } from '#server/hydra/documentation.ts'
import { runSchedule } from '#server/jobs/schedules.ts'
import { QueueWorkers } from '#server/jobs/workers.ts'
import { createDatabase } from './database.ts'
import { expectFewStatements, watchStatementCounts } from './statements.ts'
import { expectDocumentedStatuses, watchResponseStatuses } from './statuses.ts'

/** HTTP response. `body` is the parsed JSON, or `undefined` if there is none. */
export interface TestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
  readonly text: string
  /** Unmodified bytes of a file or of a compressed response. */
  readonly raw?: Buffer
}

type Headers = Record<string, string>
type Body = string | Record<string, unknown> | readonly unknown[]

/** Sends requests with a user's token, or without one. Bodies are sent as JSON; strings are sent unmodified. */
export interface TestApi {
  send(method: string, url: string, options?: { headers?: Headers; body?: Body | Buffer }): Promise<TestResponse>
  get(url: string, headers?: Headers): Promise<TestResponse>
  head(url: string, headers?: Headers): Promise<TestResponse>
  post(url: string, body?: Body, headers?: Headers): Promise<TestResponse>
  put(url: string, body: Body, headers?: Headers): Promise<TestResponse>
  /** Sends the body as `application/merge-patch+json`. */
  patch(url: string, body: Body, headers?: Headers): Promise<TestResponse>
  delete(url: string, headers?: Headers): Promise<TestResponse>
}

export interface TestUser {
  readonly id: number
  readonly clientId: number
  readonly username: string
  readonly password: string | undefined
  /** IRI such as `/api/portal/users/12`. */
  readonly iri: string
}

/** A tenant that belongs to one test. */
export interface TestClient {
  readonly id: number
  /** IRI such as `/api/portal/clients/12`. */
  readonly iri: string
  user(person?: {
    roles?: readonly string[]
    username?: string
    name?: string
    email?: string
    /** Password. A user without a password cannot sign in, but `as` works without one. */
    password?: string
  }): Promise<TestUser>
  as(user: TestUser): TestApi
}

export interface TestPortal extends RunningPortal {
  /** Creates a client that no other test uses. */
  client(about?: {
    company?: string
    isReseller?: boolean
    resellerId?: number
    packs?: readonly string[]
  }): Promise<TestClient>
  /** Client 0. All tests of the worker share its staff, so give new staff unique usernames. */
  readonly provider: TestClient
  readonly anonymous: TestApi
  /** Sends requests with a token from another source, or with an invalid one. */
  bearing(token: string): TestApi
  /** Opens a portal on the same database with other settings (`PUBLIC_URL`, `TRUST_PROXY` …) and additional modules. */
  with(settings: Record<string, string>, extra?: readonly Module[]): Promise<TestPortal>
  /** Runs all queued jobs, one by one or this many concurrently. */
  drain(atOnce?: number): Promise<void>
  /** Runs a schedule as if it were due. */
  runSchedule(name: string): Promise<void>
  /** Listens on a real port, for clients that send their own HTTP requests. Returns the origin. */
  listen(): Promise<string>
}

/**
 * Folder for the files of this process's portals, mostly PDFs of sealed documents. It is deleted when the process ends.
 */
// The name is unique, because a killed process leaves its folder behind and its process ID may be reused.
let dataDir = newFolder()

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-portal-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** All portals of a worker share these keys, because they share the database. */
const SECRET_KEY = randomBytes(32).toString('base64')
const EVIDENCE_KEY = randomBytes(32).toString('base64')

let opened: Promise<TestPortal> | undefined

/**
 * Returns the portal of this test worker, with a separate database. Each test creates a new client in the database and
 * cleans nothing up.
 */
export function testPortal(): Promise<TestPortal> {
  opened ??= createDatabase().then((db) => openPortalOnDatabase(db, {}))
  return opened
}

/** Closes the database of this worker, for a test file that needs a separate one. */
export async function closeTestDatabase(): Promise<void> {
  const before = await opened
  opened = undefined
  // Files belong to a database, so the next database gets a new folder.
  if (before) dataDir = newFolder()
  await before?.db.close()
}

/**
 * Number of a worker's test files per database. Records of earlier files slow down every schedule and list; a new
 * database takes 0.2 s.
 */
const FILES_PER_DATABASE = 8

let files = 0

/** Day recorded as done for the clients of earlier test files, so that no schedule runs for them again. */
const SCHEDULES_DONE_UNTIL = '2999-01-01'

/**
 * Prepares for another test file: opens a new database, or removes the jobs, events and counted attempts that earlier
 * test files left behind and excludes their clients from schedules.
 */
export async function startTestFile(): Promise<void> {
  files += 1
  const before = await opened
  if (!before) return
  if (files % FILES_PER_DATABASE === 0) return closeTestDatabase()
  const { db, engine } = before
  const schedules = [...registryOf(engine).schedules.values()].flatMap((s) => (s.perClient ? s.name : []))
  await db.tx('system', async (tx) => {
    await tx.rows('UPDATE outbox SET relayed_at = portal_now() WHERE relayed_at IS NULL')
    await tx.rows('DELETE FROM attempt')
    await tx.rows(
      `INSERT INTO schedule_client (client_id, name, day) SELECT c.id, s.name, $1 FROM client c, unnest($2::text[]) s (name) WHERE c.id > 0
       ON CONFLICT (client_id, name) DO UPDATE SET day = EXCLUDED.day`,
      [SCHEDULES_DONE_UNTIL, schedules],
    )
  })
  const { rows } = await db.jobs.executeSql("SELECT to_regclass('pgboss.job') IS NOT NULL AS has_jobs")
  if ((rows[0] as { has_jobs?: boolean } | undefined)?.has_jobs)
    await db.jobs.executeSql("DELETE FROM pgboss.job WHERE state IN ('created', 'retry')")
}

/** Wraps the set-up of a test file on the worker's portal, to execute the set-up only once per database. */
export function oncePerDatabase<T>(make: (portal: TestPortal) => Promise<T>): () => Promise<T> {
  let made: { readonly of: TestPortal; readonly it: Promise<T> } | undefined
  return async () => {
    const portal = await testPortal()
    if (made?.of !== portal) made = { of: portal, it: make(portal) }
    return made.it
  }
}

/** Gives a client exactly these packs, some of which have lapsed. */
export async function grantPacks(
  tx: Pick<Tx, 'rows'>,
  clientId: number,
  active: readonly string[],
  lapsed: readonly string[] = [],
): Promise<void> {
  await tx.rows('DELETE FROM app_status WHERE client_id = $1', [clientId])
  await tx.rows(
    `INSERT INTO app_status (client_id, product_id, has_lapsed)
     SELECT $1, id, code = ANY ($3::text[]) FROM pack_product WHERE code = ANY ($2::text[] || $3::text[])`,
    [clientId, [...active], [...lapsed]],
  )
}

/**
 * Gives a client the invoicing pack and card payments. Sales tests that do not concern the provider use a separate
 * client.
 */
async function keepBooks(tx: Pick<Tx, 'rows'>, clientId: number): Promise<void> {
  await tx.rows(
    "INSERT INTO app_status (client_id, product_id) SELECT $1, id FROM pack_product WHERE code = 'invoicing'",
    [clientId],
  )
  await tx.rows('INSERT INTO payment_settings (client_id, takes_cards) VALUES ($1, true)', [clientId])
}

let count = 0

const unpack = (bytes: Buffer, packing: unknown): Buffer =>
  packing === 'br' ? brotliDecompressSync(bytes) : packing === 'gzip' ? gunzipSync(bytes) : bytes

/** Creates the portal's engine and server without its web front end, with additional test modules. */
async function withModules(
  db: Db,
  config: ReturnType<typeof readConfig>,
  extra: readonly Module[],
): Promise<RunningPortal> {
  const engine = createEngine(db, config, buildModuleList(extra))
  const { sessions } = engine
  const app = await createHttpApp(engine, (token) => sessions.authenticate(token), false)
  registerHydraRoutes(app, engine)
  app.setNotFoundHandler(app.answerOthers)
  return { db, engine, sessions, app }
}

export async function openPortalOnDatabase(
  db: Db,
  settings: Record<string, string>,
  extra: readonly Module[] = [],
): Promise<TestPortal> {
  const config = readConfig({
    DATABASE_URL: db.origin.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    PROVIDER_NAME: 'Test',
    SECOND_FACTOR: 'off',
    SECRET_KEY,
    EVIDENCE_KEY,
    ...settings,
  })
  const portal = extra.length ? await withModules(db, config, extra) : await createPortal(db, config)
  const { engine, sessions, app } = portal
  watchResponseStatuses(app, engine)
  watchStatementCounts(app)
  const workers = new QueueWorkers(engine, { error: () => {} })
  const tokens = new Map<number, Promise<string>>()
  const tokenOf = (u: TestUser) => {
    const token =
      tokens.get(u.id) ??
      sessions
        .open({ clientId: u.clientId, userId: u.id }, { address: '127.0.0.1', agent: 'test', browser: false })
        .then((o) => o.token)
    tokens.set(u.id, token)
    return token
  }
  const api = (token?: () => Promise<string>): TestApi => {
    const send: TestApi['send'] = async (method, url, { headers = {}, body } = {}) => {
      const raw = typeof body === 'string' || Buffer.isBuffer(body)
      const answer = await app.inject({
        method: method as 'GET',
        url,
        headers: { ...(token ? { authorization: `Bearer ${await token()}` } : {}), ...headers },
        ...(body === undefined ? {} : { payload: raw ? body : JSON.stringify(body) }),
      })
      expectDocumentedStatuses()
      expectFewStatements()
      const text = unpack(answer.rawPayload, answer.headers['content-encoding']).toString()
      return {
        status: answer.statusCode,
        headers: answer.headers as Headers,
        text,
        raw: answer.rawPayload,
        body: /json/.test(String(answer.headers['content-type'])) && text ? JSON.parse(text) : undefined,
      }
    }
    const typed =
      (method: string, type: string) =>
      (url: string, body?: Body, headers: Headers = {}) =>
        send(method, url, body === undefined ? { headers } : { headers: { 'content-type': type, ...headers }, body })
    return {
      send,
      get: (url, headers = {}) => send('GET', url, { headers }),
      head: (url, headers = {}) => send('HEAD', url, { headers }),
      delete: (url, headers = {}) => send('DELETE', url, { headers }),
      post: typed('POST', 'application/json'),
      put: typed('PUT', 'application/json'),
      patch: typed('PATCH', 'application/merge-patch+json'),
    }
  }
  const tenant = (id: number): TestClient => ({
    id,
    iri: `/api/portal/clients/${id}`,
    as: (user) => api(() => tokenOf(user)),
    user: ({ roles = [], username = `user.${id}.${++count}`, name = username, email = '', password } = {}) =>
      db.tx('system', async (tx) => {
        const [row] = await tx.rows<{ id: number }>(
          'INSERT INTO user_account (client_id, username, name, email, roles) VALUES ($1, $2, $3, $4, $5) RETURNING id',
          [id, username, name, email, [...roles]],
        )
        const userId = (row as { id: number }).id
        if (password !== undefined) await setPassword(tx, { clientId: id, userId }, password, [username])
        return { id: userId, clientId: id, username, password, iri: `/api/portal/users/${userId}` }
      }),
  })
  let listening: Promise<string> | undefined
  return {
    ...portal,
    client: ({ company = `Client ${++count} Ltd`, isReseller = false, resellerId, packs } = {}) =>
      db.tx('system', async (tx) => {
        const [row] = await tx.rows<{ id: number }>(
          'INSERT INTO client (company, is_reseller, reseller_id) VALUES ($1, $2, $3) RETURNING id',
          [company, isReseller, resellerId ?? null],
        )
        const { id } = row as { id: number }
        if (packs) await grantPacks(tx, id, packs)
        else await keepBooks(tx, id)
        return tenant(id)
      }),
    provider: tenant(0),
    anonymous: api(),
    bearing: (token) => api(async () => token),
    drain: (atOnce) => workers.drain(atOnce),
    runSchedule: async (name) => {
      const found = registryOf(engine).schedules.get(name)
      if (!found) throw new Error(`No schedule is called "${name}"`)
      await runSchedule(engine, found)
    },
    with: (more, modules = []) => openPortalOnDatabase(db, { ...settings, ...more }, modules),
    listen: () => {
      listening ??= app
        .listen({ port: 0, host: '127.0.0.1' })
        .then(() => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
      return listening
    },
  }
}
