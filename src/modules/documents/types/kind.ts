import type { Violation } from '#kernel/errors.ts'
import type { SealedRowsSpec } from '#kernel/evidence.ts'
import { choice, date, type Field, type Fields, json, link, strings, text } from '#kernel/fields.ts'
import { toEngineFields } from '#kernel/forms/fields.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { type RecordOf, type Resource, type RowOf, resource, type ValuesOf } from '#kernel/resource.ts'
import { defineSequence, type NumberSequence } from '#kernel/sequence.ts'
import type { HtmlSanitiser } from '#kernel/text/clean-nodes.ts'
import { toText } from '#kernel/text.ts'
import {
  DOCUMENT_ROLES,
  type DocumentReaderGroup,
  type DocumentRoles,
  documentAccessRules,
  TEMPLATE_MANAGER_ROLES,
} from '../rights.ts'
import { type Audience, EVERYONE_AUDIENCE } from './audience.ts'
import type { RowIdentity } from './comparison-rules.ts'
import { DOCUMENT_NUMBER_LOCK, getChangeCategories } from './document.ts'
import { documentFields } from './document-fields.ts'
import { firstReferenceFields, type ReferenceTargets, referencesField } from './reference.ts'
import { type DocumentTransitions, type TransitionName, transitionsFor } from './transitions.ts'
import type { DocumentTypeInfo } from './type-info.ts'

type Values = Readonly<Record<string, unknown>>
type Query = Readonly<Record<string, string | readonly string[] | undefined>>

export interface PrintedPicture {
  /** ID of the picture's file, used to find the pictures of a row. Missing in older stored PDFs. */
  readonly id?: number
  readonly base64: string
  readonly alt: string
  readonly caption: string
}

/** Loads all records of a resource with these field values, including their IRIs. */
export type RecordsReader = (r: Resource, where: Readonly<Record<string, boolean>>) => Promise<readonly Values[]>

export interface PrintMaterialInput {
  readonly images: readonly PrintedPicture[]
  readonly [name: string]: unknown
}

/** Rules for cleaning and checking a stored value that no form field describes. */
export interface StoredFieldRules {
  readonly clean: (value: unknown, cleanHtml: HtmlSanitiser) => unknown
  /** Returns violations for anything that cleaning would lose or can't parse. */
  readonly wrong: (value: unknown, path: string) => readonly Violation[]
}

export interface RevisionToSave {
  /** All values after the change, including rows. */
  readonly next: Values
  /** The stored values; undefined for a new revision. */
  readonly before: Values | undefined
  /** True if the revision has just been started as a copy. */
  readonly copied: boolean
  /** Username of the author, and the time as an ISO 8601 instant. */
  readonly by: string
  readonly at: string
}

export interface DocumentTypeSetting {
  readonly of: () => Resource
  /** Returns a client's effective value from the setting's stored rows. Without rows, returns the built-in value. */
  readonly inUse: (rows: readonly Values[], clientId: number) => unknown
}

