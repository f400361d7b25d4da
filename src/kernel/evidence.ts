import type { Resource } from './resource.ts'

/** Table and addresses of uploaded files that records refer to. */
export type UploadTarget = Pick<Resource, 'table' | 'url' | 'path'>

/** A database row: values by column name. */
export type StoredColumns = Readonly<Record<string, unknown>>

/** An event of a record, and the data that its audit chain link seals. */
export interface SealedEvent {
  /** Columns of the record that must not change from here on. */
  readonly columns?: readonly string[]
  /** Tables whose rows of this record must not change from here on. */
  readonly rows?: readonly string[]
  /** Table of the one row that the event adds, such as a signature. */
  readonly adds?: string
  /** Also seals the uploaded files that the record refers to, with their content. */
  readonly files?: true
  /** Column with the fingerprint of what this event sealed. */
  readonly mark?: string
}

/** Rows that belong to a record. */
export interface SealedRows {
  readonly table: string
  /** Column that refers to the record. */
  readonly by: string
  /** Name in a finding: `the signature of Ada`. */
  readonly named: (row: StoredColumns) => string
  /** Column that numbers the rows of a record from 1, in the order of their ids. */
  readonly place?: string
  /** Columns that are not sealed. */
  readonly without?: readonly string[]
  /** Large columns: the link stores their fingerprint only. */
  readonly digested?: readonly string[]
  /** Column with the id of an uploaded file, which is sealed with the record's own files. */
  readonly upload?: string
  /** Columns that refer to a file in the file store: its key, and its SHA-256 in hexadecimal. */
  readonly file?: { readonly key: string; readonly checksum: string }
}

/** Data of a link in an earlier format, converted to this one. */
export interface LegacyEntry {
  readonly columns?: StoredColumns
  readonly rows?: Readonly<Record<string, readonly StoredColumns[]>>
}

/** Evidence of a resource: what each event seals. Everything else follows from this declaration. */
export interface EvidenceSpec {
  readonly of: Pick<Resource, 'type' | 'table'>
  /** Name of a record in a finding. */
  readonly named: (row: StoredColumns) => string
  /** SQL over `t`: the records marked as sealed. */
  readonly claims: string
  readonly rows: readonly SealedRows[]
  /** Columns of the record itself that refer to a file in the file store. */
  readonly file?: SealedRows['file']
  /** Uploaded files that records or their rows refer to. */
  readonly uploads?: UploadTarget
  readonly events: Readonly<Record<string, SealedEvent>>
  /** Columns added after the first links were made, with their value at every earlier event: a change is detected. */
  readonly later?: StoredColumns
  /** Columns sealed by earlier links and since dropped: their values follow from rows sealed separately. */
  readonly without?: readonly string[]
  /** Labels of columns in a finding, where the column name is not enough. */
  readonly columns?: Readonly<Record<string, string>>
  /** Data of the record in a link of the first format. */
  readonly former?: (event: string, subject: StoredColumns) => LegacyEntry
}

/** Declares the evidence of a resource. Throws if an event seals rows or files that are not declared. */
export function defineEvidence(spec: EvidenceSpec): EvidenceSpec {
  const tables = new Set(spec.rows.map((rows) => rows.table))
  for (const [name, { rows = [], adds, files }] of Object.entries(spec.events)) {
    if (files && !spec.uploads) throw new Error(`${spec.of.type}: "${name}" seals files, but no uploads are declared`)
    for (const table of adds ? [...rows, adds] : rows)
      if (!tables.has(table))
        throw new Error(`${spec.of.type}: "${name}" seals rows of ${table}, which are not declared`)
  }
  return spec
}
