import type { Violation } from '#kernel/errors.ts'
import type { SealedRows } from '#kernel/evidence.ts'
import { choice, date, type Field, type Fields, json, link, strings, text } from '#kernel/fields.ts'
import { fieldsOf } from '#kernel/forms/fields.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { type RecordOf, type Resource, type RowOf, resource, type ValuesOf } from '#kernel/resource.ts'
import { type Sequence, sequence } from '#kernel/sequence.ts'
import type { CleanHtml } from '#kernel/text/clean-nodes.ts'
import { textOf } from '#kernel/text.ts'
import { AUTHORS, KEEPERS, READERS, SEEN } from '../rights.ts'
import { type Audience, EVERYBODY } from './audience.ts'
import { changeOptions } from './changes.ts'
import type { Called } from './compared.ts'
import { documentFields } from './document-fields.ts'
import { NUMBER_HELD } from './number-held.ts'
import { firstFields, type References, referencesField } from './reference.ts'
import { type TransitionName, type Transitions, transitionsFor } from './transitions.ts'
import type { DocumentTypeInfo } from './type-info.ts'

type Values = Readonly<Record<string, unknown>>
type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** An uploaded picture, as it is printed. */
export interface Picture {
  /** Its file, by which a kind finds the pictures of a row; unknown of papers that were kept before. */
  readonly id?: number
  readonly base64: string
  readonly alt: string
  readonly caption: string
}

/** All records of a resource whose fields say this, with their addresses. */
export type ReadList = (r: Resource, where: Readonly<Record<string, boolean>>) => Promise<readonly Values[]>

/** What is printed beside the record itself. */
export interface Beside {
  readonly images: readonly Picture[]
  readonly [name: string]: unknown
}

/** How a value is kept that no field of a form describes. */
export interface KeptField {
  readonly clean: (value: unknown, cleanHtml: CleanHtml) => unknown
  /** What cleaning would lose, or can't read. */
  readonly wrong: (value: unknown, path: string) => readonly Violation[]
}

/** A revision that is about to be kept. */
export interface Settled {
  /** Everything that it would say, its rows included. */
  readonly next: Values
  /** The same as it is stored; nothing for a new one. */
  readonly before: Values | undefined
  /** Has it just been begun with what another document says? */
  readonly copied: boolean
  /** Who writes, and when: a username, and an ISO 8601 instant. */
  readonly by: string
  readonly at: string
}

/** A setting as a kind reads it. */
export interface Setting {
  readonly of: () => Resource
  /** What holds for a client, of the rows that it reads; of none, what the portal comes with. */
  readonly inUse: (rows: readonly Values[], clientId: number) => unknown
}

