import type { Resource } from '#kernel/resource.ts'
import type { Tx } from '#server/db/db.ts'
import { planFor, type Row } from './plan.ts'
import { prepare, Values } from './queries.ts'

/**
 * Records of one tenant as behaviour sees them, locked until the transaction ends: for what an action must change beside its
 * own record. `where` is SQL over `t`; its values come from `next`.
 */
export async function hold(
  tx: Tx,
  r: Resource,
  clientId: number,
  where: (next: (value: unknown) => string) => string,
): Promise<Row[]> {
  const v = new Values()
  const plan = planFor(r)
  const only = Object.entries(r.only ?? {}).map(([column, value]) => ` AND t.${column} = '${value}'`)
  const text = `SELECT ${plan.select} FROM ${r.table} t${plan.joins} WHERE t.client_id = ${v.next(clientId)}::int${only.join('')} AND ${where(v.next)} ORDER BY t.id FOR UPDATE OF t`
  const rows = await tx.arrays(prepare(text), v.list)
  return rows.map(plan.row)
}
