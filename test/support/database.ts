import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { createPortalEngine } from '#app/engine.ts'
import { modules } from '#app/modules.ts'
import { readConfig } from '#server/config.ts'
import type { Db } from '#server/db/db.ts'
import { isProcessAlive } from '#server/db/embedded/data-folder.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { connectToDbServer } from '#server/db/server.ts'
import { allowMovingClock } from '#server/engine/clock.ts'
import { loadReferenceData } from '#server/seed/reference.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Source files that load the reference data and move its templates through their lifecycle. */
const LOADS =
  /[/](world[/](reference|fill)|reference[.]server|templates[.]server|documents[/](life|chain|evidence|kinds)[/][^/]+[.]server)[.]ts$/

/**
 * Returns a hash of the migrations, the reference data and the code that loads it. The hash includes the name and
 * edition of the reference data, which cover its declarations.
 */
function edition(): string {
  const sum = createHash('sha1')
  for (const { name, edition } of modules.flatMap((module) => module.referenceData ?? []))
    sum.update(`${name} ${edition};`)
  const add = (path: string) => sum.update(path).update(readFileSync(join(ROOT, path)))
  for (const folder of ['db/migrations', 'db/reference'])
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (/[.]\w+$/.test(name)) add(`${folder}/${name}`)
  for (const file of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).sort())
    if (LOADS.test(file)) add(`src/${file}`)
  add('test/support/database.ts')
  return sum.digest('hex').slice(0, 12)
}

/**
 * Role that the README requires. It owns its databases and creates roles, but is not a superuser, because a superuser
 * would bypass row-level security.
 */
const OWNER = 'stanchion_test_owner'
/** Number of templates that a server retains, newest first. */
const TEMPLATES_KEPT = 3

async function makeOwner(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ rolname: string }>('SELECT rolname FROM pg_roles')
  const has = (name: string) => rows.some((role) => role.rolname === name)
  if (!has(OWNER))
    await admin.query(
      `CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD ${admin.escapeLiteral(decodeURIComponent(server().password))}`,
    )
  // Tests forge rows in ways that no role of the portal could.
  await admin.query(`GRANT SET ON PARAMETER session_replication_role TO ${OWNER}`)
  for (const role of ['stanchion_reader', 'stanchion_tenant', 'stanchion_system'])
    if (has(role)) await admin.query(`GRANT ${role} TO ${OWNER}`)
}

let made = 0

/** Creates a database for this worker only. Returns its URL. */
async function makeDatabase(mark: string, template: string): Promise<string> {
  const name = `stanchion_test_${process.ppid}_${process.pid}${mark}_${++made}`
  await asAdmin((admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${OWNER}`))
  return addressOf(name)
}

const dropDatabase = (url: string) =>
  asAdmin((admin) => admin.query(`DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`))

/** Drops the databases of earlier runs that have ended. */
async function dropAbandonedDatabases(admin: pg.Client): Promise<void> {
  for (const name of await namesLike(admin, 'stanchion\\_test\\_%'))
    if (!isProcessAlive(Number(name.split('_')[2]))) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
}

/** Makes the role and the template of databases, once per worker. Returns the template's name. */
let prepared: Promise<string> | undefined
const prepareTemplate = () => {
  prepared ??= asAdmin(async (admin) => {
    await admin.query('SELECT pg_advisory_lock(7261837)')
    await makeOwner(admin)
    await dropAbandonedDatabases(admin)
    return seededTemplate(admin)
  })
  return prepared
}

const server = () => new URL(String(process.env.TEST_DATABASE_URL))
const addressOf = (name: string): string => Object.assign(server(), { pathname: `/${name}`, username: OWNER }).href

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: server().href })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

/** Returns the names of the server's databases that match a pattern, oldest first. */
const namesLike = async (admin: pg.Client, pattern: string): Promise<string[]> =>
  (
    await admin.query<{ name: string }>('SELECT datname AS name FROM pg_database WHERE datname LIKE $1 ORDER BY oid', [
      pattern,
    ])
  ).rows.map(({ name }) => name)

/**
 * Returns the name of the template with the reference data. Creates the template if the server has none of this
 * version.
 */
async function seededTemplate(admin: pg.Client): Promise<string> {
  const template = `stanchion_template_${edition()}`
  const kept = await namesLike(admin, 'stanchion\\_template\\_%')
  if (kept.includes(template)) return template
  for (const name of kept.slice(0, 1 - TEMPLATES_KEPT)) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await admin.query(`DROP DATABASE IF EXISTS ${template}_new WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${template}_new OWNER ${OWNER}`)
  const first = connectToDbServer(addressOf(`${template}_new`), 1, { session: false })
  await first.tx('owner', migrateDatabase)
  await first.close()
  const second = connectToDbServer(addressOf(`${template}_new`), 1)
  await loadReferenceData(createPortalEngine(second, readConfig({ DATA_DIR: '/nonexistent' })))
  await second.tx('system', allowMovingClock)
  await second.close()
  await admin.query(`ALTER DATABASE ${template}_new RENAME TO ${template}`)
  return template
}

/** Milliseconds by which this process's clock is ahead of real time (`days-ahead.ts`). */
const AHEAD = Number(process.env.DAYS_AHEAD ?? 0) * 86_400_000

/** Makes SQL use the same time as the process. */
function ahead(db: Db): Db {
  const { time } = db
  time.ahead = AHEAD
  const believed = {
    get ahead() {
      return time.ahead - AHEAD
    },
    set ahead(ms) {
      time.ahead = ms + AHEAD
    },
  }
  return { ...db, time: believed }
}

/** Creates a database for one worker that contains only the reference data. */
export async function createDatabase(): Promise<Db> {
  const url = await makeDatabase('', await prepareTemplate())
  const db = droppedWhenClosed(connectToDbServer(url, 5), url)
  return AHEAD ? ahead(db) : db
}

/**
 * Arranges for a database to be dropped after it is closed. Nothing waits for that, because PostgreSQL first writes all
 * changed pages of all databases.
 */
function droppedWhenClosed(db: Db, url: string): Db {
  const close = async () => {
    await db.close()
    // The next run drops any that remain if the worker ends first.
    dropDatabase(url).catch(() => {})
  }
  return { ...db, close }
}

/** Creates an empty database, which is dropped when its connection is closed. */
export async function createEmptyDatabase(): Promise<Db> {
  await prepareTemplate()
  const url = await makeDatabase('_empty', 'template0')
  return droppedWhenClosed(connectToDbServer(url, 1, { session: false }), url)
}
