import { setImmediate as breathe } from 'node:timers/promises'
import type { Tx } from '#server/db/db.ts'
import { isDbError } from '#server/db/db.ts'
import type { Engine } from '#server/engine/engine.ts'
import { advance, type Batch, type Held, Stopped, settle } from './batch.server.ts'
import { freshStatistics, importedReason } from './write.server.ts'

const STEP = 500

/** Why a lead of the batch stays, if it does. */
const WHY = `CASE
  WHEN EXISTS (SELECT 1 FROM note n WHERE n.client_id = c.client_id AND n.contact_id = c.id AND n.reason IS DISTINCT FROM $3) THEN 'Somebody has worked on this lead'
  WHEN EXISTS (SELECT 1 FROM sale s WHERE s.client_id = c.client_id AND s.contact_id = c.id) THEN 'This lead has a sale'
  WHEN EXISTS (SELECT 1 FROM supported s WHERE s.client_id = c.client_id AND s.contact_id = c.id) THEN 'This lead is looked after by support'
  WHEN EXISTS (SELECT 1 FROM referral r WHERE r.client_id = c.client_id AND r.contact_id = c.id) THEN 'This lead has recommended somebody'
  WHEN c.updated_at <> c.created_at THEN 'This lead has been changed since'
  WHEN c.lease_until > portal_now() THEN 'Somebody is working on this lead just now'
  WHEN c.account_id IS NOT NULL THEN 'This lead has become a client'
END`

/** Takes back the leads of a batch that nobody has touched. Those that stay are reported, each with its reason. */
export async function runUndo(engine: Engine, held: Held, batch: Batch): Promise<void> {
  let after = 0
  const done = { rows_removed: batch.rows_removed, rows_kept: 0 }
  try {
    await freshStatistics(engine.db, batch)
    for (let size = STEP; ; ) {
      const step = await undoStep(engine, held, after, size, done).catch((e: unknown) => {
        // Something elsewhere refers to one of them: alone, it is kept.
        if (isDbError(e) && e.code === '23503' && size > 1) return undefined
        throw e
      })
      if (!step) {
        size = Math.ceil(size / 8)
        continue
      }
      if (!step.last) break
      after = step.last
      done.rows_removed += step.removed
      done.rows_kept += step.kept
      size = STEP
      engine.tell(new Set(['import_batch', 'contact', 'note']))
      await breathe()
    }
    await settle(engine.db, held, 'undoing', 'undone')
  } catch (e) {
    if (e instanceof Stopped) return
    await settle(
      engine.db,
      held,
      'undoing',
      'failed',
      'The undo was stopped by a fault on our side. Please choose Undo again: it goes on where it stopped.',
    )
    throw e
  } finally {
    await freshStatistics(engine.db, batch).catch(() => {})
    engine.tell(new Set(['import_batch']))
  }
}

type Done = { rows_removed: number; rows_kept: number }

function undoStep(engine: Engine, held: Held, after: number, size: number, done: Done) {
  return engine.db.tx({ clientId: held.clientId }, async (tx) => {
    const ids = (
      await tx.rows<{ id: number }>(
        'SELECT id FROM contact WHERE client_id = $1 AND import_batch_id = $2 AND id > $3 ORDER BY id LIMIT $4 FOR UPDATE',
        [held.clientId, held.id, after, size],
      )
    ).map((r) => r.id)
    if (!ids.length) return { last: undefined, removed: 0, kept: 0 }
    const why = await tx.rows<{ id: number; why: string | null }>(
      `SELECT c.id, ${WHY} AS why FROM contact c WHERE c.client_id = $1 AND c.id = ANY($2::bigint[])`,
      [held.clientId, ids, importedReason(held.id)],
    )
    const stay = why.filter((r) => r.why !== null)
    const go = why.filter((r) => r.why === null).map((r) => r.id)
    const removed = await remove(tx, held, go)
    if (!removed) stay.push({ id: go[0] as number, why: 'Other records refer to this lead' })
    await keep(tx, held, stay)
    const counts = { removed: removed ? go.length : 0, kept: stay.length }
    await advance(tx, held, 'undoing', {
      rows_removed: done.rows_removed + counts.removed,
      rows_kept: done.rows_kept + counts.kept,
    })
    return { last: ids.at(-1), ...counts }
  })
}

/** False where a single lead can't go because something refers to it; with several, the caller tries fewer. */
async function remove(tx: Tx, held: Held, ids: readonly number[]): Promise<boolean> {
  if (!ids.length) return true
  const drop = () =>
    tx.rows('DELETE FROM contact WHERE client_id = $1 AND id = ANY($2::bigint[])', [held.clientId, ids])
  if (ids.length > 1) {
    await drop()
    return true
  }
  await tx.rows('SAVEPOINT alone')
  try {
    await drop()
    return true
  } catch (e) {
    if (!isDbError(e) || e.code !== '23503') throw e
    await tx.rows('ROLLBACK TO SAVEPOINT alone')
    return false
  }
}

async function keep(tx: Tx, held: Held, stay: readonly { id: number; why: string | null }[]): Promise<void> {
  if (!stay.length) return
  await tx.rows(
    `INSERT INTO import_line (client_id, batch_id, line, outcome, company, reason, contact_id)
     SELECT $1, $2, 0, 'kept', left(coalesce(c.company_name, c.name, c.email, c.phone, ''), 255), u.why, c.id
     FROM unnest($3::bigint[], $4::text[]) u(id, why) JOIN contact c ON c.client_id = $1 AND c.id = u.id`,
    [held.clientId, held.id, stay.map((r) => r.id), stay.map((r) => r.why)],
  )
}
