import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, authorOf } from '#kernel/roles.ts'
import type { RecordDiff } from '../difference.ts'
import { castPlaceholder, hasTenantColumn, toColumnValues } from '../plan.ts'
import type { BoundValues } from '../values.ts'

type InputValues = Readonly<Record<string, unknown>>

/** Throws for an unknown field, because its value would silently be lost. */
export function requireKnownFields(r: Resource, values: InputValues): void {
  for (const name of Object.keys(values))
    if (!(name in r.fields)) throw new TypeError(`${r.type} has no field "${name}"`)
}

/** Groups the values of fields that share a jsonb column, by column. */
export function jsonColumnValues(r: Resource, values: InputValues): [string, Record<string, unknown>][] {
  const columns = new Map<string, Record<string, unknown>>()
  for (const [name, value] of Object.entries(values)) {
    const column = r.fields[name]?.inJson
    if (!column || value === undefined) continue
    columns.set(column, { ...columns.get(column), [name]: value })
  }
  return [...columns]
}

export const bindFieldValue = (v: BoundValues, r: Resource, name: string, value: unknown) => {
  const f = r.fields[name] as Field
  return castPlaceholder(f, Number(v.next(toDb(f, value ?? null)).slice(1)))
}

const toDb = (f: Field, value: unknown): unknown =>
  f.kind === 'json' && value !== null && value !== undefined ? JSON.stringify(value) : value

/** Content of one audit row: the record's resource, the verb and the changes. */
export interface AuditContent {
  readonly resource: Resource
  readonly verb: string
  changes: RecordDiff
}

/** An audit row, and the part of the statement that writes its record. */
export interface AuditEntry {
  readonly audit: AuditContent
  readonly from: string
}

/** Client, actor and request: the same in all audit rows of a transaction. */
export interface AuditStamp {
  readonly clientId: number
  readonly actor: Actor
  readonly requestId: string
}

/** Returns the SQL of the columns that all audit rows of a transaction share. */
function stampText(v: BoundValues, { clientId, actor, requestId }: AuditStamp): string {
  const who = authorOf(actor)
  const as = actor.original ? actor : undefined
  return [
    `${v.next(clientId)}::int`,
    `${v.next(who.userId)}::bigint`,
    `${v.next(who.username)}::text`,
    `${v.next(as?.userId ?? null)}::bigint`,
    `${v.next(as?.username ?? null)}::text`,
    `${v.next(actor.original?.visit ?? null)}::bigint`,
    `${v.next(requestId)}::text`,
  ].join(', ')
}

/** Returns the SQL common table expression that writes the audit rows, in the order of the writes. */
export function auditInsertSql(v: BoundValues, stamp: AuditStamp, entries: readonly AuditEntry[]): string {
  const shared = stampText(v, stamp)
  const each = entries.map(
    ({ audit: a, from }, n) =>
      `SELECT ${v.next(a.resource.type)}::text AS type, ${from}.id AS row_id, ${v.next(a.verb)}::text AS verb, ${v.next(JSON.stringify(a.changes))}::jsonb AS changes, ${n} AS place FROM ${from}`,
  )
  // Without ORDER BY, PostgreSQL may write the rows in any order.
  const order = entries.length > 1 ? ' ORDER BY place' : ''
  return `audited AS (INSERT INTO audit (client_id, user_id, username, as_user_id, as_username, as_visit_id, request_id, type, row_id, verb, changes)
    SELECT ${shared}, type, row_id, verb, changes FROM (${each.join(' UNION ALL ')}) t${order})`
}

type RowValues = Readonly<Record<string, unknown>>

/*
 * Writes many records of one resource in one statement. The records are one bound value and their audit rows another,
 * so that the SQL text is the same for any number of records and stays prepared.
 */

/** A record to be written: its values by field name, and the values for its audit row. */
export interface RecordWrite {
  readonly id?: number
  readonly values: RowValues
  readonly audit: RowValues
}

