import { migrateDatabase } from '#server/db/migrate.ts'
import { createEmptyDatabase } from './database.ts'

type Row = Record<string, unknown>

/** A database that is migrated step by step, with rows as an earlier version of the program left them. */
export interface MigratingDatabase {
  /** Migrates to just before a migration, such as `42`. Forwards only, like all methods here. */
  before(number: number): Promise<void>
  /** Migrates up to a migration; without a number, to the latest. */
  to(number?: number): Promise<void>
  /** Executes SQL with access to every client, as the program of that time had. */
  rows<T = Row>(text: string, values?: readonly unknown[]): Promise<T[]>
  close(): Promise<void>
}

/**
 * Opens an empty database. Its owner is as the README requires, with CREATEROLE but no superuser: row-level security
 * applies to it too, so that a migration which ignores it finds no rows here either.
 */
export async function openMigratingDatabase(): Promise<MigratingDatabase> {
  const db = await createEmptyDatabase()
  let at = 0
  const go = async (last: number) => {
    if (last < at) throw new Error(`The database is at migration ${at}, past ${last}`)
    at = last
    return db.tx('owner', (tx) => migrateDatabase(tx, last))
  }
  return {
    before: async (number) => void (await go(number - 1)),
    to: async (number) => {
      const applied = await go(number ?? Number.POSITIVE_INFINITY)
      if (number && !applied.some((name) => Number.parseInt(name, 10) === number))
        throw new Error(`There is no migration ${number}`)
    },
    rows: (text, values) => db.tx('system', (tx) => tx.rows(text, values)),
    close: () => db.close(),
  }
}
