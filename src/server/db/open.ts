import type { Config } from '../config.ts'
import type { Db } from './db.ts'
import { migrate } from './migrate.ts'
import { openServer } from './server.ts'
import { Unavailable } from './unavailable.ts'

/** Milliseconds that a program which starts before its database waits for it. */
const AWAY_MS = 60_000

async function migrateWhenThere(db: Db): Promise<string[]> {
  for (const end = performance.now() + AWAY_MS; ; ) {
    try {
      return await db.tx('owner', migrate)
    } catch (e) {
      const left = end - performance.now()
      if (!(e instanceof Unavailable) || left <= 0) throw e
      process.stderr.write(`${e.message}. Waiting for it for ${Math.ceil(left / 1000)} seconds.\n`)
      if (!(await db.presence.back(left))) throw e
    }
  }
}

/** Opens the configured database, brings it up to date and hands it over with nobody's rights but the reader's. */
export async function openDb(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'pool' | 'statementSeconds'>,
): Promise<Db & { applied: string[] }> {
  if (config.databaseUrl) {
    const first = openServer(config.databaseUrl, 1, { session: false })
    const applied = await migrateWhenThere(first).finally(() => first.close())
    return Object.assign(openServer(config.databaseUrl, config.pool, config), { applied })
  }
  // Loaded only where it is used: it is large.
  const { openEmbedded, startSession } = await import('./embedded.ts')
  const db = await openEmbedded({ dir: config.dataDir })
  try {
    const applied = await db.tx('owner', migrate)
    await startSession(db.pglite)
    return Object.assign(db, { applied })
  } catch (e) {
    await db.close()
    throw e
  }
}
