import type { Db } from '../db/db.ts'

const lastEvents = new WeakMap<Db, number>()

/** Records the last event of the demo data, for the lifetime of this process. */
export async function markEndOfDemoEvents(db: Db): Promise<void> {
  const [last] = await db.tx('system', (tx) => tx.rows<{ id: number | null }>('SELECT max(id)::int AS id FROM outbox'))
  lastEvents.set(db, last?.id ?? 0)
}

/** True if the event belongs to demo data loaded by this process, for which no e-mails are sent. */
export const isDemoEvent = (db: Db, id: number): boolean => id <= (lastEvents.get(db) ?? 0)
