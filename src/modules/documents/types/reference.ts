import { type Fields, integer, link, rows, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { ANY_DOCUMENT_READER_ROLES, DOCUMENT_PACKS, DOCUMENT_PART_ACCESS_RULES, referencedDocument } from '../rights.ts'
import { document } from './document.ts'

/**
 * A reference to an exact revision of another document or to an uploaded file. The reference is saved and sealed with
 * the document, and from then on contains the digest of its target.
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
    /** Field of the document to which the reference belongs. */
    field: text({ editable: 'nobody', notNull: true, filter: true }),
    position: integer({ default: 0, order: true }),
    target: link(() => document, {
      filter: true,
      label: 'Document',
      embed: ['kind', 'documentNumber', 'revision', 'title', 'completedAt', 'seal'],
      embedFor: { by: () => referencedDocument, fields: ['title'] },
    }),
    file: link(() => uploadedDocument, {
      filter: true,
      label: 'File',
      embed: ['name', 'label', 'type', 'createdAt', 'checksum'],
    }),
    notes: text({ default: '', max: 500 }),
    /** Seal of the target document or checksum of the file, as of completion. */
    digest: text({ readonly: true }),
  },
  allow: { read: ANY_DOCUMENT_READER_ROLES, rows: DOCUMENT_PART_ACCESS_RULES },
  pack: DOCUMENT_PACKS,
})

/** Query parameter of a draft's page: name of the field whose dialog to choose documents opens with its step. */
export const ADD_REFERENCE_PARAM = 'add'

export interface ReferenceTargets {
  readonly label: string
  /** Document types that can be referred to, by stored name. */
  readonly to: readonly string[]
  /** True if files can be referred to as well as documents. */
  readonly files?: true
  /**
   * `chosen`: the revision that the author chose; if that revision is replaced before completion, the document can't be
   * completed. `in force`: the revision in force at completion.
   */
  readonly revision: 'chosen' | 'in force'
  /**
   * Names of the record fields that hold the IRI (`source`) and the number (`number`) of the first listed document of
   * one source type. `source` is also the name of that type in the document type's `sources`. Changing the IRI replaces
   * that document in the list.
   */
  readonly first?: { readonly source: string; readonly number: string }
  /**
   * Set if documents of only one other type can be referred to: the URL of that type's list, the heading of the title
   * column (`called`) and the field with the title (`by`).
   */
  readonly from?: { readonly url: string; readonly list: string; readonly called: string; readonly by: string }
}

export const referencesField = (name: string, { label }: ReferenceTargets) =>
  rows(() => documentReference, { by: 'document', only: { field: name }, label })

/** Returns the record fields for the first document of each list. */
export const firstReferenceFields = (references: Readonly<Record<string, ReferenceTargets>> = {}): Fields =>
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

export interface DocumentReferenceValue {
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
  /** Title of the document; null for users outside its audience. */
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

export const referencesIn = (
  declared: Readonly<Record<string, ReferenceTargets>> | undefined,
  record: Readonly<Record<string, unknown>>,
): { readonly field: string; readonly label: string; readonly rows: readonly DocumentReferenceValue[] }[] =>
  Object.entries(declared ?? {}).map(([field, { label }]) => ({
    field,
    label,
    rows: (Array.isArray(record[field]) ? record[field] : []) as DocumentReferenceValue[],
  }))

/** Returns the title of a referenced document, or a placeholder for users outside its audience. */
export const referencedTitle = ({ title }: Pick<ReferredDocument, 'title'>): string =>
  title ?? 'A document you can’t access'

/** Returns the IDs of references whose titles the user may not see. */
export const referenceIdsWithHiddenTitle = (
  declared: Readonly<Record<string, ReferenceTargets>> | undefined,
  record: Readonly<Record<string, unknown>>,
): number[] =>
  referencesIn(declared, record).flatMap(({ rows }) =>
    rows.flatMap(({ id, target }) => (target?.title === null && id !== undefined ? [id] : [])),
  )
