import type { BatchJob, BatchStep, StepResult } from '#server/engine/batch-job.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { addUndoCounts, type ImportKey } from './batch.server.ts'
import { importedNoteReason } from './write.server.ts'

const PORTION = 500

/** Reason why a lead of the import is retained, if any. */
const WHY = `CASE
  WHEN EXISTS (SELECT 1 FROM note n WHERE n.client_id = c.client_id AND n.contact_id = c.id AND n.reason IS DISTINCT FROM $3) THEN 'This lead has been worked on'
  WHEN EXISTS (SELECT 1 FROM sale s WHERE s.client_id = c.client_id AND s.contact_id = c.id) THEN 'This lead has a sale'
  WHEN EXISTS (SELECT 1 FROM supported s WHERE s.client_id = c.client_id AND s.contact_id = c.id) THEN 'Support looks after this lead'
  WHEN EXISTS (SELECT 1 FROM referral r WHERE r.client_id = c.client_id AND r.contact_id = c.id) THEN 'This lead has recommended another lead'
  WHEN c.updated_at <> c.created_at THEN 'This lead has been changed since'
  WHEN c.lease_until > portal_now() THEN 'This lead is being worked on at the moment'
  WHEN c.account_id IS NOT NULL THEN 'This lead has become a client'
END`

/** Undoes the leads of an import in portions, unless somebody has worked on them. */
export async function* undoImportPortions(
  engine: Engine,
  run: BatchJob<{ readonly batch: number }>,
  from: number | null,
): AsyncGenerator<BatchStep<number>> {
  const which = { clientId: run.clientId, id: run.input.batch }
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

/** Removes leads and reports retained ones with reasons. */
async function takeBack(c: Context, which: ImportKey, leads: readonly number[]): Promise<StepResult> {
  const { tx, touched } = c.work
  await tx.rows('SELECT 1 FROM contact WHERE client_id = $1 AND id = ANY($2::bigint[]) ORDER BY id FOR UPDATE', [
    which.clientId,
    leads,
  ])
  const known = await tx.rows<Staying>(
    `SELECT c.id, ${WHY} AS why FROM contact c WHERE c.client_id = $1 AND c.id = ANY($2::bigint[])`,
    [which.clientId, leads, importedNoteReason(which.id)],
  )
  const untouched = known.filter((r) => r.why === null).map((r) => r.id)
  const bound = await remove(c, untouched)
  const stay = [
    ...known.filter((r) => r.why !== null),
    ...bound.map((id) => ({ id, why: 'Other records refer to this lead' })),
  ]
  await keep(c, which, stay)
  const removed = untouched.length - bound.length
  await addUndoCounts(tx, which, { removed, kept: stay.length })
  for (const table of ['import_batch', 'contact', 'note']) touched.add(table)
  return { done: removed, tally: { kept: stay.length } }
}

interface Staying {
  readonly id: number
  readonly why: string | null
}

/** Removes leads together if possible, otherwise in ever smaller groups; returns those still referenced. */
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

async function keep(c: Context, which: ImportKey, stay: readonly Staying[]): Promise<void> {
  if (!stay.length) return
  await c.work.tx.rows(
    `INSERT INTO import_line (client_id, batch_id, line, outcome, company, reason, contact_id)
     SELECT $1, $2, 0, 'kept', left(coalesce(c.company_name, c.name, c.email, c.phone, ''), 255), u.why, c.id
     FROM unnest($3::bigint[], $4::text[]) u(id, why) JOIN contact c ON c.client_id = $1 AND c.id = u.id`,
    [which.clientId, which.id, stay.map((r) => r.id), stay.map((r) => r.why)],
  )
}
