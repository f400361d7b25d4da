import { type ApiValueOf, columnOf, type Field, type Fields, type Iri, type RowValueOf } from './fields.ts'
import type { PackChoice } from './packs.ts'
import type { Roles } from './roles.ts'
import type { AccessRule } from './row-rules.ts'

/**
 * Tenancy of a resource's rows. `own`: rows of the actor's client. `own or template`: also the rows of client 0, which
 * can be read and copied. `shared`: reference data without a tenant. `self`: the table of clients, where each client
 * owns its own row.
 */
export type Tenancy = 'own' | 'own or template' | 'shared' | 'self'

export type AccessVerb = 'read' | 'create' | 'update' | 'delete'

export interface ResourcePermissions {
  readonly read?: Roles
  readonly create?: Roles
  readonly update?: Roles
  readonly delete?: Roles
  /** Provider staff (client 0) with one of these roles may access the rows of every client. */
  readonly allTenants?: Roles
  /** Resellers with one of these roles may also read the rows of their own clients. */
  readonly resellerScope?: Roles
  /** Resellers with one of these roles may count the rows of their own clients, but may not read them. */
  readonly resellerCounts?: Roles
  /**
   * Verbs that are allowed while impersonating a user, besides reading; none by default. They commit the user to
   * nothing: for example, they write a draft.
   */
  readonly whileImpersonating?: readonly Exclude<AccessVerb, 'read'>[]
  /** Verbs that only provider staff may use, and only while impersonating a client's user. */
  readonly onlyWhileImpersonating?: readonly AccessVerb[]
  /**
   * Rules that restrict the rows for some users. All rules apply, but they never hide shared data from provider staff.
   */
  readonly rows?: readonly AccessRule[]
}

/**
 * Typed operation on one record: `POST {item}/{path}`. An action with `allow: 'nobody'` has no URL. The module's
 * `.server` file defines the action's behaviour.
 */
export interface ActionSpec {
  readonly path: string
  readonly allow: Roles
  readonly input: Fields
  /** States in which the action is allowed; any by default. */
  readonly from?: readonly string[]
  /** New state of the record. If set, the action needs no behaviour, although a behaviour may set another state. */
  readonly to?: string
  readonly title: string
  /** Access rules that limit the action to certain records, such as records that another user has approved. */
  readonly rows?: readonly AccessRule[]
  /** Action without input that undoes this action. */
  readonly undo?: string
  /**
   * True if the action accepts the filters and order of the list in which it is run. Other query parameters are
   * removed.
   */
  readonly filters?: true
  /** True if the response contains a secret. Such a response is not stored, so a repeated request is executed again. */
  readonly secret?: true
  /**
   * True if the action is allowed while impersonating a user. Such an action commits the user to nothing: for example,
   * it starts or continues a draft.
   */
  readonly whileImpersonating?: boolean
}

export type Actions = Readonly<Record<string, ActionSpec>>

/** Bulk action for an action with inputs: those whose one value makes sense for many records. */
export interface BulkActionDeclaration {
  readonly action: string
  readonly input: readonly string[]
}

export interface ResourceSpec<F extends Fields = Fields, A extends Actions = Actions> {
  /** Class name, unique across all services. */
  readonly type: string
  readonly service: string
  readonly path: string
  readonly table: string
  /**
   * Separate table for the search text of records whose other values change often. It has `client_id`, `{table}_id`,
   * `search_text` and, as search forms, the columns of fields with `search: 'own'`. Triggers maintain it.
   */
  readonly searchIn?: string
  /**
   * Separate table for the words of a record's whole content, which `?q=` then searches instead of `search_text`. It
   * has `client_id`, `{table}_id` and `words`, a `tsvector` whose weights rank the results. Triggers maintain it.
   */
  readonly wordsIn?: string
  readonly fields: F
  readonly tenant: Tenancy
  /**
   * Pack that the resource belongs to. Clients without this pack have no access, and clients whose pack has lapsed may
   * only read.
   */
  readonly pack?: PackChoice
  /** Column values that select this resource's rows in the table, and that are set in new rows. */
  readonly only?: Readonly<Record<string, string>>
  readonly allow: ResourcePermissions
  /**
   * Lock to acquire, in the same statement, before a row is locked: an SQL function and the columns that are its
   * arguments. For rows that are changed together in varying order, so that transactions wait for each other instead of
   * deadlocking.
   */
  readonly lockFirst?: { readonly call: string; readonly of: readonly string[] }
  /**
   * True if rows can only be added, never changed or deleted. A test checks that a migration calls
   * `append_only_table('…')`.
   */
  readonly appendOnly?: true
  /**
   * Field that identifies a record in the subject of the e-mails about it: `{url}/{id}` or, for another field,
   * `{url}?{field}={value}`. Only readers of the record may read these e-mails and their answers.
   */
  readonly emails?: string
  /** Default order, with `-` for descending: `['-sticky', '-id']`. `id` is always appended. */
  readonly order?: readonly string[]
  /** Field that stores the record's state, for resources whose actions depend on it. */
  readonly state?: string
  readonly actions?: A
  /** Field whose value can be used in URLs instead of the ID: `/api/crm/staff/jane`. */
  readonly alias?: string
  /** True if `?pagination=false` is allowed, which returns all records. For short lists only. */
  readonly unpaginated?: boolean
  /** Field whose value is shown as the record's title. */
  readonly title?: string
  /** Bulk actions for the list: actions, `retire`, or names of fields that can be changed. */
  readonly bulk?: readonly (string | BulkActionDeclaration)[]
  /**
   * Changes to the record, or to these fields, require the user to confirm their identity. Behaviours check this for
   * each record, bulk actions once at the start.
   */
  readonly asksProof?: true | readonly string[]
}

