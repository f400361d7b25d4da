import { migrateDatabase } from '#server/db/migrate.ts'
import { createEmptyDatabase } from './database.ts'

type Row = Record<string, unknown>

/** A database that is migrated step by step, with rows as an earlier version of the program would have left them. */
export interface MigratingDatabase {
  /**
   * Migrates up to, but excluding, a migration such as `42`. Like all methods of this interface, it only moves
   * forwards.
   */
  before(number: number): Promise<void>
  /** Migrates up to and including a migration; without a number, up to the latest. */
  to(number?: number): Promise<void>
  /** Executes SQL with access to every client, as the program did at that time. */
  rows<T = Row>(text: string, values?: readonly unknown[]): Promise<T[]>
  close(): Promise<void>
}

/**
 * Opens an empty database. As the README requires, its owner has CREATEROLE but is not a superuser. Row-level security
 * applies to the owner too, so a migration that ignores row-level security finds no rows here either.
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
