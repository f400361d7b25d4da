import type { Conn } from '#server/db/db.ts'
import type { CsvRow } from '#server/files/csv.ts'
import type { LeadImport } from './batch.server.ts'
import type { LeadMatchKeys, MatchCriterion } from './keys.ts'
import { leadMatchKeys, MATCH_CRITERIA, SeenRows } from './keys.ts'
import { type ImportReferenceLists, resolveReferences } from './lists.server.ts'
import { type createRowParser, importedLeadName } from './row.ts'
import type { ImportReportRow, RowToAdd } from './write.server.ts'

/** An existing lead that matches. */
interface ExistingLeadMatch {
  readonly same: MatchCriterion
  readonly id: number
}

/**
 * The lead behind each key of each row. The aggregate without a limit is deliberate: it makes the planner use the
 * index, key by key, even without statistics for a table that has just grown.
 */
const SQL = `SELECT u.n, split_part(k.key, ':', 1) AS same, m.id
  FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) u(n, company, number, phone, mobile, email, postcode)
  CROSS JOIN LATERAL contact_keys(u.company, u.number, u.phone, u.mobile, u.email) k(key)
  CROSS JOIN LATERAL (
    SELECT min(c.id + 0) AS id FROM contact_key ck JOIN contact c ON c.client_id = ck.client_id AND c.id = ck.contact_id
    WHERE ck.client_id = $1 AND ck.key = k.key AND NOT c.retired
      AND (k.key NOT LIKE 'companyName:%' OR upper(replace(coalesce(c.postcode, ''), ' ', '')) = u.postcode)) m
  WHERE m.id IS NOT NULL`

const SUREST = Object.keys(MATCH_CRITERIA)

/** Finds the tenant's leads that rows of a file duplicate, by row position, in one query. */
async function findExistingLeads(
  conn: Conn,
  clientId: number,
  rows: readonly LeadMatchKeys[],
): Promise<Map<number, ExistingLeadMatch>> {
  const found = await conn.rows<{ n: number; same: MatchCriterion; id: number }>(SQL, [
    clientId,
    rows.map((_, n) => n),
    rows.map((k) => k.company?.[0] ?? null),
    rows.map((k) => k.number),
    rows.map((k) => k.phones[0] ?? null),
    rows.map((k) => k.phones[1] ?? null),
    rows.map((k) => k.email),
    rows.map((k) => k.company?.[1] ?? ''),
  ])
  const best = new Map<number, ExistingLeadMatch>()
  for (const { n, same, id } of found) {
    const known = best.get(n)
    if (!known || SUREST.indexOf(same) < SUREST.indexOf(known.same)) best.set(n, { same, id })
  }
  return best
}

/** Parsing rules for the rows of a file. */
export interface RowReading {
  readonly batch: LeadImport
  readonly lists: ImportReferenceLists
  readonly read: ReturnType<typeof createRowParser>
  /** In a dry run, the rows that would have been added: there are no leads to find them by. */
  readonly dry: SeenRows | undefined
}

/** Decision on a portion of rows. */
export interface RowDecisions {
  readonly taken: readonly RowToAdd[]
  /** In file order; `twin` is the earlier line that a row repeats. */
  readonly reported: readonly (ImportReportRow & { readonly twin?: number })[]
  readonly refused: number
}

/**
 * Decides which rows become leads, which are duplicates and which are rejected. `before`: leads added from the file so
 * far.
 */
export async function decideRows(
  tx: Conn,
  clientId: number,
  { batch, lists, read, dry }: RowReading,
  rows: readonly CsvRow[],
  before: number,
): Promise<RowDecisions> {
  const understood = rows.map((row) => {
    const { lead, wrong } = read(row.cells)
    const refs = resolveReferences(lead, lists)
    return { line: row.line, lead, refs, keys: leadMatchKeys(lead), wrong: wrong ?? refs.wrong }
  })
  const good = understood.filter((u) => !u.wrong)
  const matches = await findExistingLeads(
    tx,
    clientId,
    good.map((u) => u.keys),
  )
  const { duplicates, owners, cameFrom } = batch.settings
  const seen = dry ?? new SeenRows()
  const taken: RowToAdd[] = []
  const reported: (ImportReportRow & { twin?: number })[] = understood.flatMap((u) =>
    u.wrong
      ? [
          {
            line: u.line,
            outcome: 'refused' as const,
            company: importedLeadName(u.lead),
            reason: u.wrong,
            contact: null,
          },
        ]
      : [],
  )
  good.forEach((u, n) => {
    const there = matches.get(n)
    const earlier = there ? undefined : seen.find(u.keys)
    if (there || earlier)
      reported.push({
        line: u.line,
        outcome: duplicates === 'add' ? 'added' : 'duplicate',
        company: importedLeadName(u.lead),
        reason: there
          ? `Same ${MATCH_CRITERIA[there.same]} as an existing lead`
          : `Same ${MATCH_CRITERIA[(earlier as { same: keyof typeof MATCH_CRITERIA }).same]} as an earlier row of this file (line ${earlier?.line})`,
        contact: there?.id ?? null,
        ...(earlier ? { twin: earlier.line } : {}),
      })
    if ((there || earlier) && duplicates === 'skip') return
    if (!there && !earlier && !u.lead.phone && !u.lead.mobile)
      reported.push({
        line: u.line,
        outcome: 'added',
        company: importedLeadName(u.lead),
        reason: 'No telephone number: the lead can’t be called',
        contact: null,
      })
    const turn = before + taken.length
    seen.add(u.keys, u.line)
    taken.push({
      lead: u.lead,
      line: u.line,
      owner: u.refs.owner ?? owners[turn % owners.length] ?? null,
      cameFrom: u.refs.cameFrom ?? cameFrom,
      businessType: u.refs.businessType,
    })
  })
  reported.sort((a, b) => a.line - b.line)
  return { taken, reported, refused: understood.length - good.length }
}
