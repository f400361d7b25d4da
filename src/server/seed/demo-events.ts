import type { Db } from '../db/db.ts'

const lastEvents = new WeakMap<Db, number>()

/** Stores the ID of the last event in the demo data, for as long as this process runs. */
export async function markEndOfDemoEvents(db: Db): Promise<void> {
  const [last] = await db.tx('system', (tx) => tx.rows<{ id: number | null }>('SELECT max(id)::int AS id FROM outbox'))
  lastEvents.set(db, last?.id ?? 0)
}

/** True if the event belongs to demo data that this process has loaded. No e-mails are sent for such events. */
export const isDemoEvent = (db: Db, id: number): boolean => id <= (lastEvents.get(db) ?? 0)
