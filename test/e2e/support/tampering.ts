import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

/** Changes records of a portal that is not running as its database's owner can: past triggers and the chain. */
export async function tamper(folder: string, sql: string): Promise<void> {
  const db = await PGlite.create(join(folder, 'postgres'), { extensions: { pg_trgm, btree_gin } })
  await db.exec(`SET session_replication_role = replica; ${sql}`)
  await db.close()
}
