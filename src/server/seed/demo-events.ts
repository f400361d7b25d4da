import type { Db } from '../db/db.ts'

const lastEvents = new WeakMap<Db, number>()

/** Notes where the events of the demo world end, as long as this process lives. */
export async function endDemoEvents(db: Db): Promise<void> {
  const [last] = await db.tx('system', (tx) => tx.rows<{ id: number | null }>('SELECT max(id)::int AS id FROM outbox'))
  lastEvents.set(db, last?.id ?? 0)
}

/** Is the event one of the demo world that this process has loaded? Nobody waits for a letter of that. */
export const isDemoEvent = (db: Db, id: number): boolean => id <= (lastEvents.get(db) ?? 0)
