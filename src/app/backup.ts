import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '#server/config.ts'

/** Loads the backup tools for the embedded database. Throws if the configuration names a database server. */
function embedded({ databaseUrl }: Config) {
  if (databaseUrl)
    throw new Error(
      'This command works only with the embedded database. For a database server, use pg_dump and pg_restore.',
    )
  return import('#server/db/embedded.ts')
}

const filesOf = (config: Config) => config.filesUrl ?? join(config.dataDir, 'files')

/** Writes the embedded database to one file that `restore` can read. The portal must be stopped. */
export async function backupDatabase(config: Config, file: string | undefined): Promise<string> {
  const { archiveDatabase: packDatabase } = await embedded(config)
  if (!file) throw new Error('Name the backup file to write: backup FILE.tar.gz')
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Writes to a temporary name first, so that a partial file can't be mistaken for a backup.
  const part = `${file}.part`
  try {
    writeFileSync(part, '', { mode: 0o600 })
    await packDatabase(config.dataDir, part)
    renameSync(part, file)
  } finally {
    rmSync(part, { force: true })
  }
  const megabytes = (statSync(file).size / 1e6).toFixed(1)
  return `${file} contains the current database (${megabytes} MB). Uploaded files are not included: copy ${filesOf(config)} as well.`
}

/** Restores the embedded database from a backup into an empty DATA_DIR. */
export async function restoreDatabase(config: Config, file: string | undefined): Promise<string> {
  const { restoreDatabaseArchive: unpackDatabase } = await embedded(config)
  if (!file || !existsSync(file)) throw new Error('Name an existing backup file: restore FILE.tar.gz')
  await unpackDatabase(config.dataDir, file)
  return `${config.dataDir} now contains the database from ${file}. Copy the uploaded files to ${filesOf(config)}, then run npm start.`
}
