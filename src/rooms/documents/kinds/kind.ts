import { choice, date, type Field, type Fields, flag, instant, integer, link, text } from '#kernel/fields.ts'
import { fieldsOf } from '#kernel/forms/fields.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Navigation } from '#kernel/navigation.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import { only, type RowRule } from '#kernel/row-rules.ts'
import { type Sequence, sequence } from '#kernel/sequence.ts'
import { client } from '#rooms/portal/clients/client.ts'
import { riskIndustry } from '#rooms/safety/statements/industry.ts'
import { STATE_WORDS, STATES } from './states.ts'

/** Who writes safety documents, who approves them, and who of the provider keeps the templates of client 0. */
export const AUTHORS = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_AUTHOR', 'ROLE_SAFETY_ADMIN'] as const
export const APPROVERS = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN'] as const
export const READERS = [...AUTHORS, 'ROLE_EMPLOYEE', 'ROLE_STAFF'] as const
export const KEEPERS: Roles = 'ROLE_SAFETY_ADMIN'

/** Readers see what is in force; a draft is its author's and the approvers'. */
export const SEEN: readonly RowRule[] = [
  { unless: AUTHORS, only: only.among('state', ['current']) },
  { unless: APPROVERS, only: only.either(only.notAmong('state', ['draft']), only.mine('author')) },
]
/** What belongs to a document is seen with it. */
export const SEEN_WITH: readonly RowRule[] = [{ unless: [], only: only.ofReadable('document') }]

type Values = Readonly<Record<string, unknown>>

/** An uploaded picture, as it is printed. */
export interface Picture {
  readonly base64: string
  readonly alt: string
  readonly caption: string
}

/** All records of a resource that fit, as they are sent. */
export type ReadList = (r: Resource, query: Readonly<Record<string, string>>) => Promise<readonly Values[]>

/** What is printed beside the record itself. */
export interface Beside {
  readonly images: readonly Picture[]
  readonly [name: string]: unknown
}

/** What one kind of controlled document says about itself; its whole life comes from this room. */
export interface KindSpec {
  /** In the table: `risk_assessment`. */
  readonly kind: string
  readonly type: string
  readonly path: string
  /** In sentences: "risk assessment". */
  readonly noun: string
  /** Before its numbers: `RA` gives RA-0001. */
  readonly prefix: string
  /** The field that names a document, and its label: a risk assessment's `description`. */
  readonly title: { readonly field: string; readonly label: string; readonly required: string }
  readonly schema: FormSchema
  /** The relation to the revision before it, where the specification calls it something else than `parent`. */
  readonly parent?: string
  /** Fields that the form's own don't cover: rows, and what `custom` fields hold, `within: 'content'`. */
  readonly fields?: Fields
  /** Months from approval to the next review, unless the document says a day. */
  readonly reviewMonths: number
  /** Screens: the list, and where one is written. */
  readonly screens: { readonly list: string; readonly update: string }
  /** The list in the navigation, its title what many of them are called: "Risk assessments". */
  readonly nav: Pick<Navigation, 'title' | 'icon' | 'order'>
  /** The Typst template, from the project's root, and what it is given. */
  readonly pdf: {
    readonly template: string
    readonly body: (record: Values, beside: Beside) => object
    /** Records that can be printed with it, asked for by name: `?presented=12`. */
    readonly beside?: () => Readonly<Record<string, Resource>>
  }
  /** What is wrong with a record that is to be completed, beyond what its form says. */
  readonly problems?: (record: Values) => readonly { propertyPath: string; message: string; code: string | null }[]
  /** A new one, as its author first sees it. */
  readonly blank?: () => Values
  /** What a new one also begins with, out of lists that its author may read. */
  readonly begun?: (list: ReadList) => Promise<Values>
}

export interface DocumentKind extends KindSpec {
  readonly nav: Navigation
  readonly parent: string
  readonly resource: Resource
  /** The numbers of its documents; every revision keeps its document's. */
  readonly numbers: Sequence
  /** The names of the `rows` fields. */
  readonly rows: readonly string[]
}

