import { existsSync } from 'node:fs'
import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import type { SqlConn } from '#server/db/db.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { BatchJob, BatchStep } from '#server/engine/schedule.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import type { CsvRow } from '#server/files/csv.ts'
import { readCsvRows } from '#server/files/csv.ts'
import { defineBatchJob } from '#server/jobs/batch-job-control.ts'
import { FilesOnOtherMachineProblem } from '#server/jobs/batch-job-turn.ts'
import { searchDuplicatesAutomatically } from '../duplicates/routes.server.ts'
import { crmNav } from '../nav.ts'
import { REPORT_VALUES_DAYS } from './line.ts'
import { type ImportReferenceLists, readImportReferenceLists, resolveImportReferences } from './lists.server.ts'
import { importUploadPath, removeImportUpload, removeOldImportUploads } from './routes.server.ts'
import type { LeadMatchCriterion, LeadMatchKeys, ParsedImportRow } from './row.ts'
import {
  AddedRowIndex,
  buildLeadMatchKeys,
  createImportRowParser,
  importedLeadName,
  LEAD_MATCH_CRITERIA,
} from './row.ts'
import {
  type ChangedLead,
  findLeadUpdates,
  type LeadUpdate,
  restoreLeadsInPortions,
  writeLeadChanges,
} from './update.server.ts'
import type { ImportReportRow, ImportRowToAdd, LeadImport } from './write.server.ts'
import {
  addImportCounts,
  addImportedLeads,
  finishImport,
  isLargeImport,
  lockImport,
  readImport,
  refreshLeadStatistics,
  resetImport,
  saveImportReport,
  undoImportInPortions,
} from './write.server.ts'

/** An existing lead that a row matches, and the matching criterion. */
interface ExistingLeadMatch {
  readonly same: LeadMatchCriterion
  readonly id: number
  /** Whether no other lead matches. */
  readonly isOnly: boolean
}

/**
 * SQL that finds the existing lead for each key of each row. The aggregate without a limit is deliberate: it makes the
 * planner use the index for each key, even if a table has just grown and has no statistics.
 */
const SQL = `SELECT u.n, split_part(k.key, ':', 1) AS same, m.id, m.last
  FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) u(n, company, number, phone, mobile, email, postcode)
  CROSS JOIN LATERAL contact_keys(u.company, u.number, u.phone, u.mobile, u.email) k(key)
  CROSS JOIN LATERAL (
    SELECT min(c.id + 0) AS id, max(c.id + 0) AS last FROM contact_key ck JOIN contact c ON c.client_id = ck.client_id AND c.id = ck.contact_id
    WHERE ck.client_id = $1 AND ck.key = k.key AND NOT c.retired
      AND (k.key NOT LIKE 'companyName:%' OR upper(replace(coalesce(c.postcode, ''), ' ', '')) = u.postcode)) m
  WHERE m.id IS NOT NULL`

const SUREST = Object.keys(LEAD_MATCH_CRITERIA)

/** Finds the tenant's existing leads that match rows of the file, by row index, in one query. */
async function findExistingLeads(
  conn: SqlConn,
  clientId: number,
  rows: readonly LeadMatchKeys[],
): Promise<Map<number, ExistingLeadMatch>> {
  const found = await conn.rows<{ n: number; same: LeadMatchCriterion; id: number; last: number }>(SQL, [
    clientId,
    rows.map((_, n) => n),
    rows.map((k) => k.company?.[0] ?? null),
    rows.map((k) => k.number),
    rows.map((k) => k.phones.join(',')),
    rows.map(() => null),
    rows.map((k) => k.email),
    rows.map((k) => k.company?.[1] ?? ''),
  ])
  const best = new Map<number, ExistingLeadMatch>()
  for (const { n, same, id, last } of found) {
    const known = best.get(n)
    const isOnly = id === last && (known?.isOnly ?? true) && (known?.id ?? id) === id
    const isSurer = !known || SUREST.indexOf(same) < SUREST.indexOf(known.same)
    best.set(n, isSurer ? { same, id, isOnly } : { ...known, isOnly })
  }
  return best
}