/** Groups records by the columns written, because a statement has one set of columns. */
export const groupByColumns = <T extends { readonly values: RowValues }>(all: readonly T[]): T[][] => [
  ...Map.groupBy(all, ({ values }) => Object.keys(values).sort().join()).values(),
]

interface BulkColumns {
  /** Columns of fields, and jsonb columns that contain several fields. */
  readonly columns: readonly string[]
  readonly inside: readonly string[]
  readonly records: string
}

function bulkColumnsOf(r: Resource, all: readonly RecordWrite[]): BulkColumns {
  const [first] = all
  const names = Object.keys(first?.values ?? {})
  const records = all.map(({ id, values }) => ({
    ...toColumnValues(r, values),
    ...Object.fromEntries(jsonColumnValues(r, values)),
    ...(id === undefined ? {} : { id }),
  }))
  return {
    columns: names.flatMap((name) => r.columns[name] ?? []),
    inside: [...new Set(names.flatMap((name) => r.fields[name]?.inJson ?? []))],
    records: JSON.stringify(records),
  }
}

/** Returns SQL that inserts records in order and returns their IDs. */
export function bulkInsertSql(v: BoundValues, stamp: AuditStamp, r: Resource, all: readonly RecordWrite[]): string {
  const { columns, inside, records } = bulkColumnsOf(r, all)
  const own = [...columns, ...inside]
  const fixed = Object.entries(r.only ?? {})
  const into = [...(hasTenantColumn(r) ? ['client_id'] : []), ...fixed.map(([column]) => column), ...own]
  const from = [
    ...(hasTenantColumn(r) ? [`${v.next(stamp.clientId)}::int`] : []),
    ...fixed.map(([, value]) => `'${value}'`),
    ...own.map((column) => `n.${column}`),
  ]
  const audits = JSON.stringify(all.map((one) => one.audit))
  return `WITH made AS (INSERT INTO ${r.table} (${into.join(', ')}) SELECT ${from.join(', ')}
      FROM jsonb_populate_recordset(NULL::${r.table}, ${v.next(records)}::jsonb) WITH ORDINALITY n ORDER BY ordinality RETURNING id),
    numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM made),
    audited AS (INSERT INTO audit (client_id, user_id, username, as_user_id, as_username, as_visit_id, request_id, type, row_id, verb, changes)
      SELECT ${stampText(v, stamp)}, ${v.next(r.type)}::text, id, 'create', ${v.next(audits)}::jsonb -> (place - 1)::int FROM numbered ORDER BY place)
    SELECT id::int FROM numbered ORDER BY place`
}

/** Returns SQL that updates records by ID and returns the IDs of those that exist. */
export function bulkUpdateSql(
  v: BoundValues,
  stamp: AuditStamp,
  r: Resource,
  all: readonly RecordWrite[],
  verb: string,
): string {
  const { columns, inside, records } = bulkColumnsOf(r, all)
  const sets = [
    ...columns.map((column) => `${column} = n.${column}`),
    ...inside.map((column) => `${column} = t.${column} || n.${column}`),
  ]
  const tenant = hasTenantColumn(r) ? `t.client_id = ${v.next(stamp.clientId)}::int AND ` : ''
  const ids = all.map(({ id }) => id)
  const audits = JSON.stringify(all.map((one) => one.audit))
  return `WITH changed AS (UPDATE ${r.table} t SET ${sets.join(', ')} FROM jsonb_populate_recordset(NULL::${r.table}, ${v.next(records)}::jsonb) n
      WHERE ${tenant}t.id = ANY(${v.next(ids)}::bigint[]) AND t.id = n.id RETURNING t.id),
    audited AS (INSERT INTO audit (client_id, user_id, username, as_user_id, as_username, as_visit_id, request_id, type, row_id, verb, changes)
      SELECT ${stampText(v, stamp)}, ${v.next(r.type)}::text, e.id, ${v.next(verb)}::text, ${v.next(audits)}::jsonb -> (e.place - 1)::int
      FROM unnest(${v.next(ids)}::bigint[]) WITH ORDINALITY e (id, place) ORDER BY e.place)
    SELECT id::int FROM changed`
}
