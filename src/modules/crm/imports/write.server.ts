import type { Db, SqlConn, Tx } from '#server/db/db.ts'
import { flushSearchIndexes } from '#server/db/search-backlog.ts'
import type { BatchJob, BatchStep, BatchStepResult } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import type { CsvFormat } from '#server/files/csv.ts'
import { contact } from '../contacts/contact.ts'
import type { ColumnMapping } from './columns.ts'
import { COPIED_LEAD_FIELDS, type ImportedLead } from './row.ts'

/** Import settings, as chosen when the import was started. */
export interface ImportSettings {
  readonly duplicates: 'skip' | 'fill' | 'replace' | 'add'
  /** Start of the trial run that showed the changes to existing leads. Leads changed since then are left unchanged. */
  readonly previewedAt: string | null
  /** Staff to whom the leads are assigned. */
  readonly owners: readonly number[]
  readonly cameFrom: number | null
  /** User who started the import, for the audit trail. */
  readonly by: {
    readonly userId: number
    readonly username: string
    readonly asUserId: number | null
    readonly asUsername: string | null
  }
  /** User who requested the undo, if any. */
  readonly undoneBy?: ImportSettings['by']
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
  readonly rows_updated: number
  readonly rows_refused: number
  readonly rows_removed: number
  readonly rows_total: number | null
  readonly error: string | null
  readonly report: readonly { readonly outcome: string; readonly reason: string; readonly rows: number }[]
}

export interface ImportKey {
  readonly clientId: number
  readonly id: number
}
const WHICH = 'client_id = $1 AND id = $2'

export async function readImport(conn: SqlConn, { clientId, id }: ImportKey): Promise<LeadImport> {
  const [batch] = await conn.rows<LeadImport>(`SELECT * FROM import_batch WHERE ${WHICH}`, [clientId, id])
  if (!batch) throw new Error(`There is no import ${id}`)
  return batch
}

/** Locks an import, so that it can't be started, stopped or undone by two requests at the same time. */
export const lockImport = (conn: SqlConn, { clientId, id }: ImportKey): Promise<unknown> =>
  conn.rows(`SELECT 1 FROM import_batch WHERE ${WHICH} FOR UPDATE`, [clientId, id])

export async function resetImport(conn: SqlConn, { clientId, id }: ImportKey): Promise<void> {
  await conn.rows(
    `UPDATE import_batch SET rows_read = 0, rows_added = 0, rows_duplicate = 0, rows_updated = 0, rows_refused = 0, bytes_read = 0, report = '[]' WHERE ${WHICH}`,
    [clientId, id],
  )
  await conn.rows('DELETE FROM import_line WHERE client_id = $1 AND batch_id = $2', [clientId, id])
}

/** Counts that a step adds to those of the import. */
interface ImportCounts {
  readonly read: number
  readonly added: number
  readonly duplicate: number
  readonly updated: number
  readonly refused: number
  /** Position in the file at the end of the step. */
  readonly bytes: number
}

export const addImportCounts = (conn: SqlConn, { clientId, id }: ImportKey, n: ImportCounts): Promise<unknown> =>
  conn.rows(
    `UPDATE import_batch SET rows_read = rows_read + $3, rows_added = rows_added + $4, rows_duplicate = rows_duplicate + $5,
       rows_refused = rows_refused + $6, bytes_read = $7, rows_updated = rows_updated + $8 WHERE ${WHICH}`,
    [clientId, id, n.read, n.added, n.duplicate, n.refused, n.bytes, n.updated],
  )

export const addUndoCounts = (conn: SqlConn, { clientId, id }: ImportKey, n: { removed: number; kept: number }) =>
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
 * Completes an import with the status of its job, a report on the rows that were not added, and a single audit row.
 * Returns the key of the file if the file is no longer needed and must be removed.
 */
export async function finishImport(conn: SqlConn, which: ImportKey, run: BatchJob): Promise<string | null> {
  const before = await readImport(conn, which)
  const ended = run.state === 'done' && before.dry_run ? 'checked' : (STATES[run.state] ?? run.state)
  // The import may have been cancelled while the last rows were being read; if so, it stays cancelled.
  const state = before.state === 'cancelled' && ended !== 'undone' ? 'cancelled' : ended
  await conn.rows(
    `UPDATE import_batch b SET state = $3, error = $4, finished_at = portal_now(),
       undone_at = CASE WHEN $3 = 'undone' THEN portal_now() END, file_key = CASE WHEN $3 <> 'finished' THEN file_key END,
       report = coalesce((SELECT json_agg(r) FROM (
         SELECT outcome, regexp_replace(reason, ' \\((line |“).*|; this has .*', '') AS reason, count(*)::int AS rows FROM import_line l
         WHERE l.client_id = b.client_id AND l.batch_id = b.id GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 20) r), '[]')
     WHERE ${WHICH}`,
    [which.clientId, which.id, state, run.error],
  )
  if (!before.dry_run) await tellTrail(conn, which, before, state)
  return state === 'finished' ? before.file_key : null
}

