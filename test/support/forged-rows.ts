import type { Tx } from '#server/db/db.ts'

/** A writable column of a table, and the name of its PostgreSQL type, such as `int4` or `_text`. */
export interface TableColumn {
  readonly name: string
  readonly type: string
}

/** Returns the columns of a table, excluding generated ones. */
export const writableColumns = (tx: Pick<Tx, 'rows'>, table: string): Promise<TableColumn[]> =>
  tx.rows<TableColumn>(
    `SELECT a.attname AS name, t.typname AS type FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum`,
    [table],
  )

const OTHER: Readonly<Record<string, (column: string) => string>> = {
  text: (c) => `coalesce(${c}, '') || 'forged'`,
  int2: (c) => `coalesce(${c}, 0) + 1`,
  int4: (c) => `coalesce(${c}, 0) + 1`,
  int8: (c) => `coalesce(${c}, 0) + 1`,
  numeric: (c) => `coalesce(${c}, 0) + 1`,
  bool: (c) => `NOT coalesce(${c}, false)`,
  date: (c) => `coalesce(${c}, '2020-01-01') - 1`,
  time: (c) => `coalesce(${c}, '08:00') + interval '1 minute'`,
  timestamptz: (c) => `coalesce(${c}, now()) - interval '1 day'`,
  jsonb: (c) => `jsonb_build_object('forged', ${c})`,
  json: (c) => `json_build_object('forged', ${c})`,
  _text: (c) => `array_append(coalesce(${c}, '{}'), 'forged')`,
  _int8: (c) => `array_append(coalesce(${c}, '{}'), 1)`,
}

/** Returns an SQL assignment that gives the column a different value of its type. Throws for an unknown type. */
export function differentValueSql({ name, type }: TableColumn): string {
  const other = OTHER[type]
  if (!other) throw new Error(`How to forge a ${type} (${name}) is not known: say it in forged-rows.ts`)
  return `${name} = ${other(name)}`
}

const named = (columns: readonly TableColumn[]) => columns.map(({ name }) => name)

/**
 * Returns SQL that inserts a copy of a row with a new ID; `set` contains SQL expressions for columns that get other
 * values.
 */
export function copyRowSql(
  table: string,
  columns: readonly TableColumn[],
  id: number,
  set: Readonly<Record<string, string>> = {},
): string {
  const rest = named(columns).filter((name) => name !== 'id')
  return `INSERT INTO ${table} (${rest.join(', ')}) SELECT ${rest.map((name) => set[name] ?? name).join(', ')} FROM ${table} WHERE id = ${id}`
}

export const swapIdsSql = (table: string, a: number, b: number): string =>
  [
    `UPDATE ${table} SET id = -1 WHERE id = ${a}`,
    `UPDATE ${table} SET id = ${a} WHERE id = ${b}`,
    `UPDATE ${table} SET id = ${b} WHERE id = -1`,
  ].join('; ')
