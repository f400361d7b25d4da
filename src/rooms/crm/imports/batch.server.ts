import type { Db, Tx } from '#server/db/db.ts'
import type { Format } from '#server/files/csv.ts'
import type { Mapping } from './mapping.ts'

/** How a batch is to be read, as its starter chose. */
export interface Settings {
  readonly duplicates: 'skip' | 'add'
  /** Staff among whom the leads are shared out. */
  readonly owners: readonly number[]
  readonly cameFrom: number | null
  /** Who started it, for the audit. */
  readonly by: {
    readonly userId: number
    readonly username: string
    readonly asUserId: number | null
    readonly asUsername: string | null
  }
}

/** A batch as the import works on it. */
export interface Batch {
  readonly client_id: number
  readonly id: number
  readonly state: string
  readonly file_name: string
  readonly file_key: string | null
  readonly format: Format
  readonly header: readonly string[]
  readonly mapping: Mapping
  readonly settings: Settings
  readonly dry_run: boolean
  readonly rows_read: number
  readonly rows_added: number
  readonly rows_duplicate: number
  readonly rows_refused: number
  readonly rows_removed: number
  readonly rows_kept: number
  readonly rows_total: number | null
}

/** Somebody has cancelled the batch, or another process has it. */
export class Stopped extends Error {}

/** Which batch a runner holds. */
export interface Held {
  readonly clientId: number
  readonly id: number
  readonly runner: string
}

/** A runner that has shown no sign of life for so long is taken to be gone. */
export const SILENT_SECONDS = 60

/** Takes a batch that is to be worked on and that nobody holds. `alone`: no other process can be holding it. */
export async function claim(db: Db, held: Held, alone: boolean): Promise<Batch | undefined> {
  return db.tx({ clientId: held.clientId }, async (tx) => {
    const [batch] = await tx.rows<Batch>(
      `UPDATE import_batch SET runner = $3, beat_at = now(), error = NULL
       WHERE client_id = $1 AND id = $2 AND state IN ('running', 'undoing') AND (runner IS NULL OR beat_at < now() - make_interval(secs => $4) OR $5)
       RETURNING *`,
      [held.clientId, held.id, held.runner, SILENT_SECONDS, alone],
    )
    // What only looks, and what takes back, may begin again; what adds goes on where it stopped.
    if (!batch || (batch.state === 'running' && !batch.dry_run)) return batch
    const [fresh] = await tx.rows<Batch>(
      batch.state === 'running'
        ? 'UPDATE import_batch SET rows_read = 0, rows_added = 0, rows_duplicate = 0, rows_refused = 0, bytes_read = 0 WHERE client_id = $1 AND id = $2 RETURNING *'
        : 'UPDATE import_batch SET rows_kept = 0 WHERE client_id = $1 AND id = $2 RETURNING *',
      [held.clientId, held.id],
    )
    await tx.rows(
      "DELETE FROM import_line WHERE client_id = $1 AND batch_id = $2 AND ($3 = 'running' OR outcome = 'kept')",
      [held.clientId, held.id, batch.state],
    )
    return fresh
  })
}

const COUNTERS = {
  rows_read: 'int',
  rows_added: 'int',
  rows_duplicate: 'int',
  rows_refused: 'int',
  bytes_read: 'bigint',
  rows_removed: 'int',
  rows_kept: 'int',
} as const
export type Counts = Partial<Record<keyof typeof COUNTERS, number>>

/**
 * Records how far a batch is, first thing in the transaction that gets it there: the row stays locked until then, so that
 * nothing is done twice and nobody can stop the batch in the middle of a step.
 */
export async function advance(tx: Tx, held: Held, state: 'running' | 'undoing', to: Counts): Promise<void> {
  const names = Object.keys(to) as (keyof typeof COUNTERS)[]
  const sets = names.map((n, k) => `${n} = $${k + 5}::${COUNTERS[n]}`)
  const [mine] = await tx.rows(
    `UPDATE import_batch SET beat_at = now(), ${sets.join(', ')} WHERE client_id = $1 AND id = $2 AND runner = $3 AND state = $4 RETURNING id`,
    [held.clientId, held.id, held.runner, state, ...names.map((n) => to[n])],
  )
  if (!mine) throw new Stopped()
}

/** Ends a batch's work: its new state, why its rows were not simply added, and one audit row for all of it. */
export async function settle(
  db: Db,
  held: Held,
  from: 'running' | 'undoing',
  to: 'finished' | 'checked' | 'failed' | 'undone',
  error: string | null = null,
): Promise<Batch | undefined> {
  return db.tx({ clientId: held.clientId }, async (tx) => {
    const [batch] = await tx.rows<Batch>(
      `UPDATE import_batch b SET state = $4, error = $5, runner = NULL, finished_at = now(),
         undone_at = CASE WHEN $4 = 'undone' THEN now() END,
         report = coalesce((SELECT json_agg(r) FROM (
           SELECT outcome, regexp_replace(reason, ' \\(line .*|; this has .*', '') AS reason, count(*)::int AS rows FROM import_line l
           WHERE l.client_id = b.client_id AND l.batch_id = b.id GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 20) r), '[]')
       WHERE client_id = $1 AND id = $2 AND runner = $3 AND state = $6 RETURNING *`,
      [held.clientId, held.id, held.runner, to, error, from],
    )
    if (!batch || batch.dry_run) return batch
    const { by } = batch.settings
    const changes = {
      state: [from, to],
      rowsRead: [0, batch.rows_read],
      rowsAdded: [0, batch.rows_added],
      rowsRemoved: [0, batch.rows_removed],
    }
    await tx.rows(
      `INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username, as_user_id, as_username) VALUES ($1, 'ImportBatch', $2, $3, $4, $5, $6, $7, $8)`,
      [held.clientId, held.id, to, JSON.stringify(changes), by.userId, by.username, by.asUserId, by.asUsername],
    )
    return batch
  })
}
