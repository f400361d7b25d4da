// Starts a real PostgreSQL for tests and benchmarks: the embedded one or, with TEST_POSTGRES=system or PG_BIN, one
// installed on this machine. Run as a script, it continues until Ctrl-C.
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { canAccess, findPostgresBinaries, findServerAccount } from '../src/server/db/embedded/binaries.ts'
import { initialiseCluster, startPostgres, stopOrphanedPostgres } from '../src/server/db/embedded/cluster.ts'
import { lockFolder } from '../src/server/db/embedded/data-folder.ts'
import { findFreePort } from './free-port.mjs'
import { installWithApt, isMain } from './shared.mjs'

const OLDEST = 15
const HOMES = ['/usr/lib/postgresql', '/usr', '/opt/homebrew/opt', '/usr/local/opt'].filter(existsSync)
const answer = (command, ...args) => spawnSync(command, args, { encoding: 'utf8' }).stdout?.trim() ?? ''

/**
 * Returns the folder of the PostgreSQL to use: the one in PG_BIN or, without it, the oldest on this machine that the
 * portal supports.
 */
function systemHome() {
  if (process.env.PG_BIN) return dirname(process.env.PG_BIN)
  return HOMES.flatMap((home) => readdirSync(home).map((name) => join(home, name)))
    .filter((home) => existsSync(join(home, 'bin', 'initdb')))
    .map((home) => ({
      home,
      version: Number.parseInt(answer(join(home, 'bin', 'postgres'), '--version').split(' ')[2], 10),
    }))
    .filter(({ version }) => version >= OLDEST)
    .sort((a, b) => a.version - b.version)[0]?.home
}

const isSystem = process.env.TEST_POSTGRES === 'system' || process.env.PG_BIN !== undefined

/**
 * Returns the PostgreSQL binaries. Throws if the system's PostgreSQL is required but is missing and can't be installed.
 */
function binariesFor(account, copies) {
  if (!isSystem) return findPostgresBinaries(account, copies, console.error)
  const home = systemHome() ?? (installWithApt('postgresql') ? systemHome() : undefined)
  if (!home) throw new Error(`PostgreSQL ${OLDEST} or newer was not found on this machine and could not be installed.`)
  return { home, locale: process.platform === 'linux' ? ['--locale=C.UTF-8'] : ['--no-locale'] }
}

/** Settings for tests, whose data need not survive a power failure. */
const HASTY = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=200',
  'plan_cache_mode=force_generic_plan',
]

/** Creates a temporary folder. `leave` deletes it. */
function temporaryHome() {
  const home = mkdtempSync(join(tmpdir(), 'stanchion-postgres-'))
  return { home, leave: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }) }
}

/**
 * Returns the data folder that later runs reuse, or a temporary one if another process uses it or the server's account
 * can't access it.
 */
function keptHome(home, account) {
  mkdirSync(home, { recursive: true })
  if (account) chownSync(home, account.uid, account.gid)
  if (!canAccess(account, home)) return temporaryHome()
  try {
    return { home, leave: lockFolder(home) }
  } catch {
    return temporaryHome()
  }
}

/**
 * Starts a PostgreSQL server on a local port, without passwords. Its databases are deleted when it stops, unless `kept`
 * names a folder for them. Resolves to {url, stop(), kill(signal), start()}: `kill` ends the server with a signal, and
 * `start` starts it again.
 */
export async function startTemporaryPostgres(settings = HASTY, kept, isRetry = false) {
  const account = findServerAccount()
  const { home, leave } = kept ? keptHome(kept, account) : temporaryHome()
  if (account) chownSync(home, account.uid, account.gid)
  try {
    const cluster = { folder: join(home, 'data'), account, binaries: binariesFor(account, home) }
    return await serverOn(cluster, settings, leave)
  } catch (error) {
    leave()
    if (kept !== home || isRetry) throw error
    // The server runs without fsync. A reused data folder from which it does not start is therefore recreated.
    rmSync(home, { recursive: true, force: true })
    return startTemporaryPostgres(settings, kept, true)
  }
}

/** @param {import('../src/server/db/embedded/cluster.ts').Cluster} cluster */
async function serverOn(cluster, settings, leave) {
  const port = await findFreePort()
  const access = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'log_min_messages=fatal']
  if (!existsSync(join(cluster.folder, 'PG_VERSION'))) initialiseCluster(cluster, ['--auth=trust', '--no-sync'])
  else await stopOrphanedPostgres(cluster)
  let server = await startPostgres(cluster, [...settings, ...access])
  const onSignal = (signal) => process.exit(signal === 'SIGINT' ? 130 : 143)
  const onExit = () => {
    process.kill(server.pid, 'SIGQUIT')
    leave()
  }
  process.on('exit', onExit).on('SIGINT', onSignal).on('SIGTERM', onSignal)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    kill: async (signal) => {
      process.kill(server.pid, signal)
      await server.ended
    },
    start: async () => {
      server = await startPostgres(cluster, [...settings, ...access])
    },
    stop: async () => {
      process.off('exit', onExit).off('SIGINT', onSignal).off('SIGTERM', onSignal)
      await server.stop()
      leave()
    },
  }
}

if (isMain(import.meta)) console.log((await startTemporaryPostgres()).url)
