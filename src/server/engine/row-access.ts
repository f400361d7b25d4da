import type { Resource } from '#kernel/resource.ts'
import { conditionFieldNames, dependsOnOtherRecords, meetsRowCondition, type RowCondition } from '#kernel/row-rules.ts'
import { rowConditionSql } from '#server/data/row-condition-sql.ts'
import { BoundValues, prepareSql } from '#server/data/values.ts'
import type { Context } from './types.ts'

/**
 * True if a record meets a condition. Asks the database if the condition concerns related records. A record “as written”
 * is not stored yet, or not with these values: it is given by the fields that the condition names.
 */
export async function isConditionMet(
  r: Resource,
  { actor, clientId, work }: Pick<Context, 'actor' | 'clientId' | 'work'>,
  condition: RowCondition,
  row: Readonly<Record<string, unknown>>,
  state: 'as stored' | 'as written' = typeof row.id === 'number' ? 'as stored' : 'as written',
): Promise<boolean> {
  if (!meetsRowCondition(r, condition, row, actor)) return false
  if (!dependsOnOtherRecords(condition)) return true
  await work.flush()
  const v = new BoundValues()
  const from = state === 'as stored' ? `${r.table} t WHERE t.id = ${v.next(row.id)}` : `${writtenRowSql()} WHERE true`
  const text = `SELECT 1 FROM ${from} AND ${rowConditionSql(r, condition, actor, v)}`
  return (await work.tx.arrays(prepareSql(text), v.list)).length > 0

  function writtenRowSql(): string {
    const columns = Object.fromEntries(conditionFieldNames(condition).map((name) => [r.columns[name], row[name]]))
    return `jsonb_populate_record(NULL::${r.table}, ${v.next(JSON.stringify({ ...columns, client_id: clientId }))}::jsonb) t`
  }
}
