import type { Resource } from './resource.ts'

/** Table and URLs of the uploaded files that records refer to. */
export type UploadResource = Pick<Resource, 'table' | 'url' | 'path'>

/** A database row: values by column name. */
export type StoredColumnValues = Readonly<Record<string, unknown>>

/** One type of event in a record's life, and the data that its audit chain link seals. */
export interface SealedEventSpec {
  /** Columns of the record that must not change after the event. */
  readonly columns?: readonly string[]
  /** Tables whose rows for this record must not change after the event. */
  readonly rows?: readonly string[]
  /** Table that contains the single row added by the event, such as a signature. */
  readonly adds?: string
  /** True if the event also seals the content of the uploaded files that the record refers to. */
  readonly files?: true
  /** Column for the fingerprint of the data that this event sealed. */
  readonly mark?: string
}

/** Table of rows that belong to a record. */
export interface SealedRowsSpec {
  readonly table: string
  /** Column that refers to the record. */
  readonly by: string
  /** Returns the name of a row for a mismatch report, such as `the signature of Ada`. */
  readonly named: (row: StoredColumnValues) => string
  /** Column that numbers a record's rows from 1, in the order of their IDs. */
  readonly place?: string
  /** Columns that are not sealed. */
  readonly without?: readonly string[]
  /** Large columns, for which the link stores only a fingerprint. */
  readonly digested?: readonly string[]
  /** Columns added after the first rows were sealed, with the value that each had in all earlier rows. */
  readonly later?: StoredColumnValues
  /** Column with the ID of an uploaded file. The file is sealed together with the record's own files. */
  readonly upload?: string
  /** Columns that describe a file in the file store: its key, and its SHA-256 in hexadecimal. */
  readonly file?: { readonly key: string; readonly checksum: string }
}

/** Data from a link in an earlier format, converted to the current format. */
export interface LegacyChainLinkData {
  readonly columns?: StoredColumnValues
  readonly rows?: Readonly<Record<string, readonly StoredColumnValues[]>>
}

/** Comparison of records with the rows from which they follow, such as an invoice with its lines. */
export interface EvidenceCheck {
  /** SQL with the client as `$1` that selects the ID of each record with a mismatch, and values for the sentence. */
  readonly text: string
  /** Returns the mismatch, such as `it sums to £1.00, not to zero`. */
  readonly untrue: (row: StoredColumnValues) => string
}

/** Evidence for a resource: the data that each event seals. Sealing and verification use this declaration. */
export interface EvidenceSpec {
  readonly of: Pick<Resource, 'type' | 'table'>
  /** Returns the name of a record for a mismatch report. */
  readonly named: (row: StoredColumnValues) => string
  /** SQL condition on `t` that selects the records marked as sealed. */
  readonly claims: string
  readonly rows: readonly SealedRowsSpec[]
  /**
   * Set if the engine seals every save of a record that is marked as sealed: all its columns except these and, with the
   * first seal, its rows.
   */
  readonly savedWithout?: readonly string[]
  /** Comparisons of the records with the rows from which they follow. */
  readonly checks?: readonly EvidenceCheck[]
  /** The record's own columns that describe a file in the file store. */
  readonly file?: SealedRowsSpec['file']
  /** Uploaded files that records or their rows refer to. */
  readonly uploads?: UploadResource
  readonly events: Readonly<Record<string, SealedEventSpec>>
  /**
   * Columns added after the first links were created, with the value that each had at all earlier events. With these
   * values, later changes to the columns are detected.
   */
  readonly later?: StoredColumnValues
  /**
   * Columns that earlier links sealed and that no longer exist. Their values follow from rows that are sealed
   * separately.
   */
  readonly without?: readonly string[]
  /** Labels of columns for mismatch reports, where the column name is not clear enough. */
  readonly columns?: Readonly<Record<string, string>>
  /** Converts a record's data from a link in the original format to the current format. */
  readonly former?: (event: string, subject: StoredColumnValues) => LegacyChainLinkData
}

/** Event of a seal that the engine writes when a record is saved. */
export const SAVED_EVENT = 'saved'

/**
 * Declares the evidence for a resource whose every save is sealed, such as an invoice from its issue on. `without`:
 * columns that the database itself maintains.
 */
export const defineSavedEvidence = ({
  without = [],
  rows = [],
  claims = 'true',
  ...spec
}: Pick<EvidenceSpec, 'of' | 'named' | 'columns' | 'checks'> &
  Partial<Pick<EvidenceSpec, 'claims' | 'rows'>> & { readonly without?: readonly string[] }): EvidenceSpec => ({
  ...spec,
  claims,
  rows,
  events: { [SAVED_EVENT]: {} },
  savedWithout: without,
})

/** Declares the evidence for a resource. Throws if an event seals rows or files that are not declared. */
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
