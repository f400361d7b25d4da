import { spawnSync } from 'node:child_process'
import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
