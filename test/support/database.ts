import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { makeEngine } from '#app/engine.ts'
import { modules } from '#app/modules.ts'
import { readConfig } from '#server/config.ts'
import type { Db } from '#server/db/db.ts'
import { openEmbedded, startSession } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openServer } from '#server/db/server.ts'
import { allowMoving } from '#server/engine/clock.ts'
import { codeOf } from '#server/error-code.ts'
import { loadReferences } from '#server/seed/reference.ts'

const ROOT = join(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache/stanchion')

/** The files that load the reference data, and lead the templates through their life. */
const LOADS =
  /[/](world[/](reference|fill)|reference[.]server|templates[.]server|documents[/](life|chain|evidence|kinds)[/][^/]+[.]server)[.]ts$/

/** One name for one state of the migrations, the reference data and what loads them. What is declared is in its reference's name. */
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
 * An empty, seeded database for one worker: PGlite in memory from a dump made once, or, with `TEST_DATABASE_URL`, a
 * database of its own on that server, copied from a template made once.
 */
export function freshDatabase(): Promise<Db> {
  const url = process.env.TEST_DATABASE_URL
  return url ? onServer(url) : embedded()
}

async function embedded(): Promise<Db> {
  const file = join(CACHE, `template-${edition()}.tar`)
  if (!existsSync(file)) {
    const made = await openEmbedded('memory')
    await made.tx('owner', migrate)
    await startSession(made.pglite)
    await loadReferences(makeEngine(made, readConfig({ DATA_DIR: '/nonexistent' })))
    await made.tx('system', allowMoving)
    const dump = await made.pglite.dumpDataDir('none')
    await made.close()
    // Workers may start together: each writes its own file, and the last name wins.
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(`${file}.${process.pid}`, new Uint8Array(await dump.arrayBuffer()))
    renameSync(`${file}.${process.pid}`, file)
  }
  const db = await openEmbedded({ dump: new Blob([readFileSync(file)]) })
  await startSession(db.pglite)
  return db
}

/** The login that the README asks for: it owns its databases and makes roles, and is no superuser, which no wall would hold. */
const OWNER = 'stanchion_test_owner'

async function makeOwner(admin: pg.Client, password: string): Promise<void> {
  const roles = (
    await admin.query<{ rolname: string }>("SELECT rolname FROM pg_roles WHERE rolname LIKE 'stanchion\\_%'")
  ).rows
  const has = (name: string) => roles.some((role) => role.rolname === name)
  if (!has(OWNER))
    await admin.query(
      `CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD ${admin.escapeLiteral(decodeURIComponent(password))}`,
    )
  // Tests forge what no login of the portal could.
  await admin.query(`GRANT SET ON PARAMETER session_replication_role TO ${OWNER}`)
  for (const role of ['stanchion_reader', 'stanchion_tenant', 'stanchion_system'])
    if (has(role)) await admin.query(`GRANT ${role} TO ${OWNER}`)
}

async function onServer(url: string): Promise<Db> {
  const named = (name: string) => Object.assign(new URL(url), { pathname: `/${name}`, username: OWNER }).href
  const template = `stanchion_template_${edition()}`
  const mine = `stanchion_test_${process.ppid}_${process.env.VITEST_POOL_ID ?? process.pid}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    await admin.query('SELECT pg_advisory_lock(7261837)')
    await makeOwner(admin, new URL(url).password)
    const has = async (name: string) =>
      (await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])).rowCount === 1
    if (!(await has(template))) {
      await admin.query(`DROP DATABASE IF EXISTS ${template}_new WITH (FORCE)`)
      await admin.query(`CREATE DATABASE ${template}_new OWNER ${OWNER}`)
      const first = openServer(named(`${template}_new`), 1, { session: false })
      await first.tx('owner', migrate)
      await first.close()
      const second = openServer(named(`${template}_new`), 1)
      await loadReferences(makeEngine(second, readConfig({ DATA_DIR: '/nonexistent' })))
      await second.tx('system', allowMoving)
      await second.close()
      await admin.query(`ALTER DATABASE ${template}_new RENAME TO ${template}`)
    }
    for (const { datname } of (
      await admin.query<{ datname: string }>(
        `SELECT datname FROM pg_database WHERE datname LIKE 'stanchion\\_test\\_%'`,
      )
    ).rows)
      if (datname === mine || !alive(Number(datname.split('_')[2])))
        await admin.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${mine} TEMPLATE ${template} OWNER ${OWNER}`)
  } finally {
    await admin.end()
  }
  return openServer(named(mine), 5)
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (e) {
    return codeOf(e) === 'EPERM'
  }
}