/** Declares a kind of controlled document. */
export function documentKind(spec: KindSpec): DocumentKind {
  const own = { ...fieldsOf(spec.schema), ...spec.fields }
  delete (own as Record<string, Field>)[spec.title.field]
  const declared: Resource = resource({
    type: spec.type,
    service: 'safety',
    path: spec.path,
    table: 'document',
    only: { kind: spec.kind },
    tenant: 'own or template',
    title: spec.title.field,
    order: ['-id'],
    state: 'state',
    fields: {
      ...common(spec, () => declared),
      ...Object.fromEntries(Object.entries<Field>(own).map(([name, f]) => [name, { ...f, detail: true as const }])),
    },
    allow: { read: READERS, create: AUTHORS, update: AUTHORS, wide: KEEPERS, rows: SEEN },
    pack: 'safety',
    actions: lifecycle,
  })
  return {
    ...spec,
    nav: { ...spec.nav, path: spec.screens.list, area: 'Safety', allow: READERS, pack: 'safety' },
    parent: spec.parent ?? 'parent',
    resource: declared,
    numbers: sequence({ name: spec.kind, prefix: `${spec.prefix}-`, per: 'client', gapless: true, digits: 4 }),
    rows: Object.entries<Field>(own).flatMap(([name, f]) => (f.kind === 'rows' ? [name] : [])),
  }
}

/** What every kind has. */
const common = (spec: KindSpec, self: () => Resource): Fields => ({
  documentNumber: text({ column: 'number', readonly: true, filter: true, order: true, search: true, label: 'Number' }),
  revision: integer({ readonly: true, filter: true, order: true }),
  [spec.parent ?? 'parent']: link(self, { column: 'parent_id', filter: true, label: 'Follows' }),
  client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
  [spec.title.field]: text({
    column: 'title',
    label: spec.title.label,
    default: '',
    max: 500,
    filter: 'partial',
    order: true,
    search: true,
  }),
  industry: link(() => riskIndustry, { filter: true, embed: ['name'] }),
  isTemplate: flag({ filter: true, label: 'Template' }),
  state: choice(
    STATES.map((value) => ({ value, label: STATE_WORDS[value] })),
    { readonly: true, filter: true, count: true },
  ),
  complete: flag({ filter: true }),
  approved: flag({ filter: true }),
  current: flag({ filter: true, readonly: true }),
  reviewed: flag({ filter: true }),
  retired: flag({ filter: true }),
  author: text({ readonly: true, stamp: 'author', filter: true, order: true, search: true }),
  authorUsername: text({ readonly: true, column: 'approved_by', label: 'Approved by' }),
  createdAt: instant({ readonly: true, filter: true, order: true }),
  updatedAt: instant({ readonly: true, filter: true, order: true, stamp: 'updated' }),
  completedAt: instant({ readonly: true }),
  completedBy: text({ readonly: true }),
  approvedAt: instant({ readonly: true }),
  decisionNote: text({ readonly: true, label: 'Reason' }),
  reviewDue: date({ filter: true, order: true, label: 'Review due' }),
  signatures: integer({ readonly: true, column: 'signature_count' }),
  seal: text({ readonly: true }),
})

const lifecycle = {
  complete: { path: 'complete', title: 'Complete', allow: AUTHORS, from: ['draft'], input: {} },
  approve: {
    path: 'approve',
    title: 'Approve, and make current',
    allow: APPROVERS,
    from: ['complete'],
    input: { note: text(), reviewDue: date() },
  },
  reject: {
    path: 'reject',
    title: 'Reject',
    allow: APPROVERS,
    from: ['complete'],
    input: { note: text({ required: 'Please say why it is rejected' }) },
  },
  revise: {
    path: 'revise',
    title: 'Begin the next revision',
    allow: AUTHORS,
    from: ['complete', 'current', 'rejected'],
    input: { reason: text() },
  },
} as const
