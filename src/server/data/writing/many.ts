import type { Resource } from '#kernel/resource.ts'
import { asRecord } from '../plan.ts'
import { namesTenant } from '../tenancy.ts'
import type { Values } from '../values.ts'
import { type Teller, tellerText } from './audit-rows.ts'
import { valuesWithin } from './given-values.ts'
import { asStored } from './sent-json.ts'

type Given = Readonly<Record<string, unknown>>

/*
 * Records of one kind that are written at once: one statement, whose text is the same however many there are, so that it stays prepared. The
 * records are one value of it, and what is told of them another.
 */

/** What of a record is written: its values by the names of fields, and what the audit tells of it. */
export interface RecordWrite {
  readonly id?: number
  readonly values: Given
  readonly told: Given
}

/** Those of which the same columns are written, as one statement has to have them. */
export const groupByColumns = <T extends { readonly values: Given }>(all: readonly T[]): T[][] => [
  ...Map.groupBy(all, ({ values }) => Object.keys(values).sort().join()).values(),
]

interface Said {
  /** The columns of fields, and those that hold several. */
  readonly columns: readonly string[]
  readonly inside: readonly string[]
  readonly records: string
}

function saidOf(r: Resource, all: readonly RecordWrite[]): Said {
  const [first] = all
  const names = Object.keys(first?.values ?? {})
  const records = all.map(({ id, values }) => ({
    ...asRecord(r, asStored(r, values)),
    ...Object.fromEntries(valuesWithin(r, values)),
    ...(id === undefined ? {} : { id }),
  }))
  return {
    columns: names.flatMap((name) => r.columns[name] ?? []),
    inside: [...new Set(names.flatMap((name) => r.fields[name]?.inJson ?? []))],
    records: JSON.stringify(records),
  }
}

/** Inserts them in their order, and gives their ids. */
export function insertText(v: Values, teller: Teller, r: Resource, all: readonly RecordWrite[]): string {
  const { columns, inside, records } = saidOf(r, all)
  const own = [...columns, ...inside]
  const fixed = Object.entries(r.only ?? {})
  const into = [...(namesTenant(r) ? ['client_id'] : []), ...fixed.map(([column]) => column), ...own]
  const from = [
    ...(namesTenant(r) ? [`${v.next(teller.clientId)}::int`] : []),
    ...fixed.map(([, value]) => `'${value}'`),
    ...own.map((column) => `n.${column}`),
  ]
  const told = JSON.stringify(all.map((one) => one.told))
  return `WITH made AS (INSERT INTO ${r.table} (${into.join(', ')}) SELECT ${from.join(', ')}
      FROM jsonb_populate_recordset(NULL::${r.table}, ${v.next(records)}::jsonb) WITH ORDINALITY n ORDER BY ordinality RETURNING id),
    numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM made),
    told AS (INSERT INTO audit (client_id, user_id, username, as_user_id, as_username, request_id, type, row_id, verb, changes)
      SELECT ${tellerText(v, teller)}, ${v.next(r.type)}::text, id, 'create', ${v.next(told)}::jsonb -> (place - 1)::int FROM numbered ORDER BY place)
    SELECT id::int FROM numbered ORDER BY place`
}

/** Changes them, each by its id, and gives the ids of those that were there. */
export function updateText(v: Values, teller: Teller, r: Resource, all: readonly RecordWrite[], verb: string): string {
  const { columns, inside, records } = saidOf(r, all)
  const sets = [
    ...columns.map((column) => `${column} = n.${column}`),
    ...inside.map((column) => `${column} = t.${column} || n.${column}`),
  ]
  const tenant = namesTenant(r) ? `t.client_id = ${v.next(teller.clientId)}::int AND ` : ''
  const ids = all.map(({ id }) => id)
  const told = JSON.stringify(all.map((one) => one.told))
  return `WITH changed AS (UPDATE ${r.table} t SET ${sets.join(', ')} FROM jsonb_populate_recordset(NULL::${r.table}, ${v.next(records)}::jsonb) n
      WHERE ${tenant}t.id = ANY(${v.next(ids)}::bigint[]) AND t.id = n.id RETURNING t.id),
    told AS (INSERT INTO audit (client_id, user_id, username, as_user_id, as_username, request_id, type, row_id, verb, changes)
      SELECT ${tellerText(v, teller)}, ${v.next(r.type)}::text, e.id, ${v.next(verb)}::text, ${v.next(told)}::jsonb -> (e.place - 1)::int
      FROM unnest(${v.next(ids)}::bigint[]) WITH ORDINALITY e (id, place) ORDER BY e.place)
    SELECT id::int FROM changed`
}
