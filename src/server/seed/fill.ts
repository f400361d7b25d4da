import { isDeepStrictEqual } from 'node:util'
import type { Resource, ValuesOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { defaultValuesOf, hasTenantColumn, toColumnValues } from '#server/data/plan.ts'
import { BoundValues, prepareSql } from '#server/data/values.ts'
import type { InitialDataPart } from '#server/engine/initial-data.ts'
import type { Context } from '#server/engine/types.ts'

/**
 * Sorts parts so that each part follows the parts that it needs. Otherwise, the given order is preserved. Throws for
 * duplicate names, unknown needs and cycles.
 */
export function sortByDependencies<P extends InitialDataPart>(parts: readonly P[]): P[] {
  const byName = new Map<string, P>()
  for (const part of parts) {
    if (byName.has(part.name)) throw new Error(`Two parts are called "${part.name}"`)
    byName.set(part.name, part)
  }
  const placed = new Set<P>()
  const place = (part: P, way: readonly P[]) => {
    if (placed.has(part)) return
    if (way.includes(part)) throw new Error(`"${part.name}" depends on itself through other parts`)
    for (const need of part.needs ?? []) {
      const needed = byName.get(need)
      if (!needed) throw new Error(`"${part.name}" needs "${need}", which no module provides`)
      place(needed, [...way, part])
    }
    placed.add(part)
  }
  for (const part of parts) place(part, [])
  return [...placed]
}

type Rows<R extends Resource> = readonly (ValuesOf<R> & { readonly id?: number })[]
type FieldOf<R extends Resource> = Extract<keyof ValuesOf<R>, string>

/**
 * Inserts many rows of a resource together, each with its audit row, but without behaviour and validation. Only for
 * reference lists and bulk demo data, because these are known to be valid. Resolves to the rows' IDs, in order.
 */
export const insertTrustedRows = <R extends Resource>(c: Context, r: R, rows: Rows<R>): Promise<number[]> =>
  insert(c, r, rows)

/** Inserts only the rows whose `key` does not exist yet. Users' changes to existing rows are therefore preserved. */
export const insertMissingRows = <R extends Resource>(
  c: Context,
  r: R,
  key: FieldOf<R> | 'id',
  rows: Rows<R>,
): Promise<number[]> => insert(c, r, rows, key === 'id' ? key : r.columns[key])

/**
 * Inserts the rows whose `key` does not exist yet, and updates the others to the given values. Rows that a user has
 * ever changed are preserved.
 */
export async function loadLatestRows(
  c: Context,
  r: Resource,
  key: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  await insert(c, r, rows, r.columns[key])
  const changedByUsers = await idsChangedByUsers(c, r)
  const stored = new Map((await c.find(r, {})).map((row): [unknown, typeof row] => [row[key], row]))
  for (const given of rows) {
    const row = stored.get(given[key])
    if (!row || changedByUsers.has(row.id)) continue
    const differing = Object.entries(given).filter(([name, value]) => !isDeepStrictEqual(row[name], value))
    if (differing.length) await (await c.change(r, row, Object.fromEntries(differing))).saved()
  }
}

/** Username of the product itself in the audit trail of reference data. */
export const PRODUCT_USERNAME = 'Stanchion'

/** Returns the IDs of the tenant's records of a resource that anyone but the product itself has created or changed. */
export async function idsChangedByUsers(c: Context, r: Resource): Promise<ReadonlySet<number>> {
  const rows = await c.work.tx.rows<{ id: number }>(
    `SELECT DISTINCT row_id AS id FROM audit
     WHERE client_id = $1 AND type = $2 AND verb <> 'load' AND (user_id <> 0 OR username <> $3)`,
    [c.clientId, r.type, PRODUCT_USERNAME],
  )
  return new Set(rows.map(({ id }) => id))
}

async function insert(c: Context, r: Resource, rows: Rows<Resource>, key?: string): Promise<number[]> {
  const given = rows.map((row): Readonly<Record<string, unknown>> => ({ ...defaultValuesOf(r.fields), ...row }))
  const names = [...new Set(given.flatMap(Object.keys))]
  const unknown = names.find((name) => name !== 'id' && !r.columns[name])
  if (unknown) throw new TypeError(`${r.type} has no column for "${unknown}"`)
  const columns = names.map((name) => r.columns[name] ?? name)
  const v = new BoundValues()
  const records = v.next(JSON.stringify(given.map((row) => ({ ...toColumnValues(r, row), id: row.id }))))
  const client = `${v.next(c.clientId)}::int`
  const isOwn = hasTenantColumn(r)
  const into = [...(isOwn ? ['client_id'] : []), ...columns]
  const values = [...(isOwn ? [client] : []), ...columns.map((column) => `n.${column}`)]
  const same = `SELECT FROM ${r.table} t WHERE ${isOwn ? `t.client_id = ${client} AND ` : ''}t.${key} = n.${key}`
  const who = authorOf(c.actor)
  const text = `WITH added AS (
    INSERT INTO ${r.table} (${into.join(', ')})
    SELECT ${values.join(', ')} FROM jsonb_populate_recordset(NULL::${r.table}, ${records}::jsonb) WITH ORDINALITY AS n
    ${key ? `WHERE NOT EXISTS (${same})` : ''} ORDER BY ordinality${key ? ' ON CONFLICT DO NOTHING' : ''} RETURNING id
  ), trail AS (
    INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username, request_id)
    SELECT ${client}, ${v.next(r.type)}::text, id, 'load', '{}'::jsonb, ${v.next(who.userId)}::bigint, ${v.next(who.username)}::text, 'load' FROM added
  ) SELECT id FROM added ORDER BY id`
  const added = await c.work.tx.arrays(prepareSql(text), v.list)
  c.work.touched.add(r.table)
  return added.map(([id]) => Number(id))
}