export interface Resource<F extends Fields = Fields, A extends Actions = Actions> extends ResourceSpec<F, A> {
  readonly allow: ResourcePermissions
  /** URL path of the list, such as `/api/crm/contacts`. */
  readonly url: Iri
  /** Column names by field name, for fields that have their own column. */
  readonly columns: Readonly<Record<string, string>>
}

/** Kinds of fields in a jsonb column that lists can filter by. Text fields can also be searched and sorted. */
const SEARCHABLE_JSON_KINDS = new Set<Field['kind']>([
  'text',
  'longText',
  'choice',
  'strings',
  'flag',
  'integer',
  'decimal',
])
const isSearchableInJson = ({ kind, filter, order, search, count }: Field) =>
  (SEARCHABLE_JSON_KINDS.has(kind) && search !== 'own' && !count && !(order && kind === 'strings')) ||
  !(filter || order || search)

const COUNTABLE_KINDS = new Set<Field['kind']>(['choice', 'text', 'flag', 'link'])

const CONFIDENTIAL = new Map<string, readonly string[]>()

/** Returns the names of the confidential fields declared for a resource type. */
export const confidentialFieldNames = (type: string): readonly string[] => CONFIDENTIAL.get(type) ?? []

/** Returns the columns of a resource's confidential fields. */
export const confidentialColumnsOf = ({ type, columns }: Pick<Resource, 'type' | 'columns'>): string[] =>
  confidentialFieldNames(type).flatMap((name) => columns[name] ?? [])

const WITH_EMAILS = new Map<string, Resource>()

/** Returns the resources whose records e-mails are about. */
export const resourcesWithEmails = (): readonly Resource[] => [...WITH_EMAILS.values()]

/** True for an empty subject, and for the address of a record that e-mails may be about. */
export const isEmailSubject = (about: string): boolean =>
  about === '' || WITH_EMAILS.has(about.replace(/[/?][^/?]*$/, ''))

/** Declares a resource. Throws at start-up if the declaration is invalid, before the error can affect a customer. */
export function resource<const F extends Fields, const A extends Actions = Record<never, ActionSpec>>(
  spec: ResourceSpec<F, A>,
): Resource<F, A> {
  const fields = Object.entries<Field>(spec.fields)
  for (const key of [
    ...(spec.order ?? []).map((o) => o.replace(/^-/, '')),
    spec.state,
    spec.alias,
    spec.title,
    spec.emails,
  ])
    if (key && key !== 'id' && !(key in spec.fields)) throw new Error(`${spec.type}: "${key}" is not a field`)
  for (const [name, f] of fields)
    if (name === 'id' || name.startsWith('@'))
      throw new Error(`${spec.type}.${name}: this field name is reserved (${f.kind})`)
  for (const [name, f] of fields)
    if (f.inJson && (!isSearchableInJson(f) || f.kind === 'link'))
      throw new Error(
        `${spec.type}.${name}: a field inside "${f.inJson}" can't be a relation, and only text, number and choice fields can have a filter`,
      )
  for (const [name, f] of fields)
    if (f.owner !== undefined && !(f.confidential && [f.owner].flat().every((owner) => owner in spec.fields)))
      throw new Error(`${spec.type}.${name}: a field with an owner must be confidential, and the owner must be a field`)
  for (const [name, f] of fields)
    if (Object.entries(f.embedAsClosed ?? {}).some(([of, by]) => !f.embed?.includes(of) || !(by in spec.fields)))
      throw new Error(`${spec.type}.${name}: only an embedded field can have a value as closed, which must be a field`)
  for (const [name, f] of fields)
    if (f.disabledBy && !(f.disabledBy.by.split('.', 1).join() in spec.fields))
      throw new Error(`${spec.type}.${name}: "${f.disabledBy.by}" can’t disable this field`)
  for (const [name, f] of fields)
    if (f.count && (!f.filter || !COUNTABLE_KINDS.has(f.kind) || f.visible || f.confidential))
      throw new Error(
        `${spec.type}.${name}: a field by which lists are counted must not be confidential, and must have a filter and few values`,
      )
  for (const [name, f] of fields)
    if (f.countOf && (!f.readonly || f.filter || f.order || f.search))
      throw new Error(
        `${spec.type}.${name}: a counted field must be read-only, and lists can't be searched or sorted by it`,
      )
  for (const [name, f] of fields)
    if (f.sql && (!f.readonly || f.order || f.search))
      throw new Error(`${spec.type}.${name}: a computed field must be read-only, and lists can't be sorted by it`)
  for (const [name, action] of Object.entries<ActionSpec>(spec.actions ?? {}))
    if (action.to && !(spec.state && spec.fields[spec.state]?.options?.some((o) => o.value === action.to)))
      throw new Error(`${spec.type}.${name}: "${action.to}" is not a state`)
  if (spec.appendOnly && (spec.allow.update || spec.allow.delete))
    throw new Error(`${spec.type}: an append-only resource can't allow changes or deletion`)
  const confidential = fields.flatMap(([name, f]) => (f.confidential ? [name] : []))
  for (const name of confidential)
    if (spec.fields[name]?.search || name === spec.title || name === spec.alias)
      throw new Error(`${spec.type}.${name}: a confidential field can't be searched, or be the record's title or alias`)
  if (confidential.length) CONFIDENTIAL.set(spec.type, confidential)
  const declared: Resource<F, A> = {
    ...spec,
    url: `/api/${spec.service}/${spec.path}`,
    columns: Object.fromEntries(
      fields
        .filter(([, f]) => !f.inJson && !f.countOf && !f.sql && f.kind !== 'rows')
        .map(([name, f]) => [name, columnOf(name, f)]),
    ),
  }
  if (declared.emails) WITH_EMAILS.set(declared.url, declared as unknown as Resource)
  return declared
}

