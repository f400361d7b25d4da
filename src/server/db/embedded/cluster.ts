import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemErrorCode } from '#server/error-code.ts'
import type { PostgresBinaries } from './binaries.ts'
import { changeOwner, type OsAccount } from './binaries.ts'

/** Milliseconds between two checks of whether the server is ready. */
const LOOK_MS = 10
/** Milliseconds allowed for the processes of a killed server to end. */
const REMAINS_MS = 30_000
/** Number of characters retained from a server's last log messages. */
const LAST_WORDS = 4000
/** Log messages about connections closed when a server ends. They don't explain why the server ended. */
const OF_CONNECTIONS = /terminating connection|connection to client lost/
/** Milliseconds after a server has ended within which its last log messages may arrive. */
const LAST_WORDS_MS = 500

/**
 * Shell command that runs the server beside a watchdog. The watchdog shuts the server down cleanly once the pipe
 * closes, even if the server's owner was killed. It ignores signals that a supervisor sends to all processes of the
 * portal.
 */
const WATCHED = '( { trap "" HUP INT TERM; cat; kill -INT $$; } <&3 >/dev/null 2>&1 & ); exec "$@" 3<&-'
const isWindows = process.platform === 'win32'

/** A database cluster's folder, and the programs and account that run PostgreSQL on it. */
export interface DatabaseCluster {
  readonly folder: string
  readonly binaries: PostgresBinaries
  readonly account: OsAccount | undefined
}

export interface PostgresServer {
  readonly pid: number
  /** Resolves to the server's exit code and last log messages when the server ends. */
  readonly ended: Promise<string>
  /** Ends the server after rolling back open transactions. */
  readonly stop: () => Promise<void>
}

/** Returns the environment without PostgreSQL's settings, so that messages are in English, as the parser expects. */
const environment = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))),
  LC_ALL: 'C',
})

const program = ({ binaries }: DatabaseCluster, name: string) => join(binaries.home, 'bin', name)

function run(cluster: DatabaseCluster, name: string, args: readonly string[]) {
  const { account } = cluster
  return spawnSync(program(cluster, name), args, { ...account, cwd: '/', env: environment(), encoding: 'utf8' })
}

/** Creates an empty cluster, completely or not at all. The cluster's superuser is `postgres`. */
export function initialiseCluster(cluster: DatabaseCluster, options: readonly string[]): void {
  const { folder, binaries, account } = cluster
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true, mode: 0o700 })
  changeOwner(account, part)
  const { status, stderr, error } = run(cluster, 'initdb', [
    ...['-D', part, '-U', 'postgres', '-E', 'UTF8'],
    ...binaries.locale,
    ...options,
  ])
  if (status !== 0) {
    rmSync(part, { recursive: true })
    throw new Error(`PostgreSQL could not be set up: ${error?.message ?? stderr.trim()}`)
  }
  renameSync(part, folder)
}

/** Returns the lines of a running server's PID file; empty if no server is running. */
function readPidFile(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch (e) {
    if (systemErrorCode(e) === 'ENOENT') return []
    throw e
  }
}

const answers = (at: { path: string } | { host: string; port: number }): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(at)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/**
 * Ends a server that its owner left running on the cluster, and returns the server's socket folder; `undefined` if
 * there is neither. The caller must have locked the cluster's folder.
 */
export async function stopOrphanedPostgres(cluster: DatabaseCluster): Promise<string | undefined> {
  const { folder } = cluster
  const [, , , port, sockets] = readPidFile(folder)
  if (!port) return undefined
  const at = sockets ? { path: join(sockets, `.s.PGSQL.${port}`) } : { host: '127.0.0.1', port: Number(port) }
  if (await answers(at)) run(cluster, 'pg_ctl', ['stop', '-D', folder, '-m', 'fast', '-w'])
  // By now, the PID in the file may belong to another program, which PostgreSQL would mistake for a server.
  else rmSync(join(folder, 'postmaster.pid'), { force: true })
  return sockets
}

/** Starts the server and waits until it is ready. The server ends with this process, even if this process is killed. */
export async function startPostgres(cluster: DatabaseCluster, settings: readonly string[]): Promise<PostgresServer> {
  for (const end = performance.now() + REMAINS_MS; ; ) {
    const { child, ended } = launch(cluster, settings)
    const pid = await ready(cluster, child)
    if (pid) return { pid, ended, stop: () => stop(cluster, child, ended) }
    const words = await ended
    const isOccupied = /pre-existing shared memory|lock file .* already exists/.test(words)
    if (!isOccupied || performance.now() > end) throw new Error(`PostgreSQL did not start: ${words}`)
    await sleep(10 * LOOK_MS)
  }
}

function launch(cluster: DatabaseCluster, settings: readonly string[]) {
  const { folder, account } = cluster
  const args = ['-D', folder, ...['log_line_prefix=', ...settings].flatMap((setting) => ['-c', setting])]
  const postgres = program(cluster, 'postgres')
  const options = { ...account, cwd: folder, env: environment(), windowsHide: true }
  // Starts the server in its own session, because signals from a terminal or supervisor are meant for the portal only.
  // Windows ends the server together with this process.
  const child: ChildProcess = isWindows
    ? spawn(postgres, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    : spawn('/bin/sh', ['-c', WATCHED, 'sh', postgres, ...args], {
        ...options,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      })
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS)
  })
  const ownWords = () => words.split('\n').filter((line) => line && !OF_CONNECTIONS.test(line))
  return { child, ended: end(child).then((how) => [how, ...ownWords()].join('\n')) }
}

/** Resolves, once a process has ended, to a description of its exit code or signal. */
async function end(child: ChildProcess): Promise<string> {
  const closed = once(child, 'close').catch(() => undefined)
  try {
    const [code, signal] = await once(child, 'exit')
    child.stdio[3]?.destroy()
    // The last log messages may arrive after the exit.
    await Promise.race([closed, sleep(LAST_WORDS_MS)])
    return `it ended with ${signal ?? `code ${code}`}`
  } catch (e) {
    return String(e)
  }
}

const isOver = ({ pid, exitCode, signalCode }: ChildProcess) => !pid || exitCode !== null || signalCode !== null

/** Returns the server's PID once the server is ready; `undefined` if the server ends first. */
async function ready({ folder }: DatabaseCluster, child: ChildProcess): Promise<number | undefined> {
  while (!isOver(child)) {
    const lines = readPidFile(folder)
    if (lines[0] === String(child.pid) && lines[7]?.startsWith('ready')) return child.pid
    await sleep(LOOK_MS)
  }
  return undefined
}

async function stop(cluster: DatabaseCluster, child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (isOver(child)) return
  if (isWindows) run(cluster, 'pg_ctl', ['stop', '-D', cluster.folder, '-m', 'fast', '-w'])
  else child.kill('SIGINT')
  await ended
}
