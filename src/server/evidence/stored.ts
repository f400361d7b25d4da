import type { Evidence, SealedRows, StoredColumns, Uploads } from '#kernel/evidence.ts'
import { idFromIri } from '#kernel/resource.ts'
import { canonical, digestOf } from './link.ts'

/** Rows of a table as a link seals them: each the values of the columns, in their order. */
export interface Sealed {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** These are all rows of the table that belong to the record. */
  readonly whole?: true
}

/** Kept in every row, and no part of what it says. */
const APART = new Set(['client_id', 'search_text'])

/** What a value is compared and sealed as. */
const sealedValue = (row: StoredColumns, column: string, digested: readonly string[] = []): unknown => {
  const value = row[column] ?? null
  return value !== null && digested.includes(column) ? `sha256:${digestOf(value)}` : value
}

/** Columns of the record itself, as they stand. */
export const sealedRecord = ({ of }: Evidence, row: StoredColumns, columns: readonly string[]): Sealed => ({
  table: of.table,
  columns: ['id', ...columns],
  rows: [[row.id, ...columns.map((column) => sealedValue(row, column))]],
})

/** Rows of a table, as they stand. */
export function sealedRows(of: SealedRows, rows: readonly StoredColumns[], whole = false): Sealed {
  const left = new Set([...APART, of.by, ...(of.without ?? [])])
  const columns = Object.keys(rows[0] ?? {})
    .filter((column) => !left.has(column))
    .sort()
  return {
    table: of.table,
    columns,
    rows: rows.map((row) => columns.map((column) => sealedValue(row, column, of.digested))),
    ...(whole ? { whole } : {}),
  }
}

/** What of an uploaded file stands with the record that refers to it: its label and its folder are anybody's to change. */
const FILE_COLUMNS = ['id', 'client_id', 'name', 'type', 'size', 'checksum', 'file_key', 'view_key']

export const sealedFiles = ({ table }: Uploads, files: readonly StoredColumns[]): Sealed => ({
  table,
  columns: FILE_COLUMNS,
  rows: files.map((file) => FILE_COLUMNS.map((column) => file[column] ?? null)),
})

/** The columns in which a stored row says something else than what was sealed. */
export const changedColumns = (sealed: StoredColumns, now: StoredColumns, digested: readonly string[] = []): string[] =>
  Object.keys(sealed).filter(
    (column) => canonical(sealedValue(now, column, digested)) !== canonical(sealed[column] ?? null),
  )

/** The ids of the uploaded files that a record refers to, wherever in it. */
export function filesIn(uploads: Uploads, value: unknown): number[] {
  const found = new Set<number>()
  const look = (v: unknown): void => {
    if (Array.isArray(v)) for (const one of v) look(one)
    else if (v !== null && typeof v === 'object') for (const one of Object.values(v)) look(one)
    else if (typeof v === 'string' && v.startsWith('/api/')) {
      const id = Number(idFromIri(uploads, v))
      if (Number.isSafeInteger(id)) found.add(id)
    }
  }
  look(value)
  return [...found].sort((a, b) => a - b)
}
