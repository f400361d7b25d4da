import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '#server/error-code.ts'
import type { Binaries } from './binaries.ts'
import { type Account, giveTo } from './binaries.ts'

/** Milliseconds between two looks whether the server is ready. */
const LOOK_MS = 10
/** Milliseconds that processes of a server that was killed may take to end. */
const REMAINS_MS = 30_000
/** Characters of a server's last messages. */
const LAST_WORDS = 4000
/** What becomes of connections when a server ends: no reason why it did. */
const OF_CONNECTIONS = /terminating connection|connection to client lost/
/** Milliseconds that they may come behind its end. */
const LAST_WORDS_MS = 500

/**
 * Becomes the server, beside a process that ends it, in good order, once the pipe closes: however its owner has ended. What a supervisor
 * tells all processes of the portal is for the portal alone to hear.
 */
const WATCHED = '( { trap "" HUP INT TERM; cat; kill -INT $$; } <&3 >/dev/null 2>&1 & ); exec "$@" 3<&-'
const isWindows = process.platform === 'win32'

/** A folder with databases, and what runs PostgreSQL on it. */
export interface Cluster {
  readonly folder: string
  readonly binaries: Binaries
  readonly account: Account | undefined
}

/** A running server. */
export interface Server {
  readonly pid: number
  /** Resolves when the server ends, to how it did and what it has said last. */
  readonly ended: Promise<string>
  /** Ends it when what is under way has been undone. */
  readonly stop: () => Promise<void>
}

/** The environment without settings of PostgreSQL's: messages come in English, as they are read. */
const environment = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))),
  LC_ALL: 'C',
})

const program = ({ binaries }: Cluster, name: string) => join(binaries.home, 'bin', name)

function run(cluster: Cluster, name: string, args: readonly string[]) {
  const { account } = cluster
  return spawnSync(program(cluster, name), args, { ...account, cwd: '/', env: environment(), encoding: 'utf8' })
}

/** Makes an empty cluster, whole or not at all. Its superuser is `postgres`. */
export function initialise(cluster: Cluster, options: readonly string[]): void {
  const { folder, binaries, account } = cluster
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true, mode: 0o700 })
  giveTo(account, part)
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

/** The lines of the file that a running server keeps; none where none runs. */
function readPidFile(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch (e) {
    if (codeOf(e) === 'ENOENT') return []
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
 * Ends a server that its owner has left running on the cluster. Only for whoever has locked the folder. Returns the folder of its socket.
 */
export async function endFormerServer(cluster: Cluster): Promise<string | undefined> {
  const { folder } = cluster
  const [, , , port, sockets] = readPidFile(folder)
  if (!port) return undefined
  const at = sockets ? { path: join(sockets, `.s.PGSQL.${port}`) } : { host: '127.0.0.1', port: Number(port) }
  if (await answers(at)) run(cluster, 'pg_ctl', ['stop', '-D', folder, '-m', 'fast', '-w'])
  // The number in it may be another program's by now, which PostgreSQL would take for a server.
  else rmSync(join(folder, 'postmaster.pid'), { force: true })
  return sockets
}

/** Starts the server, and waits until it is ready. It ends with this process, however that ends. */
export async function startPostgres(cluster: Cluster, settings: readonly string[]): Promise<Server> {
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

function launch(cluster: Cluster, settings: readonly string[]) {
  const { folder, account } = cluster
  const args = ['-D', folder, ...['log_line_prefix=', ...settings].flatMap((setting) => ['-c', setting])]
  const postgres = program(cluster, 'postgres')
  const options = { ...account, cwd: folder, env: environment(), windowsHide: true }
  // A session of its own: what a terminal or a supervisor tells the portal's processes is not meant for it. Windows itself ends it with
  // this process.
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

/** Resolves when a process has ended, to how it did. */
async function end(child: ChildProcess): Promise<string> {
  const closed = once(child, 'close').catch(() => undefined)
  try {
    const [code, signal] = await once(child, 'exit')
    child.stdio[3]?.destroy()
    // Its last words may come behind it.
    await Promise.race([closed, sleep(LAST_WORDS_MS)])
    return `it ended with ${signal ?? `code ${code}`}`
  } catch (e) {
    return String(e)
  }
}

const isOver = ({ pid, exitCode, signalCode }: ChildProcess) => !pid || exitCode !== null || signalCode !== null

/** The server's number, once it is ready; `undefined` where it has ended before. */
async function ready({ folder }: Cluster, child: ChildProcess): Promise<number | undefined> {
  while (!isOver(child)) {
    const lines = readPidFile(folder)
    if (lines[0] === String(child.pid) && lines[7]?.startsWith('ready')) return child.pid
    await sleep(LOOK_MS)
  }
  return undefined
}

async function stop(cluster: Cluster, child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (isOver(child)) return
  if (isWindows) run(cluster, 'pg_ctl', ['stop', '-D', cluster.folder, '-m', 'fast', '-w'])
  else child.kill('SIGINT')
  await ended
}
