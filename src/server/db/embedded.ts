import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import pg from 'pg'
import {
  changeOwner,
  createPortAccess,
  createSocketAccess,
  findPostgresBinaries,
  type PostgresAccess,
} from './embedded/binaries.ts'
import { type DatabaseCluster, initialiseCluster, startPostgres, stopOrphanedPostgres } from './embedded/cluster.ts'
import { lockDatabase } from './embedded/data-folder.ts'

/**
 * Name of the portal's database, and of the login that owns it and creates its roles. The login is not a superuser,
 * because row-level security does not apply to superusers.
 */
const PORTAL = 'stanchion'
/**
 * Server settings. Log messages can contain user input, so only messages that explain why the server ended are logged.
 */
const SETTINGS = ['log_min_messages=fatal', 'log_min_error_statement=panic', 'io_method=sync']

/** PostgreSQL running as a child of this process, on a data folder. */
export interface EmbeddedPostgres {
  readonly url: string
  /** URL for the superuser, to whom row-level security does not apply. */
  readonly superuser: string
  /** Resolves to the server's last log messages when the server ends. */
  readonly ended: Promise<string>
  readonly stop: () => Promise<void>
}

const accessTo = (dir: string, { account }: DatabaseCluster): PostgresAccess | Promise<PostgresAccess> =>
  process.platform === 'win32' ? createPortAccess(dir, account) : createSocketAccess(account)
const hasDatabase = ({ folder }: DatabaseCluster) => existsSync(join(folder, 'PG_VERSION'))
const say = (sentence: string) => void process.stderr.write(`${sentence}\n`)

/** Opens the cluster in a data folder and locks the folder; `unlock` releases the lock. */
async function openCluster(dir: string): Promise<{ cluster: DatabaseCluster; unlock: () => void }> {
  const { folder, account, unlock } = lockDatabase(dir, say)
  try {
    const cluster = { folder, account, binaries: findPostgresBinaries(account, dir, say) }
    const sockets = await stopOrphanedPostgres(cluster)
    if (sockets && basename(sockets).startsWith('stanchion-socket-')) rmSync(sockets, { recursive: true, force: true })
    return { cluster, unlock }
  } catch (e) {
    unlock()
    throw e
  }
}

/** Starts PostgreSQL on a data folder, which is initialised if it is empty. The server ends with this process. */
export async function startEmbeddedPostgres(dir: string): Promise<EmbeddedPostgres> {
  const { cluster, unlock } = await openCluster(dir)
  const access = await accessTo(dir, cluster)
  const release = () => {
    access.close()
    unlock()
  }
  try {
    if (!hasDatabase(cluster)) initialiseCluster(cluster, access.options)
    const server = await startPostgres(cluster, [...SETTINGS, ...access.settings])
    const stop = () => server.stop().finally(release)
    const superuser = access.url('postgres', 'postgres')
    await makeDatabase(superuser, access).catch(async (e: unknown) => {
      await stop()
      throw e
    })
    return { url: access.url(PORTAL, PORTAL), superuser: access.url('postgres', PORTAL), ended: server.ended, stop }
  } catch (e) {
    release()
    throw e
  }
}

/** Creates the portal's login and database if they are missing. */
async function makeDatabase(superuser: string, { password }: PostgresAccess): Promise<void> {
  const client = new pg.Client({ connectionString: superuser })
  await client.connect()
  try {
    const isThere = async (catalogue: string, name: string) =>
      (await client.query(`SELECT FROM ${catalogue} WHERE ${name} = $1`, [PORTAL])).rowCount === 1
    if (await isThere('pg_database', 'datname')) return
    if (!(await isThere('pg_roles', 'rolname')))
      await client.query(
        `CREATE ROLE ${PORTAL} LOGIN CREATEROLE${password ? ` PASSWORD ${client.escapeLiteral(password)}` : ''}`,
      )
    await client.query(`CREATE DATABASE ${PORTAL} OWNER ${PORTAL}`)
  } finally {
    await client.end()
  }
}

function tar(args: readonly string[]): void {
  const { status, stderr, error } = spawnSync('tar', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The tar command failed: ${error?.message ?? stderr.trim()}`)
}

/** Writes the database in a data folder to a `.tar.gz` file. No process may have the folder open. */
export async function archiveDatabase(dir: string, file: string): Promise<void> {
  const { cluster, unlock } = await openCluster(dir)
  try {
    if (!hasDatabase(cluster)) throw new Error(`${dir} contains no database.`)
    tar(['-czf', file, '--exclude=./postmaster.*', '-C', cluster.folder, '.'])
  } finally {
    unlock()
  }
}

/**
 * Restores a database from a `.tar.gz` file written by `archiveDatabase` into an empty data folder, atomically. Throws
 * if the folder already contains a database, or if PostgreSQL can't open the restored one.
 */
export async function restoreDatabaseArchive(dir: string, file: string): Promise<void> {
  const { cluster, unlock } = await openCluster(dir)
  const access = await accessTo(dir, cluster)
  const part = { ...cluster, folder: `${cluster.folder}.part` }
  try {
    if (hasDatabase(cluster))
      throw new Error(
        `${dir} already contains a database. Set DATA_DIR to an empty folder, or move the existing database to another folder.`,
      )
    rmSync(part.folder, { recursive: true, force: true })
    mkdirSync(part.folder, { mode: 0o700 })
    tar(['-xzf', file, '-C', part.folder])
    changeOwner(cluster.account, part.folder)
    const server = await startPostgres(part, [...SETTINGS, ...access.settings]).catch((e: Error) => {
      throw new Error(`${file} is not a backup that this version can open. ${e.message}`)
    })
    await server.stop()
    renameSync(part.folder, cluster.folder)
  } finally {
    rmSync(part.folder, { recursive: true, force: true })
    access.close()
    unlock()
  }
}
