import { type Fields, integer, link, rows, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { READERS, SEEN_WITH } from '../rights.ts'
import { namedDocument } from '../used-files.ts'
import { document } from './document.ts'

/**
 * What a document refers to: an exact revision of another document, or an uploaded file. It is written with the document, stands
 * with it once that is sealed, and then holds the digest of its target.
 */
export const documentReference = resource({
  type: 'DocumentReference',
  service: 'safety',
  path: 'document_references',
  table: 'document_reference',
  tenant: 'own or template',
  order: ['position'],
  fields: {
    document: link(() => document, { required: true, filter: true }),
    /** The field of the document that it stands in. */
    field: text({ editable: 'nobody', notNull: true, filter: true }),
    position: integer({ default: 0, order: true }),
    target: link(() => document, {
      filter: true,
      label: 'Document',
      embed: ['kind', 'documentNumber', 'revision', 'title', 'completedAt', 'seal'],
      embedFor: { by: () => namedDocument, fields: ['title'] },
    }),
    file: link(() => uploadedDocument, {
      filter: true,
      label: 'File',
      embed: ['name', 'label', 'type', 'createdAt', 'checksum'],
    }),
    notes: text({ default: '', max: 500 }),
    /** The seal of the target, or the checksum of the file, when the document was completed. */
    digest: text({ readonly: true }),
  },
  allow: { read: READERS, rows: SEEN_WITH },
  pack: 'safety',
})

/** Which things a field of a kind refers to. */
export interface References {
  readonly label: string
  /** Kinds of document, by their names in the table. */
  readonly to: readonly string[]
  /** Uploaded files too. */
  readonly files?: true
  /**
   * `chosen`: the revision that the author chose, so that one that was replaced meanwhile keeps the document from being complete.
   * `in force`: the one that is in force when the document is completed.
   */
  readonly revision: 'chosen' | 'in force'
  /**
   * What the record also says of the first of them that is of a source's kind: its address, under the source's name, and its number. Who
   * sends another address puts that document in its place.
   */
  readonly first?: { readonly source: string; readonly number: string }
  /** Of one other kind: where its documents are chosen from, and what they are called there, in which column. */
  readonly from?: { readonly url: string; readonly list: string; readonly called: string; readonly by: string }
}

/** The field of a kind's records that holds its references. */
export const referencesField = (name: string, { label }: References) =>
  rows(() => documentReference, { by: 'document', only: { field: name }, label })

/** The fields that say which document is the first of a list. */
export const firstFields = (references: Readonly<Record<string, References>> = {}): Fields =>
  Object.fromEntries(
    Object.values(references).flatMap(({ first }) =>
      first
        ? [
            [first.source, text({ inJson: 'content', filter: true })] as const,
            [first.number, text({ inJson: 'content', filter: true, editable: 'nobody' })] as const,
          ]
        : [],
    ),
  )

/** A reference as a record has it. */
export interface Reference {
  readonly '@id'?: string
  readonly id?: number
  readonly target: ReferredDocument | null
  readonly file: ReferredFile | null
  readonly notes: string
  readonly digest?: string | null
}

export interface ReferredDocument {
  readonly '@id': string
  readonly id: number
  readonly kind: string
  readonly documentNumber: string
  readonly revision: number
  /** None for whoever it is not for. */
  readonly title: string | null
  readonly completedAt?: string | null
  readonly seal?: string | null
}

export interface ReferredFile {
  readonly '@id': string
  readonly id: number
  readonly name: string
  readonly label: string
  readonly type: string
  readonly createdAt?: string | null
  readonly checksum?: string
}

/** The references of a record, by the fields that its kind declares. */
export const referencesIn = (
  declared: Readonly<Record<string, References>> | undefined,
  record: Readonly<Record<string, unknown>>,
): { readonly field: string; readonly label: string; readonly rows: readonly Reference[] }[] =>
  Object.entries(declared ?? {}).map(([field, { label }]) => ({
    field,
    label,
    rows: (Array.isArray(record[field]) ? record[field] : []) as Reference[],
  }))

/** What a document is called on another's page; to those whom it is not for, only that. */
export const calledOf = ({ title }: Pick<ReferredDocument, 'title'>): string =>
  title ?? 'A document that is not for you'

/** The references of a record that its reader is not told the title of, by their ids. */
export const untitledIn = (
  declared: Readonly<Record<string, References>> | undefined,
  record: Readonly<Record<string, unknown>>,
): number[] =>
  referencesIn(declared, record).flatMap(({ rows }) =>
    rows.flatMap(({ id, target }) => (target?.title === null && id !== undefined ? [id] : [])),
  )