const ACRONYMS = new Set(['Coshh', 'Ppe', 'Rams'])

/** Returns the name of a type for people, such as `COSHH assessment` for `CoshhAssessment`. */
export const labelOfType = (type: string): string =>
  type
    .split(/(?=[A-Z])/)
    .map((word, n) => (ACRONYMS.has(word) ? word.toUpperCase() : n ? word.toLowerCase() : word))
    .join(' ')

export const iriOf = (r: Pick<Resource, 'url'>, id: number | string): Iri => `${r.url}/${id}`

/**
 * Returns the ID or alias at the end of an IRI of this resource, with or without its service prefix; `undefined` for an
 * IRI of another resource.
 */
export function idFromIri(r: Pick<Resource, 'url' | 'path'>, iri: string): string | undefined {
  const m = /^(\/(?:api\/)?(?:[\w-]+\/)*)([^/?#]+)$/.exec(iri)
  if (!m) return undefined
  const [, folder = '', id = ''] = m
  if (folder !== `${r.url}/` && folder !== `/api/${r.path}/` && folder !== `/${r.path}/`) return undefined
  try {
    return decodeURIComponent(id)
  } catch {
    return undefined
  }
}

/** A record as sent by the API. */
export type RecordOf<R extends Resource> = { '@id': Iri; '@type': string; id: number } & {
  -readonly [K in keyof R['fields']]: ApiValueOf<R['fields'][K]>
}

/** A record inside the engine, as used by behaviours. Relations are IDs, and `rows` are row objects. */
export type RowOf<R extends Resource> = {
  id: number
  /** Tenant that owns the row; 0 for shared data. */
  clientId: number
} & { -readonly [K in keyof R['fields']]: RowValueOf<R['fields'][K]> }

/** Values of a record by field name, as read and set by behaviours. Existing `rows` have an ID; new ones don't. */
export type ValuesOf<R extends Resource> = {
  -readonly [K in keyof R['fields']]?: InputValue<RowValueOf<R['fields'][K]>>
}

type InputValue<T> = T extends readonly (infer Row extends { id: number; clientId: number })[] ? Partial<Row>[] : T

/** Input for an action: required values are always present, others are optional. */
export type ActionInputOf<F extends Fields> = {
  readonly [K in keyof F as null extends RowValueOf<F[K]> ? never : K]: RowValueOf<F[K]>
} & { readonly [K in keyof F as null extends RowValueOf<F[K]> ? K : never]?: RowValueOf<F[K]> }

/**
 * Returns the actions that have a URL. Actions allowed to nobody have none: only the portal itself or the bearer of a
 * link runs them.
 */
export const actionsWithUrl = (r: Pick<Resource, 'actions'>): [string, ActionSpec][] =>
  Object.entries(r.actions ?? {}).filter(([, action]) => action.allow !== 'nobody')

export type ActionNameOf<R extends Resource> = keyof NonNullable<R['actions']> & string
