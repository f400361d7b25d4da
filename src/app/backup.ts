import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '#server/config.ts'

const embedded = (config: Config) => {
  if (config.databaseUrl) throw new Error('A database server has its own tools: use pg_dump and pg_restore.')
}

const filesOf = (config: Config) => config.filesUrl ?? join(config.dataDir, 'files')

/** Writes the embedded database to one file, which `restore` reads back. The portal must be stopped. */
export async function backup(config: Config, file: string | undefined): Promise<string> {
  embedded(config)
  if (!file) throw new Error('Say where to: backup FILE.tar.gz')
  const { openEmbedded } = await import('#server/db/embedded.ts')
  const db = await openEmbedded({ dir: config.dataDir })
  try {
    const dump = await db.pglite.dumpDataDir('gzip')
    const bytes = Buffer.from(await dump.arrayBuffer())
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // Whole or not at all: a half-written file must not pass for a backup.
    writeFileSync(`${file}.part`, bytes, { mode: 0o600 })
    renameSync(`${file}.part`, file)
    return `${file} holds the database as it is now (${(bytes.length / 1e6).toFixed(1)} MB). Uploaded files are not in it: copy ${filesOf(config)} beside it.`
  } finally {
    await db.close()
  }
}

/** Makes the embedded database of an empty DATA_DIR from a backup. */
export async function restore(config: Config, file: string | undefined): Promise<string> {
  embedded(config)
  if (!file || !existsSync(file)) throw new Error('Say what from: restore FILE.tar.gz')
  if (existsSync(join(config.dataDir, 'postgres')))
    throw new Error(
      `${config.dataDir} already holds a database. Set DATA_DIR to an empty folder, or move that one away.`,
    )
  const { openEmbedded } = await import('#server/db/embedded.ts')
  const db = await openEmbedded({
    dir: config.dataDir,
    dump: new Blob([readFileSync(file)], { type: 'application/x-gzip' }),
  })
  await db.close()
  return `${config.dataDir} now holds what was in ${file}. Copy the uploaded files to ${filesOf(config)}; npm start then opens it.`
}
