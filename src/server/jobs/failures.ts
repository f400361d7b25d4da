import type { Db } from '#server/db/db.ts'
import type { Engine } from '#server/engine/types.ts'
import type { AnyJob } from './queue.ts'

/** A job that has failed: for good, or until it is tried again. */
export interface Failure {
  readonly id: string
  readonly lane: string
  /** The client of the event; null for a schedule. */
  readonly client: number | null
  /** The handler or schedule. */
  readonly job: string
  readonly attempts: number
  readonly error: string
  readonly failedAt: string
  /** When it is tried again; null where only somebody's request does that. */
  readonly nextAt: string | null
}

const MAX_FAILURES = 500
const ISO = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
const LIST_FAILURES = `SELECT id, name AS lane, data, retry_count AS retries, coalesce(output ->> 'message', output -> 'value' ->> 'message', '') AS error,
    ${ISO('coalesce(completed_on, heartbeat_on, started_on, created_on)')} AS failed_at, CASE WHEN state = 'retry' THEN ${ISO('start_after')} END AS next_at
  FROM pgboss.job WHERE state IN ('failed', 'retry') ORDER BY created_on DESC, id LIMIT ${MAX_FAILURES}`

interface Row {
  readonly id: string
  readonly lane: string
  readonly data: AnyJob
  readonly retries: number
  readonly error: string
  readonly failed_at: string
  readonly next_at: string | null
}

/** Failed jobs, the latest first. */
export const listFailures = (db: Db): Promise<Failure[]> =>
  db.tx('owner', async (tx) => {
    const [opened] = await tx.rows("SELECT 1 FROM pg_tables WHERE schemaname = 'pgboss' AND tablename = 'job'")
    const rows = opened ? await tx.rows<Row>(LIST_FAILURES) : []
    return rows.map((r) => ({
      id: r.id,
      lane: r.lane,
      client: 'client' in r.data ? r.data.client : null,
      job: 'client' in r.data ? r.data.listener : r.data.schedule,
      attempts: r.retries + 1,
      error: r.error,
      failedAt: r.failed_at,
      nextAt: r.next_at,
    }))
  })

/** Lets a failed job be tried again now. False where there is no such failure. */
export async function retryFailure(engine: Engine, id: string): Promise<boolean> {
  const failure = (await listFailures(engine.db)).find((f) => f.id === id)
  if (!failure) return false
  await engine.db.tx('owner', (tx) =>
    tx.rows(
      `UPDATE pgboss.job SET state = 'retry', start_after = now(), completed_on = NULL, retry_limit = greatest(retry_limit, retry_count + 1)
       WHERE id = $1 AND state IN ('failed', 'retry')`,
      [id],
    ),
  )
  engine.notifyCommit(new Set(['job']))
  return true
}
