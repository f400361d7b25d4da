// A real PostgreSQL for tests and measurements: the embedded one, or with TEST_POSTGRES=system, or PG_BIN, one of this machine. As a
// script it runs until Ctrl-C.
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { canAccess, findPostgresBinaries, findServerAccount } from '../src/server/db/embedded/binaries.ts'
import { initialiseCluster, startPostgres, stopOrphanedPostgres } from '../src/server/db/embedded/cluster.ts'
import { lockFolder } from '../src/server/db/embedded/data-folder.ts'
import { freePort } from './free-port.mjs'
import { installWithApt, isMain } from './shared.mjs'

const OLDEST = 15
const HOMES = ['/usr/lib/postgresql', '/usr', '/opt/homebrew/opt', '/usr/local/opt'].filter(existsSync)
const answer = (command, ...args) => spawnSync(command, args, { encoding: 'utf8' }).stdout?.trim() ?? ''

/** The home of the oldest PostgreSQL of this machine that the portal runs on. */
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

/** Throws where the system's PostgreSQL is wanted and none can be had. */
function binariesFor(account, copies) {
  if (!isSystem) return findPostgresBinaries(account, copies, console.error)
  const home = systemHome() ?? (installWithApt('postgresql') ? systemHome() : undefined)
  if (!home) throw new Error(`No PostgreSQL ${OLDEST} or newer is here, and none could be installed.`)
  return { home, locale: process.platform === 'linux' ? ['--locale=C.UTF-8'] : ['--no-locale'] }
}

/** For tests: nothing need survive a power cut. */
const HASTY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200']

/** A folder of its own, and how to leave it. */
function temporaryHome() {
  const home = mkdtempSync(join(tmpdir(), 'stanchion-postgres-'))
  return { home, leave: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Data folder reused by later runs; a temporary one if another process has it or the server's account can't enter it. */
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
 * A server on a port of this machine, without passwords, whose databases are gone when it stops, unless they are kept in a folder. Resolves
 * to {url, stop(), kill(signal), start()}: `kill` ends the server as a machine might, `start` brings it back.
 */
export async function throwawayPostgres(settings = HASTY, kept) {
  const account = findServerAccount()
  const { home, leave } = kept ? keptHome(kept, account) : temporaryHome()
  if (account) chownSync(home, account.uid, account.gid)
  try {
    const cluster = { folder: join(home, 'data'), account, binaries: binariesFor(account, home) }
    return await serverOn(cluster, settings, leave)
  } catch (error) {
    leave()
    // Runs without fsync: a folder that does not start is discarded.
    if (kept === home) rmSync(home, { recursive: true, force: true })
    throw error
  }
}

/** @param {import('../src/server/db/embedded/cluster.ts').Cluster} cluster */
async function serverOn(cluster, settings, leave) {
  const port = await freePort()
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

if (isMain(import.meta)) console.log((await throwawayPostgres()).url)
