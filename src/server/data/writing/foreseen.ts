import type { Field } from '#kernel/fields.ts'
import { perResource } from '#kernel/per-declaration.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Columns, Json } from './sent-json.ts'
import type { ColumnExpressions } from './step.ts'

/*
 * What a row will be, where that is known before it is sent: then what is made of it goes in the same journey. The statement that
 * writes the row refuses to where it became anything else (`foreseen`, 0132).
 */

/** What a statement says of a row: some columns by themselves, and values by the names of fields. */
export interface Said {
  readonly resource: Resource
  readonly columns: Columns
  readonly values: Record<string, unknown>
  /** Of a new row, all is said. */
  readonly isNew: boolean
}

/** Kinds whose values the database may write otherwise than they are given. */
const ROUNDED: readonly Field['kind'][] = ['decimal', 'unixSeconds', 'rows']

/** The columns that are asked for, all of the row where none are named, as its own JSON says them; `undefined` where not every one is known. */
export function foreseen(
  { resource: r, columns: fixed, values, isNew }: Said,
  json: Json,
  columns: readonly string[],
): Columns | undefined {
  const known: Record<string, unknown> = { ...fixed }
  for (const [name, value] of Object.entries(values)) {
    const [f, column] = [r.fields[name], r.columns[name]]
    if (f && column !== undefined && value !== undefined && !ROUNDED.includes(f.kind))
      known[column] = f.kind === 'instant' && typeof value === 'string' ? storedInstant(value) : value
  }
  for (const [column, value] of json) known[column] = value
  if (!columns.length) return isNew && columnsOf(r).every((column) => column in known) ? known : undefined
  if (!columns.every((column) => column in known)) return undefined
  return Object.fromEntries(columns.map((column) => [column, known[column]]))
}

/** All columns of a row. A wall test holds tables whose rows are foreseen to having no others than are declared. */
const columnsOf = perResource((r) => [
  ...new Set(['id', ...Object.values<Field>(r.fields).flatMap((f) => f.inJson ?? []), ...Object.values(r.columns)]),
])

/** As `to_jsonb` writes it, in a session of UTC. */
const storedInstant = (at: string) => Temporal.Instant.from(at).round('microsecond').toString().replace('Z', '+00:00')

/** Refuses a row that became anything else than it was said to be; what is sent as JSON is left aside. */
export function refusalText(row: string, columns: readonly string[], bound: ColumnExpressions, json: Json): string {
  const compared = columns.filter((column) => !json.has(column))
  const become = compared.map((column) => `${row}.${column}`).join(', ')
  const said = compared.map((column) => bound.get(column)).join(', ')
  return `CASE WHEN (${become}) IS DISTINCT FROM (${said}) THEN refuse_unforeseen(to_jsonb(${row})) END`
}