/** What one kind of controlled document says about itself; its whole life comes from this module. */
export interface KindSpec extends DocumentTypeInfo {
  readonly type: string
  readonly path: string
  /** Before its numbers: `RA` gives RA-0001. */
  readonly prefix: string
  /** The field that names a document, and its label: a risk assessment's `description`. */
  readonly title: { readonly field: string; readonly label: string; readonly required: string }
  readonly schema: FormSchema
  /** The relation to the revision before it, where the specification calls it something else than `parent`. */
  readonly parent?: string
  /** Fields that the form's own don't cover: rows, and what `custom` fields hold, `inJson: 'content'`. */
  readonly fields?: Fields
  /** Fields of its own that lists have too. */
  readonly listed?: readonly string[]
  /** How its rows of their own stand in the chain, by the name of their field: what one is called in a finding. */
  readonly sealedRows?: Readonly<Record<string, Partial<Pick<SealedRows, 'named' | 'without' | 'digested' | 'file'>>>>
  /** What of its form's fields the list is filtered, put in order and searched by. What is searched is in the table's `search_text` too. */
  readonly found?: Readonly<Record<string, Pick<Field, 'filter' | 'order' | 'search'>>>
  /** What its documents refer to: other documents, and uploaded files; by the name of the field that holds them. */
  readonly references?: Readonly<Record<string, References>>
  /** How the values are kept that a form's own inputs bring (`custom` fields): by name. */
  readonly kept?: Readonly<Record<string, KeptField>>
  /** The field with the address of an upload that is printed before all others. */
  readonly picture?: string
  /** Months from approval to the next review, unless the document says a day. */
  readonly reviewMonths: number
  /** The Typst template, from the project's root, and what it is given. */
  readonly pdf: {
    readonly template: string
    readonly body: (record: Values, beside: Beside) => object
    /** Records that can be printed with it, asked for by name: `?presented=12`; and by which relation they are its own. */
    readonly beside?: () => Readonly<Record<string, { readonly of: Resource; readonly by: string }>>
  }
  /** What is wrong with a record that is to be completed, beyond what its form says. */
  readonly problems?: (record: Values) => readonly Violation[]
  /** How many questions the kind's own inputs ask, by place: their field, or a row of it. */
  readonly asked?: (record: Values) => Readonly<Record<string, number>>
  /** What the kind changes on a revision before it is kept, in its rows above all. */
  readonly settle?: (revision: Settled) => Values
  /** Fields that are asked about in a copy, whatever form it is written by, beside those that the form marks. */
  readonly confirms?: readonly string[]
  /** How its rows are told apart where a copy is compared with its template, by field: by what they are called, unless said. */
  readonly called?: Readonly<Record<string, Called>>
  /** Fields that say again what other ones say, and how they are made of them. */
  readonly follows?: Readonly<Record<string, (record: Values) => unknown>>
  /** A new one, as its author first sees it. */
  readonly blank?: () => Values
  /** What a new one also begins with where nothing is said, by field: out of lists that its author may read. */
  readonly begun?: Readonly<Record<string, (list: ReadList) => Promise<unknown>>>
  /** Settings of its company that a draft follows and that are sealed with it, by the field that holds them. A template has none. */
  readonly settings?: Readonly<Record<string, Setting>>
  /** What a new one takes from the query, and from the record of another kind that it is begun from. */
  readonly begunFrom?: (from: BegunFrom) => Values
  /** What the query may tell `begunFrom` beside that. */
  readonly told?: Fields
  /** The kinds that a new one can be begun from, by the name in the query: `model?riskAssessment=12`. */
  readonly sources?: () => Readonly<Record<string, DocumentKind>>
  /** Who reads what is in force: everybody in the company, unless said. A document can be for fewer, never for more. */
  readonly audience?: Audience
  /** What one revision at a time is in force of: its number, unless said; or the client, whatever the number. */
  readonly current?: 'per client'
  /** Its pack, it and all that it refers to, is handed over to people outside by links. */
  readonly shared?: true
  /** Without approval, what is complete is in force at once. */
  readonly approval?: false
  /**
   * It is signed paper by paper: a new revision is signed again by those whom a paper is for that came, went or was replaced, and by everybody where its own
   * words changed materially. The database says the same (`signed_by_paper`).
   */
  readonly byPaper?: true
}

/** What a new document may be begun from. */
export interface BegunFrom {
  readonly query: Query
  /** What it begins with where nothing is said. */
  readonly begun: Values
  /** The record of another kind, as its reader sees it, and the name that the query has for it. */
  readonly source?: { readonly name: string; readonly record: Values }
}

/** A kind's records as every kind has them; what its form asks for is there by name. */
export type DocumentResource = Resource<typeof documentFields, ReturnType<typeof actionsOf>>
export type DocumentRow = RowOf<DocumentResource>
export type DocumentRecord = RecordOf<DocumentResource>
export type DocumentValues = ValuesOf<DocumentResource>
/** The same with what its form asks for, by name. */
export type DocumentWords = DocumentValues & Values

export interface DocumentKind extends KindSpec {
  readonly parent: string
  readonly audience: Audience
  /** Its life: who may do what with a revision, and what comes of it. */
  readonly transitions: Transitions
  readonly resource: DocumentResource
  /** The numbers of its documents; every revision keeps its document's. */
  readonly numbers: Sequence
  /** The names of the `rows` fields. */
  readonly rows: readonly string[]
}

/** What a document is called; empty while it has no name. */
export const titleIn = ({ title }: KindSpec, record: Values): string => textOf(record[title.field])

