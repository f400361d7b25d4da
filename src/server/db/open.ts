import type { Config } from '../config.ts'
import type { Db } from './db.ts'
import { migrateDatabase } from './migrate.ts'
import { connectToDbServer } from './server.ts'
import { DbUnavailableError } from './unavailable.ts'

/** Milliseconds for which a program waits for its database when it starts. */
const AWAY_MS = 60_000

async function migrateWhenThere(db: Db): Promise<string[]> {
  for (const end = performance.now() + AWAY_MS; ; ) {
    try {
      return await db.tx('owner', migrateDatabase)
    } catch (e) {
      const left = end - performance.now()
      if (!(e instanceof DbUnavailableError) || left <= 0) throw e
      process.stderr.write(`${e.message}. Waiting up to ${Math.ceil(left / 1000)} seconds for the database.\n`)
      if (!(await db.presence.back(left))) throw e
    }
  }
}

export interface OpenedDb extends Db {
  /** Names of the migrations applied during this start. */
  readonly applied: readonly string[]
  /** For an embedded database: resolves to the server's last log messages when the server ends. */
  readonly ended?: Promise<string> | undefined
}

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'pool' | 'statementSeconds'>

/** Opens the configured database, migrates it and returns it with reader rights only. */
export async function openDb(config: DatabaseConfig): Promise<OpenedDb> {
  if (config.databaseUrl) return openUrl(config.databaseUrl, config)
  // Loaded only for embedded databases.
  const { startEmbeddedPostgres: startEmbedded } = await import('./embedded.ts')
  const { url, ended, stop } = await startEmbedded(config.dataDir)
  try {
    const db = await openUrl(url, config)
    return { ...db, ended, close: () => db.close().finally(stop) }
  } catch (e) {
    await stop()
    throw e
  }
}

async function openUrl(url: string, config: DatabaseConfig): Promise<OpenedDb> {
  const first = connectToDbServer(url, 1, { session: false })
  const applied = await migrateWhenThere(first).finally(() => first.close())
  return { ...connectToDbServer(url, config.pool, config), applied }
}