/** Rules and reference lists for parsing the rows of a file. */
export interface RowParsingRules {
  readonly batch: LeadImport
  readonly lists: ImportReferenceLists
  readonly read: ReturnType<typeof createImportRowParser>
  /**
   * In a dry run, the rows that would be added. Later rows are compared with these, because a dry run stores no leads.
   */
  readonly dry: AddedRowIndex | undefined
}

const sameAs = ({ same }: ExistingLeadMatch) => `Same ${LEAD_MATCH_CRITERIA[same]} as an existing lead`

const NO_EVIDENCE_REASON =
  'Consent not imported: its date, how it was given, its wording or the e-mail address is missing'
const CONSENT_OF_KNOWN_REASON = 'Consent not imported: the lead already exists. Record the consent on the lead'
const NO_PHONE_REASON = 'No phone number: the lead can’t be called'

/**
 * Returns the report's reason for a row that matches an existing lead, followed by the values that were not imported.
 */
const reasonOfKnown = (reason: string, { lead, remark }: Pick<ParsedImportRow, 'lead' | 'remark'>): string => {
  const consent = lead.consent ? CONSENT_OF_KNOWN_REASON : lead.lacksEvidence ? NO_EVIDENCE_REASON : undefined
  return [reason, consent, remark].filter(Boolean).join('. ')
}

/** Decisions about a batch of rows. */
export interface ImportRowDecisions {
  readonly taken: readonly ImportRowToAdd[]
  /** Rows for the report, in file order. `twin` is the number of the earlier line that a row repeats. */
  readonly reported: readonly (ImportReportRow & { readonly twin?: number })[]
  readonly changed: readonly ChangedLead[]
  readonly refused: number
}

/**
 * Decides which rows become leads, which change existing ones, which are duplicates and which are rejected. `before` is
 * the number of leads that the import has already added from the file.
 */
