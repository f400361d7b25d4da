import type { EvidenceSpec, SealedRowsSpec, StoredColumnValues, UploadResource } from '#kernel/evidence.ts'
import { idFromIri } from '#kernel/resource.ts'
import { canonicalJson, digestSubject } from './link.ts'

/** Sealed rows from one table. Each row contains its values in the order of `columns`. */
export interface SealedTable {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** Set if these are all of the record's rows in the table. */
  readonly whole?: true
}

/** Columns that are never sealed. */
const APART = new Set(['client_id', 'search_text'])

/** Returns the names of a row's columns to seal, in alphabetical order. */
export const columnsToSeal = (row: StoredColumnValues, without: readonly string[]): string[] =>
  Object.keys(row)
    .filter((column) => !APART.has(column) && !without.includes(column))
    .sort()

/** Returns the value to compare or seal: the value itself or, for a column in `digested`, its SHA-256. */
const sealedValue = (row: StoredColumnValues, column: string, digested: readonly string[] = []): unknown => {
  const value = row[column] ?? null
  return value !== null && digested.includes(column) ? `sha256:${digestSubject(value)}` : value
}

/** Returns the record's ID and the given columns of its own row, in the form in which they are sealed. */
export const sealRecordColumns = (
  { of }: EvidenceSpec,
  row: StoredColumnValues,
  columns: readonly string[],
): SealedTable => ({
  table: of.table,
  columns: ['id', ...columns],
  rows: [[row.id, ...columns.map((column) => sealedValue(row, column))]],
})

/**
 * Returns the given rows of a table, in the form in which they are sealed. `whole`: whether these are all of the
 * record's rows in the table.
 */
export function sealTableRows(of: SealedRowsSpec, rows: readonly StoredColumnValues[], whole = false): SealedTable {
  const columns = columnsToSeal(rows[0] ?? {}, [of.by, ...(of.without ?? [])])
  return {
    table: of.table,
    columns,
    rows: rows.map((row) => columns.map((column) => sealedValue(row, column, of.digested))),
    ...(whole ? { whole } : {}),
  }
}

/** Columns of an uploaded file that are sealed with its record; its label and folder may still be changed. */
const FILE_COLUMNS = ['id', 'client_id', 'name', 'type', 'size', 'checksum', 'file_key', 'view_key']

export const sealFileRows = ({ table }: UploadResource, files: readonly StoredColumnValues[]): SealedTable => ({
  table,
  columns: FILE_COLUMNS,
  rows: files.map((file) => FILE_COLUMNS.map((column) => file[column] ?? null)),
})

/** Returns the names of the columns in which a stored row differs from the sealed row. */
export const changedColumns = (
  sealed: StoredColumnValues,
  now: StoredColumnValues,
  digested: readonly string[] = [],
): string[] =>
  Object.keys(sealed).filter(
    (column) => canonicalJson(sealedValue(now, column, digested)) !== canonicalJson(sealed[column] ?? null),
  )

/** Returns the IDs of all uploaded files that a record refers to. */
export function uploadedFileIds(uploads: UploadResource, value: unknown): number[] {
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