/** Declaration of a controlled document type, for which this module provides the lifecycle. */
export interface DocumentKindSpec extends DocumentTypeInfo {
  readonly type: string
  readonly path: string
  /** Number prefix; for example, `RA` results in RA-0001. */
  readonly prefix: string
  /** Title field and label; for example, the title field of a risk assessment is `description`. */
  readonly title: { readonly field: string; readonly label: string; readonly required: string }
  readonly schema: FormSchema
  /** Relation to the previous revision, if the specification doesn't call it `parent`. */
  readonly parent?: string
  /** Fields outside the form: rows, and the values of `custom` fields with `inJson: 'content'`. */
  readonly fields?: Fields
  /** Fields of the type that lists include. */
  readonly listed?: readonly string[]
  /** Rules for sealing rows in separate tables, by field. They include the names used for the rows in findings. */
  readonly sealedRows?: Readonly<
    Record<string, Partial<Pick<SealedRowsSpec, 'named' | 'without' | 'digested' | 'file'>>>
  >
  /**
   * Options of form fields: whether lists are filtered, sorted and searched by them, and whether they can't be changed
   * while impersonating a user. Searched fields are also in the table's `search_text`.
   */
  readonly fieldOptions?: Readonly<Record<string, Pick<Field, 'filter' | 'order' | 'search' | 'notWhileImpersonating'>>>
  /** References to other documents and uploaded files, by field. */
  readonly references?: Readonly<Record<string, ReferenceTargets>>
  /** Rules for cleaning and checking the values of `custom` fields, by name. */
  readonly kept?: Readonly<Record<string, StoredFieldRules>>
  /** Field with the IRI of an upload that is printed first. */
  readonly picture?: string
  /** Default months from approval to the next review. */
  readonly reviewMonths: number
  /** Path of the Typst template, relative to the project root, and the function that builds its input. */
  readonly pdf: {
    readonly template: string
    readonly body: (record: Values, beside: PrintMaterialInput) => object
    /**
     * Records that can be printed with the document, by the name of the query parameter, such as `presented` in
     * `?presented=12`. `by` is the relation that links them to the document.
     */
    readonly beside?: () => Readonly<Record<string, { readonly of: Resource; readonly by: string }>>
  }
  /** Returns the problems that prevent a record's completion and that its form does not cover. */
  readonly problems?: (record: Values) => readonly Violation[]
  /** Number of questions in the type's own inputs, by path of a field or row. */
  readonly asked?: (record: Values) => Readonly<Record<string, number>>
  /** Adjusts a revision, especially its rows, before the revision is saved. */
  readonly settle?: (revision: RevisionToSave) => Values
  /** Fields to confirm in a copy, in addition to those marked in the form. */
  readonly confirms?: readonly string[]
  /** Required fields that a template may leave open, because only the place of work decides them. */
  readonly openInTemplates?: readonly string[]
  /** Row identity by field for template comparisons. Fields without an entry identify their rows by name. */
  readonly called?: Readonly<Record<string, RowIdentity>>
  /**
   * Fields with the IDs of employees in rows that are stored in a table of their own, by the path of the name beside
   * which each is stored. Forms declare theirs as fields of kind `person`.
   */
  readonly namedEmployees?: Readonly<Record<string, string>>
  /** Fields derived from others, with the functions that compute them. */
  readonly follows?: Readonly<Record<string, (record: Values) => unknown>>
  readonly blank?: () => Values
  /** Functions that return default values by field, from lists that the author may read. */
  readonly begun?: Readonly<Record<string, (list: RecordsReader) => Promise<unknown>>>
  /** Company settings that apply to a draft and are sealed with it, by field. Templates have no settings. */
  readonly settings?: Readonly<Record<string, DocumentTypeSetting>>
  /** Returns the initial values of a document from the query and the source record of another type. */
  readonly begunFrom?: (from: NewDocumentInput) => Values
  /** Additional query parameters for `begunFrom`. */
  readonly told?: Fields
  /**
   * Types from which a document of this type can be started, by the name of the query parameter, such as
   * `riskAssessment` in `model?riskAssessment=12`.
   */
  readonly sources?: () => Readonly<Record<string, DocumentKind>>
  /**
   * Readers of documents in force; everyone in the company by default. A document's audience may be narrower but never
   * wider.
   */
  readonly audience?: Audience
  /** Group of people who may read the documents; SQL decides who belongs to it. Everyone in the audience by default. */
  readonly readerGroup?: Exclude<DocumentReaderGroup, ''>
  /** Scope in which only one revision is in force at a time: the document number by default, or the client. */
  readonly current?: 'per client'
  /** True if the document's pack (the document and all its references) can be shared by link. */
  readonly shared?: true
  /** False if complete documents are in force without approval. */
  readonly approval?: false
  /**
   * True for a bundle that is signed document by document. When it is revised, only readers of added, removed or
   * replaced documents must sign again; after a material change to the bundle's own text, everyone must. The database
   * has the same rule (`signed_by_paper`).
   */
  readonly byPaper?: true
}

export interface NewDocumentInput {
  readonly query: Query
  readonly begun: Values
  /**
   * Record of another type from which the document is started, read with the user's permissions, and the name of its
   * query parameter.
   */
  readonly source?: { readonly name: string; readonly record: Values }
}

/** A resource with the common fields of all document types; form fields are accessed by name. */
export type DocumentResource = Resource<typeof documentFields, ReturnType<typeof actionsOf>>
export type DocumentRow = RowOf<DocumentResource>
export type DocumentRecord = RecordOf<DocumentResource>
export type DocumentValues = ValuesOf<DocumentResource>
/** Document values with the form fields by name. */
export type DocumentContent = DocumentValues & Values

export interface DocumentKind extends DocumentKindSpec {
  readonly parent: string
  readonly audience: Audience
  readonly roles: DocumentRoles
  readonly transitions: DocumentTransitions
  readonly resource: DocumentResource
  /** Number sequence of the type's documents; revisions share their document's number. */
  readonly numbers: NumberSequence
  readonly rows: readonly string[]
}

export const documentRecordTitle = ({ title }: DocumentKindSpec, record: Values): string => toText(record[title.field])

/**
 * Returns the IRI of an upload, which is given either as its IRI or as an object with `@id` and, for example, a label.
 */
export const uploadIri = (upload: unknown): string =>
  toText(upload !== null && typeof upload === 'object' && '@id' in upload ? upload['@id'] : upload)

/** Fields for the origin of a document's content and for the confirmation of that content. */
const originFields = {
  /** Name of the origin, if the client may know it. */
  copiedFrom: text({ inJson: 'content', editable: 'nobody' }),
  unconfirmed: strings({
    inJson: 'content',
    help: 'Copied fields to confirm. To confirm a field, remove its name from the list or change the field’s value.',
  }),
  /** Person who confirmed a field and the time of confirmation, by field name. */
  confirmed: json({ inJson: 'content', editable: 'nobody' }),
} as const satisfies Fields

export const ORIGIN_FIELD_NAMES: ReadonlySet<string> = new Set(Object.keys(originFields))