async function decideRows(
  c: Context,
  { batch, lists, read, dry }: RowParsingRules,
  rows: readonly CsvRow[],
  before: number,
): Promise<ImportRowDecisions> {
  const understood = rows.map((row) => {
    const { lead, wrong, remark } = read(row.cells)
    const refs = resolveImportReferences(lead, lists)
    return { line: row.line, cells: row.cells, lead, refs, wrong: wrong ?? refs.wrong, remark }
  })
  const report = (
    { line, cells, lead }: (typeof understood)[number],
    outcome: ImportReportRow['outcome'],
    reason: string,
    contact: number | null = null,
  ) => ({ line, cells, outcome, company: importedLeadName(lead), reason, contact })
  const good = understood.flatMap((u) => (u.wrong ? [] : { ...u, keys: buildLeadMatchKeys(u.lead) }))
  const matches = await findExistingLeads(
    c.work.tx,
    c.clientId,
    good.map((u) => u.keys),
  )
  const { duplicates, owners, cameFrom } = batch.settings
  const updates = new Map<number, LeadUpdate>()
  if (duplicates === 'fill' || duplicates === 'replace') {
    const matched = good.flatMap((u, n) => {
      const there = matches.get(n)
      if (!there) return []
      const { id: contact, isOnly } = there
      return { n, line: u.line, contact, same: sameAs(there), isOnly, lead: u.lead, businessType: u.refs.businessType }
    })
    const found = await findLeadUpdates(c, batch, matched)
    for (const [k, { n }] of matched.entries()) updates.set(n, found[k] as LeadUpdate)
  }
  const seen = dry ?? new AddedRowIndex()
  const taken: ImportRowToAdd[] = []
  const reported: (ImportReportRow & { twin?: number })[] = understood.flatMap((u) =>
    u.wrong ? [report(u, 'refused', u.wrong)] : [],
  )
  good.forEach((u, n) => {
    const there = matches.get(n)
    const earlier = there ? undefined : seen.find(u.keys)
    const update = updates.get(n)
    if (there && update) {
      const say = (outcome: 'duplicate' | 'updated', reason: string) =>
        report(u, outcome, reasonOfKnown(reason, u), there.id)
      if ('unchanged' in update) reported.push(say('duplicate', update.unchanged))
      else reported.push({ ...say('updated', sameAs(there)), changes: update.changes })
      return
    }
    if (there || earlier) {
      const reason = there
        ? sameAs(there)
        : `Same ${LEAD_MATCH_CRITERIA[(earlier as { same: keyof typeof LEAD_MATCH_CRITERIA }).same]} as an earlier row of this file (line ${earlier?.line})`
      reported.push({
        ...report(u, duplicates === 'add' ? 'added' : 'duplicate', reason, there?.id ?? null),
        ...(earlier ? { twin: earlier.line } : {}),
      })
    }
    if ((there || earlier) && duplicates !== 'add') return
    if (!there && !earlier) {
      if (!u.lead.phone && !u.lead.mobile) reported.push(report(u, 'incomplete', NO_PHONE_REASON))
      if (u.remark) reported.push(report(u, 'incomplete', u.remark))
    }
    if (u.lead.lacksEvidence) reported.push(report(u, 'incomplete', NO_EVIDENCE_REASON))
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
  const changed = [...updates.values()].flatMap((update) => ('row' in update ? update : []))
  return { taken, reported, changed, refused: understood.length - good.length }
}

/** Event emitted when a file is no longer needed, or when many leads have been added or removed. */
export const importEnded = defineEvent({
  kind: 'crm.import-over',
  version: 1,
  payload: z.object({ file: z.string().nullable(), grown: z.boolean() }),
})

/** Event handler that cleans up after an import has been committed. */
export const cleanUpImport = eventHandler(importEnded, {
  name: 'crm.import-clear-up',
  queue: 'imports',
  send: async ({ engine }, { file, grown }) => {
    await removeImportUpload(engine.config, file)
    if (grown) await refreshLeadStatistics(engine.db)
  },
})

const sweep = async (engine: Engine): Promise<void> => {
  await engine.db.tx('system', (tx) =>
    tx.rows(
      "UPDATE import_batch SET state = 'cancelled', file_key = NULL WHERE state IN ('waiting', 'checked') AND created_at < portal_now() - interval '7 days'",
    ),
  )
  await engine.db.tx('system', (tx) =>
    tx.rows(
      `UPDATE import_line l SET cells = NULL FROM import_batch b WHERE l.cells IS NOT NULL AND b.client_id = l.client_id AND b.id = l.batch_id
         AND b.created_at < portal_now() - interval '${REPORT_VALUES_DAYS} days'`,
    ),
  )
  await removeOldImportUploads(engine.config)
}

/**
 * Daily schedule that cancels imports not started within seven days, and removes abandoned files and the values of old
 * reports.
 */
export const importCleanUpSchedule = schedule({ name: 'crm.imports', every: { daily: '04:00' }, run: sweep })

/** Number of rows that are decided and written in each step. */
const PORTION = 1000
const FILE_GONE_MESSAGE =
  'The uploaded file is no longer available. The leads added so far are saved. Choose the file again (leads already added will be recognised as duplicates), or undo this import.'

const INPUT = z.object({
  batch: z.int(),
  dryRun: z.boolean(),
  /** Path of the file, set only if the command line reads the file directly instead of uploading it. */
  path: z.string().optional(),
})
type ImportJobInput = z.output<typeof INPUT>

const whichOf = ({ clientId, input }: BatchJob<ImportJobInput>) => ({ clientId, id: input.batch })

/**
 * Job that imports a file of leads. Each step commits its leads, its report rows and the new position in the file in
 * one transaction.
 */
export const importJob = defineBatchJob({
  kind: 'crm.import',
  title: 'Lead import',
  queue: 'imports',
  managedAt: 'the list of imports',
  screen: crmNav.imports.path,
  notifiesStarter: ({ dryRun }) => !dryRun,
  input: INPUT,
  /**
   * Number of rows read so far. During an undo, the ID of the last lead removed or, for restored leads, the negative ID
   * of the report row.
   */
  cursor: z.int(),
  // A dry run stores no leads, so it must restart from the beginning to find duplicates within the file.
  restarts: ({ dryRun }) => dryRun,
  lock: (c, input) => lockImport(c.work.tx, { clientId: c.clientId, id: input.batch }).then(() => undefined),
  begin: async (c, run) => {
    await resetImport(c.work.tx, whichOf(run))
    return undefined
  },
  steps: readFile,
  undo: async function* (engine, run, from) {
    if (from === null || from >= 0) yield* undoImportInPortions(engine, run, from)
    yield* restoreLeadsInPortions(engine, run, from)
  },
  onFinished: async (c, run) => {
    const { tx, touched } = c.work
    const batch = await readImport(tx, whichOf(run))
    const file = await finishImport(tx, whichOf(run), run)
    touched.add('import_batch')
    const isGrown = isLargeImport(batch) && !batch.dry_run
    if (run.state === 'done' && !batch.dry_run && batch.rows_added + batch.rows_updated > 0)
      await searchDuplicatesAutomatically(c)
    if (file || isGrown) await c.emit(importEnded, { file, grown: isGrown })
  },
})

async function* readFile(
  engine: Engine,
  run: BatchJob<ImportJobInput>,
  from: number | null,
): AsyncGenerator<BatchStep<number>> {
  const { batch, lists } = await engine.db.tx({ clientId: run.clientId }, async (tx) => ({
    batch: await readImport(tx, whichOf(run)),
    lists: await readImportReferenceLists(tx, run.clientId),
  }))
  const path = pathOf(engine, run, batch)
  const reading: RowParsingRules = {
    batch,
    lists,
    read: createImportRowParser(batch.header, batch.mapping),
    dry: run.input.dryRun ? new AddedRowIndex() : undefined,
  }
  const step = (rows: readonly CsvRow[], place: number): BatchStep<number> => ({
    cursor: place,
    execute: (c) => takeRows(c, run, reading, rows),
  })
  let passed = -1 // Skips the headings.
  let rows: CsvRow[] = []
  for await (const row of readCsvRows(path, batch.format)) {
    if (++passed <= (from ?? 0)) continue
    rows.push(row)
    if (rows.length < PORTION) continue
    yield step(rows, passed)
    rows = []
  }
  if (rows.length) yield step(rows, passed)
}

/**
 * Returns the path of the file. Throws if the file is not on this machine. With an embedded database, there is only one
 * machine.
 */
function pathOf(engine: Engine, { input }: BatchJob<ImportJobInput>, batch: LeadImport): string {
  const path = input.path ?? (batch.file_key ? importUploadPath(engine.config, batch.file_key) : undefined)
  if (path && existsSync(path)) return path
  throw engine.config.databaseUrl && batch.file_key
    ? new FilesOnOtherMachineProblem(FILE_GONE_MESSAGE)
    : problem.conflict(FILE_GONE_MESSAGE)
}

async function takeRows(c: Context, run: BatchJob<ImportJobInput>, reading: RowParsingRules, rows: readonly CsvRow[]) {
  const { tx, touched } = c.work
  const which = whichOf(run)
  const before = (await readImport(tx, which)).rows_added
  const { taken, reported, changed, refused } = await decideRows(c, reading, rows, before)
  if (!reading.dry)
    await writeLeadChanges(c, which, reading.batch.settings.by, changed, {
      verb: 'import',
      words: `Import ${which.id}`,
    })
  const ids = reading.dry ? [] : await addImportedLeads(tx, which, reading.batch, taken)
  const idAt = new Map(taken.map((t, k) => [t.line, ids[k] ?? null]))
  await saveImportReport(
    tx,
    which,
    reported.map((r) => (r.twin === undefined ? r : { ...r, contact: idAt.get(r.twin) ?? null })),
  )
  const duplicate = reported.filter((r) => r.outcome === 'duplicate').length
  const bytes = rows.at(-1)?.bytes ?? 0
  const updated = changed.length
  await addImportCounts(tx, which, { read: rows.length, added: taken.length, duplicate, updated, refused, bytes })
  for (const table of ['import_batch', ...(reading.dry ? [] : ['contact', 'note'])]) touched.add(table)
  return { done: taken.length + updated, refused, tally: { duplicate } }
}
