import type { Resource } from './resource.ts'

/** Table and URLs of the uploaded files to which records refer. */
export type UploadResource = Pick<Resource, 'table' | 'url' | 'path'>

/** A database row: values by column name. */
export type StoredColumnValues = Readonly<Record<string, unknown>>

/** Type of event of a record, and the data sealed by its link in the audit chain. */
export interface SealedEventSpec {
  /** Columns of the record that must not change after the event. */
  readonly columns?: readonly string[]
  /** Tables whose rows of this record must not change after the event. */
  readonly rows?: readonly string[]
  /** Table of the single row added by the event, such as a signature. */
  readonly adds?: string
  /** Also seals the content of uploaded files to which the record refers. */
  readonly files?: true
  /** Column with the fingerprint of the data that this event sealed. */
  readonly mark?: string
}

/** Table of rows that belong to a record. */
export interface SealedRowsSpec {
  readonly table: string
  /** Column that refers to the record. */
  readonly by: string
  /** Name of a row in a finding: `the signature of Ada`. */
  readonly named: (row: StoredColumnValues) => string
  /** Column that numbers the rows of a record from 1, in the order of their IDs. */
  readonly place?: string
  /** Columns that are not sealed. */
  readonly without?: readonly string[]
  /** Large columns, of which the link stores only the fingerprint. */
  readonly digested?: readonly string[]
  /** Column with the ID of an uploaded file, which is sealed together with the record's own files. */
  readonly upload?: string
  /** Columns for a file in the file store: its key, and its SHA-256 in hexadecimal. */
  readonly file?: { readonly key: string; readonly checksum: string }
}

/** Data of a link in an earlier format, converted to the current one. */
export interface LegacyLinkData {
  readonly columns?: StoredColumnValues
  readonly rows?: Readonly<Record<string, readonly StoredColumnValues[]>>
}

/** Evidence of a resource: the data sealed by each event. Sealing and checking follow from this declaration. */
export interface EvidenceSpec {
  readonly of: Pick<Resource, 'type' | 'table'>
  /** Name of a record in a finding. */
  readonly named: (row: StoredColumnValues) => string
  /** SQL condition on `t` for the records marked as sealed. */
  readonly claims: string
  readonly rows: readonly SealedRowsSpec[]
  /** Columns of the record itself for a file in the file store. */
  readonly file?: SealedRowsSpec['file']
  /** Uploaded files to which records or their rows refer. */
  readonly uploads?: UploadResource
  readonly events: Readonly<Record<string, SealedEventSpec>>
  /**
   * Columns added after the first links were created, with their value at all earlier events, so that changes are
   * detected.
   */
  readonly later?: StoredColumnValues
  /** Columns that earlier links sealed and that were dropped later: their values follow from rows sealed separately. */
  readonly without?: readonly string[]
  /** Labels of columns in a finding, if the column name is not clear enough. */
  readonly columns?: Readonly<Record<string, string>>
  /** Converts the data of a record in a link of the first format. */
  readonly former?: (event: string, subject: StoredColumnValues) => LegacyLinkData
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