async function tellTrail(conn: SqlConn, { clientId, id }: ImportKey, batch: LeadImport, state: string): Promise<void> {
  const by = batch.settings.undoneBy ?? batch.settings.by
  const changes = {
    state: [batch.state, state],
    rowsRead: [0, batch.rows_read],
    rowsAdded: [0, batch.rows_added],
    rowsUpdated: [0, batch.rows_updated],
    rowsRemoved: [0, batch.rows_removed],
  }
  await conn.rows(
    `INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username, as_user_id, as_username) VALUES ($1, 'ImportBatch', $2, $3, $4, $5, $6, $7, $8)`,
    [clientId, id, state, JSON.stringify(changes), by.userId, by.username, by.asUserId, by.asUsername],
  )
}

export interface ImportRowToAdd {
  readonly lead: ImportedLead
  readonly line: number
  readonly owner: number | null
  readonly cameFrom: number | null
  readonly businessType: number | null
}

/** Values of a lead's fields before and after a change. */
export type LeadChanges = Readonly<
  Record<string, readonly [before: string | number | null, after: string | number | null]>
>

export interface ImportReportRow {
  readonly line: number
  readonly outcome: 'duplicate' | 'added' | 'incomplete' | 'updated' | 'refused'
  /** The row's values as in the file. */
  readonly cells: readonly string[]
  readonly changes?: LeadChanges
  readonly company: string
  readonly reason: string
  readonly contact: number | null
}

// Columns in the order of the bound values.
const COLUMNS = COPIED_LEAD_FIELDS.map((k) => contact.columns[k])
/** Head counts of imported leads. Files contain no head counts, so these values mean “not asked yet”. */
const ASKED_NOBODY = "'I didn''t ask', 'I didn''t ask'"
const LEADS = `INSERT INTO contact (client_id, import_batch_id, employees, sub_contractors, id, owner_id, came_from_id, business_type_id, ${COLUMNS.join(', ')})
  SELECT $1, $2, ${ASKED_NOBODY}, u.* FROM unnest($3::bigint[], $4::bigint[], $5::int[], $6::int[], ${COLUMNS.map((_, k) => `$${k + 7}::text[]`).join(', ')}) u`

/** Minimum number of rows for which the search index is updated in large batches. */
const BULK_INDEX_MIN_ROWS = 5000
export const isLargeImport = (batch: LeadImport) => (batch.rows_total ?? 0) >= BULK_INDEX_MIN_ROWS

/**
 * Empties the backlog of the search index, which every search would otherwise read, and updates the planner's row
 * counts. Must be called after many rows have been added or removed.
 */
export async function refreshLeadStatistics(db: Db): Promise<void> {
  await db.tx('owner', async (tx) => {
    await flushSearchIndexes(tx, 'contact_search')
    await tx.rows('ANALYZE contact, contact_search, contact_key, contact_count, note, import_line')
  })
}

/** Returns the reason stored with imported notes, which distinguishes them from notes added later. */
const importedNoteReason = (batch: number) => `Import ${batch}`

