import pg from 'pg'
import { startEmbeddedPostgres } from '#server/db/embedded.ts'

/** Changes records of a stopped portal as a database superuser could, without triggers or the hash chain. */
export async function tamperWithDatabase(folder: string, sql: string): Promise<void> {
  const { superuser, stop } = await startEmbeddedPostgres(folder)
  const client = new pg.Client({ connectionString: superuser })
  try {
    await client.connect()
    await client.query(`SET session_replication_role = replica; ${sql}`)
  } finally {
    await client.end()
    await stop()
  }
}
