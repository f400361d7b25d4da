import type { Resource } from './resource.ts'

/** What uploaded files are kept as, and how a record names one. */
export type Uploads = Pick<Resource, 'table' | 'url' | 'path'>

/** A row as the database holds it: values by the names of their columns. */
export type StoredColumns = Readonly<Record<string, unknown>>

/** What happens to a record, and what of it the link about it seals. */
export interface SealedEvent {
  /** Columns of the record that say from here on what they say now. */
  readonly columns?: readonly string[]
  /** Tables whose rows of the record are from here on these and no others. */
  readonly rows?: readonly string[]
  /** The table of the one row that the event adds: a signature. */
  readonly adds?: string
  /** The uploaded files that the record refers to are sealed too, with their bytes. */
  readonly files?: true
  /** The column that holds the fingerprint of what this event sealed. */
  readonly mark?: string
}

/** Rows that stand with a record. */
export interface SealedRows {
  readonly table: string
  /** The column that says whose they are. */
  readonly by: string
  /** What one is called in a finding: `the signature of Ada`. */
  readonly named: (row: StoredColumns) => string
  /** The column that numbers the rows of a record from 1, in the order of their ids. */
  readonly place?: string
  /** Columns that are no part of what a row says. */
  readonly without?: readonly string[]
  /** Columns that hold much, of which the link keeps the fingerprint. */
  readonly digested?: readonly string[]
  /** The column of a row that names an uploaded file, by its id: sealed with the record's own files. */
  readonly upload?: string
  /** The columns of a row that name bytes in the file store: their key, and their SHA-256 in hexadecimal. */
  readonly file?: { readonly key: string; readonly checksum: string }
}

/** What a former form of links said, as this form says it. */
export interface LegacyEntry {
  readonly columns?: StoredColumns
  readonly rows?: Readonly<Record<string, readonly StoredColumns[]>>
}

/** What of a resource's records is evidence: what is sealed by which event. Everything else follows from it. */
export interface Evidence {
  readonly of: Pick<Resource, 'type' | 'table'>
  /** What a record is called in a finding, and what it is. */
  readonly named: (row: StoredColumns) => string
  /** SQL over `t`: the records that say of themselves that they are sealed. */
  readonly claims: string
  readonly rows: readonly SealedRows[]
  /** The columns of the record itself that name bytes in the file store. */
  readonly file?: SealedRows['file']
  /** The uploaded files that records or their rows refer to. */
  readonly uploads?: Uploads
  readonly events: Readonly<Record<string, SealedEvent>>
  /** Columns that came after links were first made, and what they said at every event before: nobody adds it unnoticed. */
  readonly later?: StoredColumns
  /** Columns that links have sealed and that are kept no more: what they said follows from rows that are sealed by themselves. */
  readonly without?: readonly string[]
  /** What columns are called in a finding, where their names would not do. */
  readonly columns?: Readonly<Record<string, string>>
  /** What a link of the first form said of the record. */
  readonly former?: (event: string, subject: StoredColumns) => LegacyEntry
}

/** Declares what of a resource's records is evidence. Throws for an event that seals rows or files which nobody declared. */
export function evidence(spec: Evidence): Evidence {
  const tables = new Set(spec.rows.map((rows) => rows.table))
  for (const [name, { rows = [], adds, files }] of Object.entries(spec.events)) {
    if (files && !spec.uploads) throw new Error(`${spec.of.type}: "${name}" seals files, and nothing says which`)
    for (const table of adds ? [...rows, adds] : rows)
      if (!tables.has(table))
        throw new Error(`${spec.of.type}: "${name}" seals rows of ${table}, which are not declared`)
  }
  return spec
}
