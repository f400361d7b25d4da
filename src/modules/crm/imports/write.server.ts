import type { Db, Tx } from '#server/db/db.ts'
import { clearSearchBacklog } from '#server/db/search-backlog.ts'
import { contact } from '../contacts/contact.ts'
import type { ImportKey, LeadImport } from './batch.server.ts'
import { COPIED_LEAD_FIELDS, type ImportedLead } from './row.ts'

/** A row to be added as a lead. */
export interface RowToAdd {
  readonly lead: ImportedLead
  readonly line: number
  readonly owner: number | null
  readonly cameFrom: number | null
  readonly businessType: number | null
}

/** A row of the report. */
export interface ImportReportRow {
  readonly line: number
  readonly outcome: 'duplicate' | 'added' | 'refused'
  readonly company: string
  readonly reason: string
  readonly contact: number | null
}

// In the order of the bound values.
const COLUMNS = COPIED_LEAD_FIELDS.map((k) => contact.columns[k])
/** Files contain no head counts: nobody has asked yet. */
const ASKED_NOBODY = "'I didn''t ask', 'I didn''t ask'"
const LEADS = `INSERT INTO contact (client_id, import_batch_id, employees, sub_contractors, id, owner_id, came_from_id, business_type_id, ${COLUMNS.join(', ')})
  SELECT $1, $2, ${ASKED_NOBODY}, u.* FROM unnest($3::bigint[], $4::bigint[], $5::int[], $6::int[], ${COLUMNS.map((_, k) => `$${k + 7}::text[]`).join(', ')}) u`

/** From this number of rows, the search index is updated in large portions. */
const MANY = 5000
export const isLargeImport = (batch: LeadImport) => (batch.rows_total ?? 0) >= MANY

/**
 * After many rows have come or gone: empties the search index's backlog, which every search would read through, and lets
 * the planner know at once how many leads there are now.
 */
export async function refreshLeadStatistics(db: Db): Promise<void> {
  await db.tx('owner', async (tx) => {
    await clearSearchBacklog(tx, 'contact_search')
    await tx.rows('ANALYZE contact, contact_search, contact_key, contact_count, note, import_line')
  })
}

/** Reason that distinguishes imported notes from later ones. */
export const importedNoteReason = (batch: number) => `Import ${batch}`

/** Adds leads in one statement and their notes in another; returns their ids in order. */
export async function addImportedLeads(
  tx: Tx,
  which: ImportKey,
  batch: LeadImport,
  taken: readonly RowToAdd[],
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
    ...COPIED_LEAD_FIELDS.map((k) => taken.map((t) => t.lead[k])),
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
  return ids
}

/** Saves the rows of the report. A lead removed meanwhile is omitted from its row. */
export async function saveImportReport(tx: Tx, which: ImportKey, rows: readonly ImportReportRow[]): Promise<void> {
  if (!rows.length) return
  await tx.rows(
    `INSERT INTO import_line (client_id, batch_id, line, outcome, company, reason, contact_id)
     SELECT $1, $2, u.line, u.outcome, u.company, u.reason, c.id
     FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[]) WITH ORDINALITY u(line, outcome, company, reason, contact, n)
     LEFT JOIN contact c ON c.client_id = $1 AND c.id = u.contact ORDER BY u.n`,
    [
      which.clientId,
      which.id,
      rows.map((r) => r.line),
      rows.map((r) => r.outcome),
      rows.map((r) => r.company),
      rows.map((r) => r.reason),
      rows.map((r) => r.contact),
    ],
  )
}
