import { iriOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/types.ts'
import { contact } from '../contacts/contact.ts'
import { type LeadRelation, leadRelations } from './relations.ts'

/** Rows of a relation moved by a merge. */
export interface MovedRows {
  readonly table: string
  readonly column: string
  readonly ids: readonly number[]
}

/** Disables the do-not-call triggers for a merge: opt-outs are moved with their rows. */
async function quietly(c: Context): Promise<void> {
  await c.work.tx.rows("SELECT set_config('crm.merging', 'on', true)")
  await c.work.flush()
}

const named = (by: LeadRelation['by'], id: number) => (by === 'id' ? id : iriOf(contact, id))
const typeOf = (by: LeadRelation['by']) => (by === 'id' ? 'bigint' : 'text')

/** Moves all rows of the other lead that the survivor can have. One statement per relation. */
export async function moveLeadRows(c: Context, from: number, to: number): Promise<MovedRows[]> {
  await quietly(c)
  const moved: MovedRows[] = []
  for (const { table, column, by, oneEach } of leadRelations(c.engine.resources)) {
    const alone = oneEach
      ? ` AND NOT EXISTS (SELECT 1 FROM ${table} o WHERE o.client_id = $1 AND o.${column} = $3::${typeOf(by)})`
      : ''
    const rows = await c.work.tx.rows<{ id: number }>(
      `UPDATE ${table} SET ${column} = $3::${typeOf(by)} WHERE client_id = $1 AND ${column} = $2::${typeOf(by)}${alone} RETURNING id`,
      [c.clientId, named(by, from), named(by, to)],
    )
    if (!rows.length) continue
    moved.push({ table, column, ids: rows.map((r) => r.id) })
    c.work.touched.add(table)
  }
  return moved
}

/** Moves back exactly the moved rows. Returns labels of relations whose rows have been moved elsewhere since. */
export async function moveLeadRowsBack(
  c: Context,
  moved: readonly MovedRows[],
  from: number,
  to: number,
): Promise<string[]> {
  await quietly(c)
  const relations = leadRelations(c.engine.resources)
  const gone: string[] = []
  for (const { table, column, ids } of moved) {
    const known = relations.find((r) => r.table === table && r.column === column)
    if (!known) {
      gone.push(table)
      continue
    }
    const type = typeOf(known.by)
    const rows = await c.work.tx.rows(
      `UPDATE ${table} SET ${column} = $4::${type} WHERE client_id = $1 AND id = ANY($2::bigint[]) AND ${column} = $3::${type} RETURNING id`,
      [c.clientId, ids, named(known.by, from), named(known.by, to)],
    )
    if (rows.length !== ids.length) gone.push(known.words)
    c.work.touched.add(table)
  }
  return gone
}

/** Number of rows in each relation of a lead, without empty ones. */
export async function countLeadRows(
  rows: (text: string, values: readonly unknown[]) => Promise<{ n: number }[]>,
  relations: readonly LeadRelation[],
  clientId: number,
  lead: number,
): Promise<{ what: string; count: number }[]> {
  const text = relations
    .map(({ table, column, by }) => {
      const is = by === 'id' ? '$2::bigint' : '$3::text'
      return `SELECT count(*)::int AS n FROM ${table} WHERE client_id = $1 AND ${column} = ${is}`
    })
    .join(' UNION ALL ')
  const counted = await rows(text, [clientId, lead, iriOf(contact, lead)])
  return relations.flatMap(({ words }, k) => {
    const count = counted[k]?.n ?? 0
    return count ? [{ what: words, count }] : []
  })
}
