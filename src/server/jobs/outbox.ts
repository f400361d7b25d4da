import type { FastifyBaseLogger } from 'fastify'
import type { Job } from '#server/behaviour.ts'
import type { Engine } from '#server/engine.ts'

interface Due {
  client_id: number
  id: number
  kind: string
  payload: Record<string, unknown>
  attempts: number
}

/** After a failure the row waits longer each time; after this many it stays, with its error, to be seen. */
const ATTEMPTS = 8
const BATCH = 20

/**
 * Does what committed changes asked for, each once unless the process dies in the middle of it. Any number of processes
 * may run it: a row being done is skipped by the others.
 */
export class Outbox {
  private running: Promise<void> | undefined
  private again = false
  private readonly engine: Engine
  private readonly jobs: ReadonlyMap<string, Job>
  private readonly log: Pick<FastifyBaseLogger, 'error'>
  constructor(engine: Engine, log: Pick<FastifyBaseLogger, 'error'>) {
    this.engine = engine
    this.log = log
    this.jobs = new Map(
      engine.rooms.flatMap((r) => r.jobs ?? []).flatMap((j) => (j.every ? [] : [[j.kind, j] as const])),
    )
  }

  /** Something was put in; or it is time to look. Resolves when nothing is due any more. */
  drain(): Promise<void> {
    if (this.running) {
      this.again = true
      return this.running
    }
    this.running = this.loop().finally(() => {
      this.running = undefined
      if (this.again) {
        this.again = false
        void this.drain()
      }
    })
    return this.running
  }

  private async loop(): Promise<void> {
    for (;;) {
      const due = await this.take()
      if (!due.length) return
      for (const row of due) await this.do(row)
    }
  }

  /** Takes rows for itself by putting them off: should the process die, they come up again. */
  private take(): Promise<Due[]> {
    return this.engine.db.tx('system', (tx) =>
      tx.rows<Due>(
        `UPDATE outbox SET attempts = attempts + 1, not_before = now() + make_interval(mins => least(60, power(2, attempts)::int))
         WHERE (client_id, id) IN (SELECT client_id, id FROM outbox WHERE done_at IS NULL AND not_before <= now() AND attempts < $1 ORDER BY not_before LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING client_id, id, kind, payload, attempts`,
        [ATTEMPTS],
      ),
    )
  }

  private async do(row: Due): Promise<void> {
    const job = this.jobs.get(row.kind)
    const error = job
      ? await job.run(this.engine, row.payload, row.client_id).then(
          () => null,
          (e: Error) => e,
        )
      : new Error(`No job does "${row.kind}"`)
    if (error) this.log.error({ outbox: row.id, kind: row.kind, err: error }, 'outbox')
    await this.engine.db.tx('system', (tx) =>
      tx.rows(
        'UPDATE outbox SET done_at = CASE WHEN $3::text IS NULL THEN now() END, error = $3 WHERE client_id = $1 AND id = $2',
        [row.client_id, row.id, error?.message.slice(0, 500) ?? null],
      ),
    )
  }
}
