import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077

/**
 * Makes a folder that nobody but this account can look into, and closes one that others can. Says what it has closed; throws for
 * a folder that belongs to somebody else.
 */
export function keepPrivate(folder: string, say: (sentence: string) => void): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32') return
  const { uid, mode } = statSync(folder)
  const me = process.getuid?.()
  if (me !== undefined && uid !== me && me !== 0)
    throw new Error(`The folder ${folder} belongs to another account. Set DATA_DIR to a folder of this one.`)
  if (!(mode & OTHERS)) return
  chmodSync(folder, mode & 0o700)
  say(`The folder ${folder} was open to other accounts of this machine. It is closed to them now.`)
}

/** Closes a folder and what is in it to others: the embedded database makes its files without regard to the process's umask. */
export function closeFiles(folder: string): void {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() || entry.isDirectory())
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}
