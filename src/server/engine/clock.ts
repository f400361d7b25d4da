import { problem } from '#kernel/errors.ts'
import { addLondonTime, type Instant, now } from '#kernel/time.ts'
import type { Db, Tx } from '#server/db/db.ts'

/** The portal's time, where there is no engine at hand. */
export const timeOf = (db: Db): Instant => (db.time.ahead ? now().add({ milliseconds: db.time.ahead }) : now())

/**
 * The portal's time, for behaviour, schedules and, as `portal_now()`, for SQL. In a demo or test database it may be ahead of real time, so
 * that what is due some day can be seen today. Sign-in, leases and retries go by real time.
 */
export class Clock {
  private readonly db: Db
  constructor(db: Db) {
    this.db = db
  }

  now(): Instant {
    return timeOf(this.db)
  }

  /** Reads the offset that all processes share. True where the clock may be moved. */
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
  readonly clock: Clock
  notifyCommit(tables: ReadonlySet<string>): void
}

/** Moves a portal's clock so many days ahead of real time, and lets what is due by then happen. Throws 409 where it may not be moved. */
export async function moveClock(engine: MovableEngine, days: number): Promise<void> {
  const real = now()
  const ahead = addLondonTime(real, { days }).epochMilliseconds - real.epochMilliseconds
  const moved = await engine.db.tx('system', async (tx) => {
    // After moving back, past slots come round again.
    if (ahead < engine.db.time.ahead) await tx.rows('DELETE FROM schedule')
    return tx.rows('UPDATE clock SET ahead = make_interval(secs => $1::float8 / 1000) RETURNING 1', [ahead])
  })
  if (!moved.length) throw problem.conflict('The clock of this portal can’t be moved: it is no demo world.')
  await engine.clock.load()
  engine.notifyCommit(new Set(['clock']))
}

/** Marks a database as one whose clock may be moved: a demo or test database. */
export const allowMoving = (tx: Tx): Promise<unknown> =>
  tx.rows('INSERT INTO clock DEFAULT VALUES ON CONFLICT DO NOTHING')
