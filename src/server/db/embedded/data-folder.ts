import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { systemErrorCode } from '#server/error-code.ts'
import { canAccess, changeOwner, ensureSharedFolder, findServerAccount, type OsAccount } from './binaries.ts'

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (e) {
    return systemErrorCode(e) === 'EPERM'
  }
}

/**
 * Locks a folder for this process, and returns a function that unlocks it. Takes over the lock of a process that has
 * ended. Throws a one-sentence error if another process holds the lock.
 */
export function lockFolder(dir: string): () => void {
  const file = join(dir, 'stanchion.lock')
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (e) {
      if (systemErrorCode(e) !== 'EEXIST') throw e
      const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
      if (holder && holder !== process.pid && isProcessAlive(holder))
        throw new Error(
          `The data folder ${dir} is in use by another portal (process ${holder}). Stop that portal first, or set DATA_DIR to another folder.`,
        )
      rmSync(file, { force: true })
    }
  }
  throw new Error(`The data folder ${dir} could not be locked.`)
}

type Say = (sentence: string) => void

/**
 * Creates a folder that only this account can access, or restricts access to an existing folder. The account that runs
 * PostgreSQL may still pass through the folder. Reports a restriction with `say`; throws if another account owns the
 * folder.
 */
export function ensurePrivateFolder(folder: string, say: Say, server?: OsAccount): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32') return
  const { uid, mode } = statSync(folder)
  const me = process.getuid?.()
  if (me !== undefined && uid !== me && me !== 0)
    throw new Error(
      `The folder ${folder} belongs to another account. Set DATA_DIR to a folder that belongs to this account.`,
    )
  const passage = server ? 0o010 : 0
  if (server) chownSync(folder, uid, server.gid)
  chmodSync(folder, (mode & 0o700) | passage)
  if (mode & 0o077 & ~passage)
    say(`Other accounts on this machine could open the folder ${folder}. Their access has been removed.`)
}

/** The database in a data folder, locked for this process. */
export interface LockedDatabase {
  readonly folder: string
  /** Account that runs PostgreSQL, if it is not this process's own account. */
  readonly account: OsAccount | undefined
  readonly unlock: () => void
}

/**
 * Returns the account that runs PostgreSQL on a database; `undefined` for this process's own account. If this process
 * runs as root, the folder's owner is returned. A folder that belongs to root, such as a restored one, is first handed
 * over to the PostgreSQL account.
 */
function accountFor(folder: string): OsAccount | undefined {
  const account = findServerAccount()
  const { uid, gid } = statSync(folder)
  if (!account || uid !== 0) return account && { uid, gid }
  changeOwner(account, folder)
  return account
}

/**
 * Makes a data folder private, locks it and finds its database. If the account that runs PostgreSQL for root can't
 * enter the data folder, the database is in another folder, to which the data folder contains a link. Throws for a data
 * folder of an earlier version.
 */
export function lockDatabase(dir: string, say: Say): LockedDatabase {
  const former = join(dir, 'postgres')
  if (existsSync(join(former, 'PG_VERSION')))
    throw new Error(
      `${former} contains the database of an earlier version of the portal, which this version can’t open. Set DATA_DIR to an empty folder. The earlier version can still open its own folder.`,
    )
  const path = join(resolve(dir), 'database')
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found && !existsSync(path)) throw new Error(`${path} is a link to a folder that no longer exists.`)
  const account = found ? accountFor(realpathSync(path)) : findServerAccount()
  ensurePrivateFolder(dir, say, account)
  const unlock = lockFolder(dir)
  try {
    return { folder: folderAt(path, canAccess(account, dir), say), account, unlock }
  } catch (e) {
    unlock()
    throw e
  }
}

function folderAt(path: string, isReachable: boolean, say: Say): string {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSymbolicLink()) return realpathSync(path)
  if (isReachable) return path
  const why = `PostgreSQL can’t run as root, and the account that runs it can’t access ${dirname(path)}`
  if (found) throw new Error(`${why}. Move the data folder, or start the portal from a separate account.`)
  const elsewhere = mkdtempSync(join(ensureSharedFolder(), 'database-'))
  symlinkSync(elsewhere, path)
  say(`${why}, so the database is stored in ${elsewhere}.`)
  return elsewhere
}
