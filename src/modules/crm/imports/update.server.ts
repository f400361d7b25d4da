import { labelOf } from '#kernel/fields.ts'
import type { RowOf } from '#kernel/resource.ts'
import { parsePhoneNumbers } from '#kernel/text/phone.ts'
import { foldEmail } from '#kernel/validate.ts'
import type { BatchJob, BatchStep } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { contact } from '../contacts/contact.ts'
import { companyNumberKey } from '../duplicate-keys/keys.ts'
import { COPIED_LEAD_FIELDS, type ImportedLead } from './row.ts'
import {
  addUndoCounts,
  type ImportKey,
  type ImportSettings,
  keep,
  type LeadChanges,
  type LeadImport,
  type RetainedLead,
  readImport,
} from './write.server.ts'

/** Fields of an existing lead that an import may change. Ownership, results, dates and do-not-call are not among them. */
const UPDATED_FIELDS = [...COPIED_LEAD_FIELDS, 'businessType'] as const
type UpdatedField = (typeof UPDATED_FIELDS)[number]
type LeadRow = RowOf<typeof contact>
type LeadValue = string | number | null

/** A row that matches an existing lead. */
export interface MatchedRow {
  readonly line: number
  readonly contact: number
  /** Description of what the row and the lead have in common, as the beginning of a sentence about the lead. */
  readonly same: string
  /** Whether the row matches no other lead. */
  readonly isOnly: boolean
  readonly lead: ImportedLead
  readonly businessType: number | null
}

/** Changes to the lead that a row matches, or the reason why there are none. */
export type LeadUpdate = { readonly row: LeadRow; readonly changes: LeadChanges } | { readonly unchanged: string }

const numbersOf = (...fields: readonly LeadValue[]) =>
  fields.flatMap((field) => parsePhoneNumbers(String(field ?? '')).numbers)

/** True if two values of a field mean the same: for example, the same number or address in another spelling. */
function isSameValue(field: UpdatedField, one: LeadValue, other: LeadValue): boolean {
  const [a, b] = [String(one ?? ''), String(other ?? '')]
  if (a === b) return true
  if (field === 'phone' || field === 'mobile') return a !== '' && numbersOf(a).join() === numbersOf(b).join()
  if (field === 'email') return foldEmail(a) === foldEmail(b)
  if (field === 'companyNumber') return companyNumberKey(a) === companyNumberKey(b)
  return field === 'postcode' && a.replace(/\s/g, '').toUpperCase() === b.replace(/\s/g, '').toUpperCase()
}

/** True if a field has no informative value: it is blank, or the legal form is unknown. */
const isBlank = (field: UpdatedField, value: LeadValue): boolean =>
  value === null || value === '' || (field === 'legalForm' && value === 'unknown')

/**
 * Returns the changes that a row makes to a lead. It never changes the numbers of a do-not-call lead, a suppressed
 * address, the entry "no" for a refused address, or a legal form for which the row has no known form.
 */
function compareWithRow(row: LeadRow, from: MatchedRow, replaces: boolean, isSuppressed: boolean): LeadChanges {
  const changes: Record<string, readonly [LeadValue, LeadValue]> = {}
  const known = numbersOf(row.phone, row.mobile)
  for (const field of UPDATED_FIELDS) {
    const now = row[field]
    const next = field === 'businessType' ? from.businessType : from.lead[field]
    if (isBlank(field, next) || (!isBlank(field, now) && !replaces) || isSameValue(field, now, next)) continue
    if (field === 'phone' || field === 'mobile') {
      const numbers = numbersOf(next)
      if (row.doNotCall || (numbers.length > 0 && numbers.every((number) => known.includes(number)))) continue
    }
    if (field === 'email' && (isSuppressed || [now, next].some((v) => String(v).toLowerCase() === 'no'))) continue
    changes[field] = [now, next]
  }
  return changes
}

/**
 * Compares rows with the leads that they match. In the import itself, the leads are locked, and a lead that is being
 * worked on or has been changed since the trial run is left unchanged.
 */
