import type { Conn } from '#server/db/db.ts'
import type { BatchJob } from '#server/engine/batch-job.ts'
import type { CsvFormat } from '#server/files/csv.ts'
import type { ColumnMapping } from './mapping.ts'

/** Import settings, as chosen at the start. */
export interface ImportSettings {
  readonly duplicates: 'skip' | 'add'
  /** Staff to whom the leads are assigned. */
  readonly owners: readonly number[]
  readonly cameFrom: number | null
  /** User who started it, for the audit trail. */
  readonly by: {
    readonly userId: number
    readonly username: string
    readonly asUserId: number | null
    readonly asUsername: string | null
  }
}

/** An import as processed by the job. */
export interface LeadImport {
  readonly client_id: number
  readonly id: number
  readonly state: string
  readonly file_key: string | null
  readonly format: CsvFormat
  readonly header: readonly string[]
  readonly mapping: ColumnMapping
  readonly settings: ImportSettings
  readonly dry_run: boolean
  readonly rows_read: number
  readonly rows_added: number
  readonly rows_duplicate: number
  readonly rows_refused: number
  readonly rows_removed: number
  readonly rows_total: number | null
  readonly error: string | null
  readonly report: readonly { readonly outcome: string; readonly reason: string; readonly rows: number }[]
}

/** Key of an import. */
export interface ImportKey {
  readonly clientId: number
  readonly id: number
}
const WHICH = 'client_id = $1 AND id = $2'

export async function readImport(conn: Conn, { clientId, id }: ImportKey): Promise<LeadImport> {
  const [batch] = await conn.rows<LeadImport>(`SELECT * FROM import_batch WHERE ${WHICH}`, [clientId, id])
  if (!batch) throw new Error(`There is no import ${id}`)
  return batch
}

/** Locks an import against concurrent starting, stopping or undoing. */
export const lockImport = (conn: Conn, { clientId, id }: ImportKey): Promise<unknown> =>
  conn.rows(`SELECT 1 FROM import_batch WHERE ${WHICH} FOR UPDATE`, [clientId, id])

/** Resets the counts and the report of an import. */
export async function resetImport(conn: Conn, { clientId, id }: ImportKey): Promise<void> {
  await conn.rows(
    `UPDATE import_batch SET rows_read = 0, rows_added = 0, rows_duplicate = 0, rows_refused = 0, bytes_read = 0, report = '[]' WHERE ${WHICH}`,
    [clientId, id],
  )
  await conn.rows('DELETE FROM import_line WHERE client_id = $1 AND batch_id = $2', [clientId, id])
}

/** Counts that a step adds to an import. */
export interface ImportCounts {
  readonly read: number
  readonly added: number
  readonly duplicate: number
  readonly refused: number
  /** File position at the end of the step. */
  readonly bytes: number
}

export const addImportCounts = (conn: Conn, { clientId, id }: ImportKey, n: ImportCounts): Promise<unknown> =>
  conn.rows(
    `UPDATE import_batch SET rows_read = rows_read + $3, rows_added = rows_added + $4, rows_duplicate = rows_duplicate + $5,
       rows_refused = rows_refused + $6, bytes_read = $7 WHERE ${WHICH}`,
    [clientId, id, n.read, n.added, n.duplicate, n.refused, n.bytes],
  )

export const addUndoCounts = (conn: Conn, { clientId, id }: ImportKey, n: { removed: number; kept: number }) =>
  conn.rows(`UPDATE import_batch SET rows_removed = rows_removed + $3, rows_kept = rows_kept + $4 WHERE ${WHICH}`, [
    clientId,
    id,
    n.removed,
    n.kept,
  ])

const STATES: Readonly<Record<string, string>> = {
  done: 'finished',
  stopped: 'cancelled',
  failed: 'failed',
  undone: 'undone',
}

/**
 * Completes an import with the status of its job, a report of rows not added and a single audit row. Returns the key of
 * a file that is no longer needed, for removal.
 */
export async function finishImport(conn: Conn, which: ImportKey, run: BatchJob): Promise<string | null> {
  const before = await readImport(conn, which)
  const ended = run.state === 'done' && before.dry_run ? 'checked' : (STATES[run.state] ?? run.state)
  // It was cancelled while the last rows were read.
  const state = before.state === 'cancelled' && ended !== 'undone' ? 'cancelled' : ended
  await conn.rows(
    `UPDATE import_batch b SET state = $3, error = $4, finished_at = portal_now(),
       undone_at = CASE WHEN $3 = 'undone' THEN portal_now() END, file_key = CASE WHEN $3 <> 'finished' THEN file_key END,
       report = coalesce((SELECT json_agg(r) FROM (
         SELECT outcome, regexp_replace(reason, ' \\(line .*|; this has .*', '') AS reason, count(*)::int AS rows FROM import_line l
         WHERE l.client_id = b.client_id AND l.batch_id = b.id GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 20) r), '[]')
     WHERE ${WHICH}`,
    [which.clientId, which.id, state, run.error],
  )
  if (!before.dry_run) await tellTrail(conn, which, before, state)
  return state === 'finished' ? before.file_key : null
}

async function tellTrail(conn: Conn, { clientId, id }: ImportKey, batch: LeadImport, state: string): Promise<void> {
  const { by } = batch.settings
  const changes = {
    state: [batch.state, state],
    rowsRead: [0, batch.rows_read],
    rowsAdded: [0, batch.rows_added],
    rowsRemoved: [0, batch.rows_removed],
  }
  await conn.rows(
    `INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username, as_user_id, as_username) VALUES ($1, 'ImportBatch', $2, $3, $4, $5, $6, $7, $8)`,
    [clientId, id, state, JSON.stringify(changes), by.userId, by.username, by.asUserId, by.asUsername],
  )
}
