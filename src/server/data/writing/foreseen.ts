import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Asked, Columns, Json } from './sent-json.ts'

/*
 * What a row will be, where that is known before it is sent: then what is made of it goes in the same journey. The statement that
 * writes the row refuses to where it became anything else (0099).
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
  if (!columns.length) return isNew ? known : undefined
  if (!columns.every((column) => column in known)) return undefined
  return Object.fromEntries(columns.map((column) => [column, known[column]]))
}

/** As `to_jsonb` writes it, in a session of UTC. */
const storedInstant = (at: string) => Temporal.Instant.from(at).round('microsecond').toString().replace('Z', '+00:00')

/** What the database compares: what is sent as JSON is left aside on both sides. */
export const comparedText = ({ found }: Asked, json: Json): string =>
  JSON.stringify(found, (column, value) => (json.has(column) ? null : value))
