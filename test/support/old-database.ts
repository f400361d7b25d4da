import { migrate } from '#server/db/migrate.ts'
import { emptyDatabase } from './database.ts'

type Row = Record<string, unknown>

/** A database on its way through the migrations, which holds rows as an earlier edition of the program left them. */
export interface OldDatabase {
  /** Brings it to where a migration, `42`, would be the next. Forwards only, as all that follows. */
  before(number: number): Promise<void>
  /** Brings it to a migration and no further; without one, up to date. */
  to(number?: number): Promise<void>
  /** SQL with the rights of the program that ran at the time: those of every client. */
  rows<T = Row>(text: string, values?: readonly unknown[]): Promise<T[]>
  close(): Promise<void>
}

/**
 * An empty database. Its owner is what the README asks for, the database's owner with CREATEROLE, and no superuser: row-level
 * security holds for it too, so that a migration which forgets that finds no rows here either.
 */
export async function oldDatabase(): Promise<OldDatabase> {
  const db = await emptyDatabase()
  let at = 0
  const go = async (last: number) => {
    if (last < at) throw new Error(`The database is at migration ${at}, past ${last}`)
    at = last
    return db.tx('owner', (tx) => migrate(tx, last))
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
