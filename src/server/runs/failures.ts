import type { PgBoss } from 'pg-boss'
import type { AnyJob } from './queue.ts'

/** A job that has failed: for good, or until it is tried again. */
export interface Failure {
  readonly id: string
  readonly lane: string
  /** Whose event it is; null for a schedule. */
  readonly client: number | null
  /** The listener or schedule. */
  readonly job: string
  readonly attempts: number
  readonly error: string
  readonly failedAt: string
  /** When it is tried again; null where it is not, unless somebody asks for it. */
  readonly nextAt: string | null
}

const MOST = 500
const ISO = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
const LIST = `SELECT id, name AS lane, data, retry_count AS retries, output ->> 'message' AS said, output -> 'value' ->> 'message' AS timed,
    ${ISO('coalesce(completed_on, heartbeat_on, started_on, created_on)')} AS failed_at, CASE WHEN state = 'retry' THEN ${ISO('start_after')} END AS next_at
  FROM pgboss.job WHERE state IN ('failed', 'retry') ORDER BY created_on DESC LIMIT ${MOST}`

interface Row {
  readonly id: string
  readonly lane: string
  readonly data: AnyJob
  readonly retries: number
  readonly said: string | null
  readonly timed: string | null
  readonly failed_at: string
  readonly next_at: string | null
}

/** What has failed, the latest first. */
export async function listFailures(boss: PgBoss): Promise<Failure[]> {
  const { rows }: { rows: Row[] } = await boss.getDb().executeSql(LIST)
  return rows.map((r) => ({
    id: r.id,
    lane: r.lane,
    client: 'client' in r.data ? r.data.client : null,
    job: 'client' in r.data ? r.data.listener : r.data.schedule,
    attempts: r.retries + 1,
    error: r.said ?? r.timed ?? '',
    failedAt: r.failed_at,
    nextAt: r.next_at,
  }))
}

/** Lets a failed job be tried again now. False where there is no such failure. */
export async function retryFailure(boss: PgBoss, id: string): Promise<boolean> {
  const failure = (await listFailures(boss)).find((f) => f.id === id)
  if (!failure) return false
  if (failure.nextAt === null) await boss.retry(failure.lane, id)
  await boss.update(failure.lane, undefined, { id, startAfter: new Date() })
  return true
}
