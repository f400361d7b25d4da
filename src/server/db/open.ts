import type { Config } from '../config.ts'
import type { Db } from './db.ts'
import { migrate } from './migrate.ts'
import { openServer } from './server.ts'

/** Opens the configured database, brings it up to date and hands it over with nobody's rights but the reader's. */
export async function openDb(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'pool'>,
): Promise<Db & { applied: string[] }> {
  if (config.databaseUrl) {
    const first = openServer(config.databaseUrl, 1, { session: false })
    const applied = await first.tx('owner', migrate).finally(() => first.close())
    return Object.assign(openServer(config.databaseUrl, config.pool), { applied })
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