export async function findLeadUpdates(
  c: Context,
  { client_id: clientId, id, settings, dry_run: isDryRun }: LeadImport,
  rows: readonly MatchedRow[],
): Promise<LeadUpdate[]> {
  const ids = [...new Set(rows.filter(({ isOnly }) => isOnly).map((row) => row.contact))]
  const leads = !ids.length ? [] : isDryRun ? await c.find(contact, { id: ids }) : await c.lockAll(contact, { id: ids })
  const byId = new Map(leads.map((lead) => [lead.id, lead]))
  const { tx } = c.work
  const suppressed = new Set(
    (
      await tx.rows<{ key: string }>(
        `SELECT email_key(s.address) AS key FROM email_suppression s WHERE s.client_id = $1 AND NOT s.retired
           AND email_key(s.address) = ANY(ARRAY(SELECT email_key(u) FROM unnest($2::text[]) u))`,
        [clientId, leads.flatMap(({ email }) => email || [])],
      )
    ).map(({ key }) => key),
  )
  const lineOf = new Map(
    (
      await tx.rows<{ contact: number; line: number }>(
        `SELECT contact_id AS contact, min(line) AS line FROM import_line
         WHERE client_id = $1 AND batch_id = $2 AND outcome = 'updated' AND contact_id = ANY($3::bigint[]) GROUP BY 1`,
        [clientId, id, ids],
      )
    ).map(({ contact, line }) => [contact, line]),
  )
  // Compared in SQL, because times in records are read to the second.
  const edited = new Set(
    (
      await tx.rows<{ id: number }>(
        'SELECT id FROM contact WHERE client_id = $1 AND id = ANY($2::bigint[]) AND updated_at > $3::timestamptz',
        [clientId, isDryRun ? [] : ids, settings.previewedAt],
      )
    ).map((lead) => lead.id),
  )
  return rows.map((from) => {
    const row = byId.get(from.contact)
    const leave = (why: string) => ({ unchanged: `${from.same}, which ${why}` })
    if (!from.isOnly) return { unchanged: 'Matches several existing leads, so none is changed' }
    if (!row) return leave('has been retired or merged')
    const before = lineOf.get(row.id)
    if (before !== undefined) return leave(`was already updated by an earlier row (line ${before})`)
    if (row.importBatch === id) return leave('was added by an earlier row of this file')
    if (edited.has(row.id)) return leave('has been changed since the trial run, so it was left as it is')
    if (!isDryRun && row.leaseUntil !== null && Date.parse(row.leaseUntil) > c.now.epochMilliseconds)
      return leave('is being worked on at the moment, so it was left as it is')
    const isSuppressed = row.email !== null && suppressed.has(foldEmail(row.email))
    const changes = compareWithRow(row, from, settings.duplicates === 'replace', isSuppressed)
    if (!Object.keys(changes).length) return leave('has no values to change')
    lineOf.set(row.id, from.line)
    return { row, changes }
  })
}

/** A locked lead with the values that an import changes. */
export interface ChangedLead {
  readonly row: LeadRow
  readonly changes: LeadChanges
}

const COLUMNS = UPDATED_FIELDS.map((field) => contact.columns[field])
const UPDATE = `UPDATE contact c SET updated_at = portal_now(), last_edit_by = $2, ${COLUMNS.map((column) => `${column} = u.${column}`).join(', ')}
  FROM unnest($3::bigint[], ${UPDATED_FIELDS.map((field, n) => `$${n + 4}::${field === 'businessType' ? 'int' : 'text'}[]`).join(', ')}) u(id, ${COLUMNS.join(', ')})
  WHERE c.client_id = $1 AND c.id = u.id`

const wordOf = (value: LeadValue): string => (value === null || value === '' ? 'blank' : String(value))

/**
 * Writes changed values of locked leads in one statement, with an audit row and a note for each lead. Their author is
 * the person who started or undid the import.
 */
