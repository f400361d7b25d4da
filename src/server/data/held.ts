import type { Resource } from '#kernel/resource.ts'
import type { Conn, Tx } from '#server/db/db.ts'
import { onlyOf, planFor, type Row } from './plan.ts'
import { prepare, Values } from './values.ts'

type Where = (next: (value: unknown) => string) => string

/** Records of one tenant as behaviour sees them. `where` is SQL over `t`; its values come from `next`. */
async function recordsOf(conn: Conn, r: Resource, clientId: number, where: Where, lock = ''): Promise<Row[]> {
  const v = new Values()
  const plan = planFor(r)
  const text = `SELECT ${plan.select} FROM ${r.table} t${plan.joins} WHERE t.client_id = ${v.next(clientId)}::int${onlyOf(r)} AND ${where(v.next)} ORDER BY t.id${lock}`
  const rows = await conn.arrays(prepare(text), v.list)
  return rows.map(plan.row)
}

/** The same, locked until the transaction ends: for what an action must change beside its own record. */
export const hold = (tx: Tx, r: Resource, clientId: number, where: Where): Promise<Row[]> =>
  recordsOf(tx, r, clientId, where, ' FOR UPDATE OF t')