/** Adds leads in one statement and their notes in another. Returns the leads' IDs in order. */
export async function addImportedLeads(
  tx: Tx,
  which: ImportKey,
  batch: LeadImport,
  taken: readonly ImportRowToAdd[],
): Promise<number[]> {
  if (!taken.length) return []
  if (isLargeImport(batch)) await tx.rows("SET LOCAL gin_pending_list_limit = '64MB'")
  const ids = (
    await tx.rows<{ id: number }>("SELECT nextval('contact_id_seq') AS id FROM generate_series(1, $1)", [taken.length])
  ).map((r) => r.id)
  await tx.rows(LEADS, [
    which.clientId,
    which.id,
    ids,
    taken.map((t) => t.owner),
    taken.map((t) => t.cameFrom),
    taken.map((t) => t.businessType),
    ...COPIED_LEAD_FIELDS.map((k) => taken.map((t) => t.lead[k] ?? (k === 'legalForm' ? 'unknown' : null))),
  ])
  const noted = taken.flatMap((t, k) => (t.lead.notes ? [[ids[k], t.lead.notes] as const] : []))
  if (noted.length)
    await tx.rows(
      'INSERT INTO note (client_id, contact_id, author, reason, notes) SELECT $1, u.id, $2, $3, u.notes FROM unnest($4::bigint[], $5::text[]) u(id, notes)',
      [
        which.clientId,
        batch.settings.by.username,
        importedNoteReason(which.id),
        noted.map((n) => n[0]),
        noted.map((n) => n[1]),
      ],
    )
  const agreed = taken.flatMap(({ lead: { consent, email } }, k) =>
    consent ? [{ ...consent, email, id: ids[k] }] : [],
  )
  if (agreed.length)
    await tx.rows(
      `INSERT INTO marketing_consent (client_id, author, contact_id, address, how, given_on, evidence)
       SELECT $1, $2, u.id, u.email, u.how, u.given_on, u.evidence || $3
       FROM jsonb_to_recordset($4::jsonb) AS u (id bigint, email text, how text, given_on date, evidence text)
       ON CONFLICT DO NOTHING`,
      [
        which.clientId,
        batch.settings.by.username,
        importedConsentMark(which.id),
        JSON.stringify(agreed.map(({ givenOn, ...rest }) => ({ ...rest, given_on: givenOn }))),
      ],
    )
  return ids
}

/** Returns the text at the end of an imported consent's evidence, by which undoing the import finds the consent. */
const importedConsentMark = (batch: number) => ` (import ${batch})`

/** Saves rows of the import report. If a lead has been removed or merged in the meantime, its row is saved without the lead. */
export async function saveImportReport(tx: Tx, which: ImportKey, rows: readonly ImportReportRow[]): Promise<void> {
  if (!rows.length) return
  await tx.rows(
    `INSERT INTO import_line (client_id, batch_id, line, outcome, company, reason, contact_id, cells, changes)
     SELECT $1, $2, u.line, u.outcome, u.company, u.reason, c.id, u.cells, u.changes
     FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::jsonb[], $9::jsonb[])
       WITH ORDINALITY u(line, outcome, company, reason, contact, cells, changes, n)
     LEFT JOIN contact c ON c.client_id = $1 AND c.id = u.contact AND c.merged_into_id IS NULL ORDER BY u.n`,
    [
      which.clientId,
      which.id,
      rows.map((r) => r.line),
      rows.map((r) => r.outcome),
      rows.map((r) => r.company),
      rows.map((r) => r.reason),
      rows.map((r) => r.contact),
      rows.map((r) => JSON.stringify(r.cells.map((cell) => cell.replaceAll('\u0000', '').toWellFormed()))),
      rows.map((r) => (r.changes ? JSON.stringify(r.changes) : null)),
    ],
  )
}

const PORTION = 500

/** SQL for the reason why a lead is retained when its import is undone; null if the lead can be removed. */
const RETENTION_REASON = `CASE
  WHEN c.merged_into_id IS NOT NULL THEN 'This lead has been merged into another'
  WHEN EXISTS (SELECT 1 FROM note n WHERE n.client_id = c.client_id AND n.contact_id = c.id AND n.reason IS DISTINCT FROM $3) THEN 'This lead has been worked on'
  WHEN EXISTS (SELECT 1 FROM sale s WHERE s.client_id = c.client_id AND s.contact_id = c.id) THEN 'This lead has a sale'
  WHEN EXISTS (SELECT 1 FROM supported s WHERE s.client_id = c.client_id AND s.contact_id = c.id) THEN 'Support looks after this lead'
  WHEN EXISTS (SELECT 1 FROM referral r WHERE r.client_id = c.client_id AND r.contact_id = c.id) THEN 'This lead has recommended another lead'
  WHEN c.updated_at <> c.created_at THEN 'This lead has been changed since'
  WHEN c.lease_until > portal_now() THEN 'This lead is being worked on at the moment'
  WHEN c.account_id IS NOT NULL THEN 'This lead has become a client'
END`

