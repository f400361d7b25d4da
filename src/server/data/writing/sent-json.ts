import type { Resource } from '#kernel/resource.ts'
import type { SelectPlan } from '../plan.ts'
import { storedJson } from './stored-json.ts'

/** A row as the database holds it: values by the names of their columns. */
export type Columns = Readonly<Record<string, unknown>>

/** Columns of a row that is about to be written, as they will be: known once it is sent. */
export interface Asked {
  /** All of them, where none are named. */
  readonly columns: readonly string[]
  found?: Columns | undefined
}

/*
 * What a statement sends as JSON may be large, and is known: the database is not asked to write it out again.
 */

/** Values that a statement sends as JSON, by column, as they will be stored. */
export type Json = Map<string, unknown>

type Given = Readonly<Record<string, unknown>>

/** The values of a resource, with those that are sent as JSON as they will be stored. */
export function asStored(r: Resource, values: Given): Given {
  const names = Object.keys(values).filter((name) => r.fields[name]?.kind === 'json' && values[name] !== undefined)
  if (!names.length) return values
  return { ...values, ...Object.fromEntries(names.map((name) => [name, storedJson(values[name])])) }
}

/** Those that are sent as JSON among such values. */
export const jsonIn = (r: Resource, values: Given): Json =>
  new Map(
    Object.entries(values).flatMap(([name, value]) => {
      const column = r.fields[name]?.kind === 'json' ? r.columns[name] : undefined
      return column === undefined || value === undefined ? [] : [[column, value] as const]
    }),
  )

/** A select list with nothing in the place of what was sent. */
export const withoutJson = (plan: SelectPlan, json: Json): string =>
  json.size ? plan.parts.map((part) => (json.has(columnIn(part)) ? 'NULL' : part)).join(', ') : plan.select

/** The row of such a list, with what was sent in its place. */
export function withJson(plan: SelectPlan, row: readonly unknown[], json: Json): readonly unknown[] {
  if (!json.size) return row
  return plan.parts.map((part, at) => {
    const column = columnIn(part)
    return json.has(column) ? json.get(column) : row[at]
  })
}

/** The row of a select list, where all of it is among the columns that are known; `undefined` where it is not. */
export function listed(plan: SelectPlan, known: Columns): readonly unknown[] | undefined {
  const columns = plan.parts.map(columnIn)
  return columns.every((column) => column in known) ? columns.map((column) => known[column]) : undefined
}

/** The column that a part of a select list is, where it is one. */
const columnIn = (part: string) => part.replace(/^t\./, '')

/** Columns of a row `t` as one object, without what was sent. */
export function columnsText({ columns }: Asked, json: Json): string {
  const nulls = Object.fromEntries([...json.keys()].map((column) => [column, null]))
  if (!columns.length)
    return json.size ? `to_jsonb(jsonb_populate_record(t, '${JSON.stringify(nulls)}'))` : 'to_jsonb(t)'
  const list = columns.map((column) => (json.has(column) ? `NULL AS ${column}` : `t.${column}`))
  return `(SELECT to_jsonb(c) FROM (SELECT ${list.join(', ')}) c)`
}

/** What was sent of the columns that are asked for. */
export const jsonAsked = ({ columns }: Asked, json: Json): Columns =>
  Object.fromEntries([...json].filter(([column]) => !columns.length || columns.includes(column)))
