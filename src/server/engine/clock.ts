import { problem } from '#kernel/errors.ts'
import { addInLondonTime, type Instant, now } from '#kernel/time.ts'
import type { Db, Tx } from '#server/db/db.ts'

/** Returns portal time, for code without an engine. */
export const portalTimeOf = (db: Db): Instant => (db.time.ahead ? now().add({ milliseconds: db.time.ahead }) : now())

/**
 * Portal time, for handlers, schedules and, as `portal_now()`, SQL. In a demo or test database it can be ahead of real
 * time, to show what will be due in future. Sign-in, leases and retries use real time.
 */
export class PortalClock {
  private readonly db: Db
  constructor(db: Db) {
    this.db = db
  }

  now(): Instant {
    return portalTimeOf(this.db)
  }

  /** Reads the offset that all processes share. Returns true if the clock may be moved. */
  async load(): Promise<boolean> {
    const [row] = await this.db.tx('system', (tx) =>
      tx.rows<{ ahead: number }>('SELECT (extract(epoch FROM ahead) * 1000)::float8 AS ahead FROM clock'),
    )
    this.db.time.ahead = row?.ahead ?? 0
    return row !== undefined
  }
}

interface MovableEngine {
  readonly db: Db
  readonly clock: PortalClock
  notifyCommit(tables: ReadonlySet<string>): void
}

/**
 * Moves the portal's clock this many days ahead of real time, and runs work that is due by then. Throws 409 if the
 * clock may not be moved.
 */
export async function moveClock(engine: MovableEngine, days: number): Promise<void> {
  const real = now()
  const ahead = addInLondonTime(real, { days }).epochMilliseconds - real.epochMilliseconds
  const moved = await engine.db.tx('system', async (tx) => {
    // After the clock is moved back, slots that have already passed occur again, for each client too.
    if (ahead < engine.db.time.ahead) {
      await tx.rows('DELETE FROM schedule')
      await tx.rows('DELETE FROM schedule_client')
    }
    return tx.rows('UPDATE clock SET ahead = make_interval(secs => $1::float8 / 1000) RETURNING 1', [ahead])
  })
  if (!moved.length)
    throw problem.conflict('This portal’s clock can’t be moved because the portal contains no demo data.')
  await engine.clock.load()
  engine.notifyCommit(new Set(['clock']))
}

/** Allows the clock of a database to be moved, for demo and test databases. */
export const allowMovingClock = (tx: Tx): Promise<unknown> =>
  tx.rows('INSERT INTO clock DEFAULT VALUES ON CONFLICT DO NOTHING')