/** Voids an import's consents and removes its leads in batches, except for leads that have been worked on. */
export async function* undoImportInPortions(
  engine: Engine,
  run: BatchJob<{ readonly batch: number }>,
  from: number | null,
): AsyncGenerator<BatchStep<number>> {
  const which = { clientId: run.clientId, id: run.input.batch }
  if (from === null) yield { cursor: 0, execute: (c) => voidConsents(c, which) }
  for (let after = from ?? 0; ; ) {
    const leads = await engine.db.tx({ clientId: which.clientId }, (tx) =>
      tx.rows<{ id: number }>(
        'SELECT id FROM contact WHERE client_id = $1 AND import_batch_id = $2 AND id > $3 ORDER BY id LIMIT $4',
        [which.clientId, which.id, after, PORTION],
      ),
    )
    const last = leads.at(-1)?.id
    if (last === undefined) return
    yield {
      cursor: last,
      execute: (c) =>
        takeBack(
          c,
          which,
          leads.map((lead) => lead.id),
        ),
    }
    after = last
  }
}

/**
 * Voids an import's consents, wherever merges have moved them. They end without a withdrawal date, because nobody
 * withdrew them. Their evidence is retained, as are real withdrawals.
 */
async function voidConsents(c: Context, which: ImportKey): Promise<BatchStepResult> {
  await c.work.tx.rows(
    `UPDATE marketing_consent SET withdrawn = true, reason = 'The import was undone', updated_at = portal_now()
     WHERE client_id = $1 AND NOT withdrawn AND right(evidence, length($2)) = $2`,
    [which.clientId, importedConsentMark(which.id)],
  )
  c.work.touched.add('marketing_consent')
  return { done: 0 }
}

/** Removes leads, and reports the retained ones with the reasons. */
async function takeBack(c: Context, which: ImportKey, leads: readonly number[]): Promise<BatchStepResult> {
  const { tx, touched } = c.work
  await tx.rows('SELECT 1 FROM contact WHERE client_id = $1 AND id = ANY($2::bigint[]) ORDER BY id FOR UPDATE', [
    which.clientId,
    leads,
  ])
  const known = await tx.rows<RetainedLead>(
    `SELECT c.id, ${RETENTION_REASON} AS why FROM contact c WHERE c.client_id = $1 AND c.id = ANY($2::bigint[])`,
    [which.clientId, leads, importedNoteReason(which.id)],
  )
  const untouched = known.filter((r) => r.why === null).map((r) => r.id)
  await tx.rows(
    `UPDATE marketing_consent SET contact_id = NULL
     WHERE client_id = $1 AND contact_id = ANY($2::bigint[]) AND withdrawn AND withdrawn_at IS NULL AND right(evidence, length($3)) = $3`,
    [which.clientId, untouched, importedConsentMark(which.id)],
  )
  const bound = await remove(c, untouched)
  const stay = [
    ...known.filter((r) => r.why !== null),
    ...bound.map((id) => ({ id, why: 'Other records refer to this lead' })),
  ]
  await keep(c, which, stay)
  const removed = untouched.length - bound.length
  await addUndoCounts(tx, which, { removed, kept: stay.length })
  for (const table of ['import_batch', 'contact', 'note', 'marketing_consent']) touched.add(table)
  return { done: removed, tally: { kept: stay.length } }
}

export interface RetainedLead {
  readonly id: number
  readonly why: string | null
}

/**
 * Removes all the leads together if possible, otherwise in progressively smaller groups. Returns the leads that are
 * still referenced.
 */
async function remove(c: Context, leads: readonly number[]): Promise<readonly number[]> {
  if (!leads.length) return []
  const tried = await c.attempt(() =>
    c.work.tx.rows('DELETE FROM contact WHERE client_id = $1 AND id = ANY($2::bigint[])', [c.clientId, leads]),
  )
  if ('value' in tried) return []
  if (leads.length === 1) return leads
  const size = Math.ceil(leads.length / 8)
  const bound: number[] = []
  for (let n = 0; n < leads.length; n += size) bound.push(...(await remove(c, leads.slice(n, n + size))))
  return bound
}

/** Reports leads that an undo retains. A merged lead is reported without a link, because nothing may refer to it. */
export async function keep(c: Context, which: ImportKey, stay: readonly RetainedLead[]): Promise<void> {
  if (!stay.length) return
  await c.work.tx.rows(
    `INSERT INTO import_line (client_id, batch_id, line, outcome, company, reason, contact_id)
     SELECT $1, $2, 0, 'kept', left(coalesce(c.company_name, c.name, c.email, c.phone, ''), 255), u.why,
       CASE WHEN c.merged_into_id IS NULL THEN c.id END
     FROM unnest($3::bigint[], $4::text[]) u(id, why) JOIN contact c ON c.client_id = $1 AND c.id = u.id`,
    [which.clientId, which.id, stay.map((r) => r.id), stay.map((r) => r.why)],
  )
}