/** Returns the names of fields that are not copied: origin and sealed settings. */
export const uncopiedFieldNames = ({ settings }: Pick<DocumentKindSpec, 'settings'>): ReadonlySet<string> =>
  new Set([...ORIGIN_FIELD_NAMES, ...Object.keys(settings ?? {})])

export function defineDocumentKind(spec: DocumentKindSpec): DocumentKind {
  const asked = Object.entries(toEngineFields(spec.schema)).map(([name, f]) => [
    name,
    { ...f, ...spec.fieldOptions?.[name] },
  ])
  const references = Object.entries(spec.references ?? {}).map(
    ([name, of]) => [name, referencesField(name, of)] as const,
  )
  const fields: Fields = { ...spec.fields, ...Object.fromEntries(references), ...firstReferenceFields(spec.references) }
  const own = { ...Object.fromEntries(asked), ...fields, ...originFields }
  delete (own as Record<string, Field>)[spec.title.field]
  const { documentNumber, revision, client, ...everyKinds } = documentFields
  const roles = DOCUMENT_ROLES[spec.pack]
  const transitions = transitionsFor(spec, roles)
  const actions = actionsOf(transitions, getChangeCategories(spec))
  const declared: DocumentResource = resource({
    type: spec.type,
    service: spec.pack,
    path: spec.path,
    table: 'document',
    wordsIn: 'document_words',
    lockFirst: DOCUMENT_NUMBER_LOCK,
    only: { kind: spec.kind },
    tenant: 'own or template',
    title: spec.title.field,
    order: ['-id'],
    bulk: ['retire'],
    state: 'state',
    fields: {
      documentNumber,
      revision,
      [spec.parent ?? 'parent']: link((): Resource => declared, {
        column: 'parent_id',
        filter: true,
        hideUnreadable: true,
        label: 'Previous revision',
      }),
      client,
      [spec.title.field]: text({
        column: 'title',
        label: spec.title.label,
        default: '',
        max: 500,
        filter: 'partial',
        order: true,
        search: true,
      }),
      ...everyKinds,
      ...Object.fromEntries(
        Object.entries<Field>(own).map(([name, f]) => [
          name,
          spec.listed?.includes(name) ? f : { ...f, omitFromLists: true as const },
        ]),
      ),
    },
    allow: {
      read: roles.readers,
      create: roles.authors,
      update: roles.authors,
      whileImpersonating: ['create', 'update'],
      ...(spec.pack === 'safety' ? { allTenants: TEMPLATE_MANAGER_ROLES } : {}),
      rows: documentAccessRules(spec.pack),
    },
    pack: spec.pack,
    actions,
  })
  return {
    ...spec,
    fields,
    parent: spec.parent ?? 'parent',
    audience: spec.audience ?? EVERYONE_AUDIENCE,
    roles,
    transitions,
    resource: declared,
    numbers: defineSequence({ name: spec.kind, prefix: `${spec.prefix}-`, per: 'client', gapless: true, digits: 4 }),
    rows: Object.entries<Field>(own).flatMap(([name, f]) => (f.kind === 'rows' ? [name] : [])),
  }
}

/**
 * Returns the permissions and states of the actions, derived from the transitions. Actions that nobody may perform have
 * no route.
 */
function actionsOf(transitions: DocumentTransitions, changes: ReturnType<typeof getChangeCategories>) {
  const as = (name: TransitionName) => {
    const { may, from, notWhileImpersonating } = transitions[name]
    return { allow: may, from, whileImpersonating: notWhileImpersonating !== 'always' }
  }
  return {
    complete: { path: 'complete', title: 'Complete', input: { change: choice(changes) }, ...as('complete') },
    approve: {
      path: 'approve',
      title: 'Approve and bring into force',
      input: { note: text(), reviewDue: date(), change: choice(changes), audience: strings() },
      ...as('approve'),
    },
    reject: {
      path: 'reject',
      title: 'Reject',
      input: { note: text({ required: 'Please enter a reason for the rejection' }) },
      ...as('reject'),
    },
    withdraw: {
      path: 'withdraw',
      title: 'Withdraw without replacement',
      input: { note: text({ required: 'Please enter a reason for the withdrawal' }) },
      ...as('withdraw'),
    },
    /** Switches a draft to the newest form. Answers for which that form has no field become unplaced answers. */
    useNewForm: { path: 'use_new_form', title: 'Use new form', input: {}, ...as('edit') },
    revise: { path: 'revise', title: 'Start next revision', input: { reason: text() }, ...as('revise') },
  } as const
}

export function documentNotificationPath(
  kinds: readonly DocumentKind[],
  kind: string | undefined | null,
  id: number | undefined,
): string {
  const screens = kinds.find((one) => one.kind === kind)?.screens
  return screens && id ? `${screens.list}/view/${id}` : '/dashboard'
}

/** Returns a document's name for notifications: its number, and its title or `Untitled`. */
export const documentName = (
  doc: { documentNumber?: string | null; title?: string | null } | null | undefined,
): string => `${doc?.documentNumber ?? ''} ${doc?.title || 'Untitled'}`.trim()