export async function writeLeadChanges(
  c: Context,
  which: ImportKey,
  by: ImportSettings['by'],
  leads: readonly ChangedLead[],
  { verb, words }: { readonly verb: string; readonly words: string },
): Promise<void> {
  if (!leads.length) return
  const { tx, saved, touched } = c.work
  const ids = leads.map(({ row }) => row.id)
  const values = UPDATED_FIELDS.map((field) =>
    leads.map(({ row, changes }) => (changes[field] ? changes[field][1] : row[field])),
  )
  await tx.rows(UPDATE, [which.clientId, by.username, ids, ...values])
  await tx.rows(
    `INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username, as_user_id, as_username)
     SELECT $1, 'Contact', u.id, $2, u.changes, $3, $4, $5, $6 FROM unnest($7::bigint[], $8::jsonb[]) u(id, changes)`,
    [
      which.clientId,
      verb,
      by.userId,
      by.username,
      by.asUserId,
      by.asUsername,
      ids,
      leads.map(({ changes }) => JSON.stringify(changes)),
    ],
  )
  const lines = ({ changes }: ChangedLead) =>
    Object.entries(changes).flatMap(([name, [before, after]]) =>
      name === 'businessType'
        ? []
        : `${labelOf(name, contact.fields[name as UpdatedField])}: ${wordOf(before)} → ${wordOf(after)}`,
    )
  await tx.rows(
    'INSERT INTO note (client_id, contact_id, author, reason, notes) SELECT $1, u.id, $2, $3, u.notes FROM unnest($4::bigint[], $5::text[]) u(id, notes)',
    [which.clientId, by.username, words, ids, leads.map((lead) => [words, ...lines(lead)].join('\n'))],
  )
  for (const id of ids) saved.note(contact, id)
  for (const table of ['contact', 'note']) touched.add(table)
}

/** A row of the report about a lead that the import updated. */
interface UpdatedLine {
  readonly id: number
  readonly contact: number
  readonly changes: LeadChanges
}

const PORTION = 500

/** Restores the values of leads that an import updated, in batches. The cursor is the negative ID of a report row. */
export async function* restoreLeadsInPortions(
  engine: Engine,
  run: BatchJob<{ readonly batch: number }>,
  from: number | null,
): AsyncGenerator<BatchStep<number>> {
  const which = { clientId: run.clientId, id: run.input.batch }
  for (let after = from && from < 0 ? -from : 0; ; ) {
    const lines = await engine.db.tx({ clientId: which.clientId }, (tx) =>
      tx.rows<UpdatedLine>(
        `SELECT id, contact_id AS contact, changes FROM import_line
         WHERE client_id = $1 AND batch_id = $2 AND outcome = 'updated' AND contact_id IS NOT NULL AND id > $3 ORDER BY id LIMIT $4`,
        [which.clientId, which.id, after, PORTION],
      ),
    )
    const last = lines.at(-1)?.id
    if (last === undefined) return
    yield {
      cursor: -last,
      execute: async (c) => {
        const { settings } = await readImport(c.work.tx, which)
        const changed = await restoreLeadValues(c, which, settings.undoneBy ?? settings.by, lines)
        await keep(c, which, changed)
        await addUndoCounts(c.work.tx, which, { removed: 0, kept: changed.length })
        c.work.touched.add('import_batch')
        return { done: lines.length - changed.length, tally: { kept: changed.length } }
      },
    }
    after = last
  }
}

/**
 * Restores values that are unchanged since the import. Returns the leads whose values have changed again, with the
 * reason.
 */
async function restoreLeadValues(
  c: Context,
  which: ImportKey,
  by: ImportSettings['by'],
  lines: readonly UpdatedLine[],
): Promise<RetainedLead[]> {
  const rows = await c.lockAll(contact, { id: [...new Set(lines.map((line) => line.contact))] })
  const changed: RetainedLead[] = []
  const back: ChangedLead[] = []
  for (const { contact: lead, changes } of lines) {
    const row = rows.find((one) => one.id === lead)
    if (!row) continue
    const all = Object.entries(changes) as [UpdatedField, readonly [LeadValue, LeadValue]][]
    const mine = all.filter(([field, [, after]]) => isSameValue(field, row[field], after))
    if (mine.length < all.length) changed.push({ id: lead, why: 'Values from the import have been changed since' })
    if (mine.length)
      back.push({ row, changes: Object.fromEntries(mine.map(([field, [before]]) => [field, [row[field], before]])) })
  }
  await writeLeadChanges(c, which, by, back, { verb: 'import undone', words: `Import ${which.id} undone` })
  return changed
}