/** The address of an upload, which may come with a label. */
export const addressOf = (upload: unknown): string =>
  textOf(upload !== null && typeof upload === 'object' && '@id' in upload ? upload['@id'] : upload)

/** What nobody has said yet to hold for a document whose words come from its origin. */
const originFields = {
  /** What its origin is called, as far as its client may know. */
  copiedFrom: text({ inJson: 'content', editable: 'nobody' }),
  unconfirmed: strings({
    inJson: 'content',
    help: 'Fields that came with a copy. One is confirmed by leaving its name out, or by changing what it says.',
  }),
  /** By the name of a field: who confirmed it, and when. */
  confirmed: json({ inJson: 'content', editable: 'nobody' }),
} as const satisfies Fields

/** The names of what says where a document's words come from. */
export const ORIGIN: ReadonlySet<string> = new Set(Object.keys(originFields))

/** The names of what a new document of a kind doesn't take from another: where that came from, and the settings that held for it. */
export const ownOnly = ({ settings }: Pick<KindSpec, 'settings'>): ReadonlySet<string> =>
  new Set([...ORIGIN, ...Object.keys(settings ?? {})])

/** Declares a kind of controlled document. */
export function documentKind(spec: KindSpec): DocumentKind {
  const asked = Object.entries(fieldsOf(spec.schema)).map(([name, f]) => [name, { ...f, ...spec.found?.[name] }])
  const references = Object.entries(spec.references ?? {}).map(
    ([name, of]) => [name, referencesField(name, of)] as const,
  )
  const fields: Fields = { ...spec.fields, ...Object.fromEntries(references), ...firstFields(spec.references) }
  const own = { ...Object.fromEntries(asked), ...fields, ...originFields }
  delete (own as Record<string, Field>)[spec.title.field]
  const { documentNumber, revision, client, ...everyKinds } = documentFields
  const transitions = transitionsFor(spec)
  const actions = actionsOf(transitions, changeOptions(spec))
  const declared: DocumentResource = resource({
    type: spec.type,
    service: 'safety',
    path: spec.path,
    table: 'document',
    lockFirst: NUMBER_HELD,
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
        label: 'Follows',
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
    allow: { read: READERS, create: AUTHORS, update: AUTHORS, allTenants: KEEPERS, rows: SEEN },
    pack: 'safety',
    actions,
  })
  return {
    ...spec,
    fields,
    parent: spec.parent ?? 'parent',
    audience: spec.audience ?? EVERYBODY,
    transitions,
    resource: declared,
    numbers: sequence({ name: spec.kind, prefix: `${spec.prefix}-`, per: 'client', gapless: true, digits: 4 }),
    rows: Object.entries<Field>(own).flatMap(([name, f]) => (f.kind === 'rows' ? [name] : [])),
  }
}

/** Who may run an action, and from which states: as the transitions say. One that nobody may has no address. */
function actionsOf(transitions: Transitions, changes: ReturnType<typeof changeOptions>) {
  const as = (name: TransitionName) => {
    const { may, from } = transitions[name]
    return { allow: may, from }
  }
  return {
    complete: { path: 'complete', title: 'Complete', input: { change: choice(changes) }, ...as('complete') },
    approve: {
      path: 'approve',
      title: 'Approve, and make current',
      input: { note: text(), reviewDue: date(), change: choice(changes), audience: strings() },
      ...as('approve'),
    },
    reject: {
      path: 'reject',
      title: 'Reject',
      input: { note: text({ required: 'Please say why it is rejected' }) },
      ...as('reject'),
    },
    withdraw: {
      path: 'withdraw',
      title: 'Withdraw: nothing is in force in its place',
      input: { note: text({ required: 'Please say why it is withdrawn' }) },
      ...as('withdraw'),
    },
    /** The newest form takes the place of a draft's own; what it has no field for is kept aside. */
    useNewForm: { path: 'use_new_form', title: 'Use the new form', input: {}, ...as('edit') },
    revise: { path: 'revise', title: 'Begin the next revision', input: { reason: text() }, ...as('revise') },
  } as const
}
