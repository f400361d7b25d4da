import { columnOf, type Field, type Fields, type Inside, type Iri, type Wire } from './fields.ts'
import type { Pack } from './packs.ts'
import type { Roles } from './roles.ts'
import type { RowRule } from './row-rules.ts'

/**
 * Whose rows a resource shows.
 * `own`: rows of the actor's client. `own or template`: those, and client 0's to read and copy.
 * `shared`: reference data without a tenant. `self`: the table of clients, where a client's row is its own.
 */
export type Tenant = 'own' | 'own or template' | 'shared' | 'self'

export type Verb = 'read' | 'create' | 'update' | 'delete'

export interface Allow {
  readonly read?: Roles
  readonly create?: Roles
  readonly update?: Roles
  readonly delete?: Roles
  /** Provider staff (client 0) with one of these roles reach the rows of every client. */
  readonly allTenants?: Roles
  /** Resellers with one of these roles also read the rows of the clients that they carry. */
  readonly resellerScope?: Roles
  /** Resellers with one of these roles may know how many rows there are of the clients that they carry, and read none of them. */
  readonly resellerCounts?: Roles
  /** What nobody does while working as somebody else, in any mode: to sign. */
  readonly notWhileImpersonating?: readonly Exclude<Verb, 'read'>[]
  /** What nobody but the provider's people do, and they only while they work as somebody of a client. */
  readonly onlyWhileImpersonating?: readonly Verb[]
  /** Rules that leave some people only some of the rows. All of them hold; of shared data they keep nothing from the provider's people. */
  readonly rows?: readonly RowRule[]
}

/**
 * One typed operation on one record: `POST {item}/{path}`, unless it is allowed to nobody. Behaviour is in the module's `.server`
 * file.
 */
export interface ActionSpec {
  readonly path: string
  readonly allow: Roles
  readonly input: Fields
  /** States the record may be in; with none named, any. */
  readonly from?: readonly string[]
  /** The state that it moves the record to. Then it needs no behaviour; one that it has may set it otherwise. */
  readonly to?: string
  readonly title: string
  /** Whose records it is for, of those that somebody reaches: approved by others, withdrawn by oneself. */
  readonly rows?: readonly RowRule[]
  /** The action that takes it back: needs no input. */
  readonly undo?: string
  /** It takes the filters and orders of the list that its records are in. All else that a query says is kept from it. */
  readonly filters?: true
  /** Its answer holds a secret, which is kept nowhere: a request that is sent again is done again. */
  readonly secret?: true
}

/** Actions by name. */
export type Actions = Readonly<Record<string, ActionSpec>>

export interface ResourceSpec<F extends Fields = Fields, A extends Actions = Actions> {
  /** Class name, unique over all services. */
  readonly type: string
  readonly service: string
  readonly path: string
  readonly table: string
  /**
   * A table beside it with the words that records are found by, for those that change often in other ways: `client_id`,
   * `{table}_id`, `search_text`, and in lower case the columns of fields with `search: 'own'`; kept by triggers.
   */
  readonly searchIn?: string
  readonly fields: F
  readonly tenant: Tenant
  /** The pack that it belongs to: clients without it see nothing of it, those whose pack has lapsed only read. */
  readonly pack?: Pack
  /** Which rows of the table are of this resource, and what new ones get; by column. */
  readonly only?: Readonly<Record<string, string>>
  readonly allow: Allow
  /**
   * What is held before one of its rows is locked, in the same statement: an SQL function, and the columns that it is given. For rows
   * that are changed together whichever of them comes first: two who begin with different ones wait in a line, not in a circle.
   */
  readonly lockFirst?: { readonly call: string; readonly of: readonly string[] }
  /** What is written stays: rows are added and nothing else. The migration says `append_only_table('…')`, which a test asks for. */
  readonly appendOnly?: true
  /** Default order, `-` for descending: `['-sticky', '-id']`. `id` is always appended. */
  readonly order?: readonly string[]
  /** The field that holds the state, for resources whose actions depend on one. */
  readonly state?: string
  readonly actions?: A
  /** A field by whose value records are also addressed: `/api/crm/staff/jane`. */
  readonly alias?: string
  /** `?pagination=false` gives everything: for short lists only. */
  readonly unpaginated?: boolean
  /** Field that names a record to a person. */
  readonly title?: string
  /** What can be done to many records of the list at once: actions, `retire`, fields to be changed. */
  readonly bulk?: readonly string[]
  /**
   * Changing it, or these of its fields, takes a fresh proof of who somebody is: its behaviour asks for it record by record; what
   * is done to many asks once, before anything is done.
   */
  readonly asksProof?: true | readonly string[]
}

export interface Resource<F extends Fields = Fields, A extends Actions = Actions> extends ResourceSpec<F, A> {
  readonly allow: Allow
  /** Address of the list, `/api/crm/contacts`. */
  readonly url: Iri
  /** Columns by field name, of those fields that have one of their own. */
  readonly columns: Readonly<Record<string, string>>
}

/** What of a jsonb column lists are filtered by; words among it are searched, and lists put in their order. */
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

/** The confidential fields of the records of a type, by what is declared here. */
export const confidentialIn = (type: string): readonly string[] => CONFIDENTIAL.get(type) ?? []

/** Declares a resource. Refuses what can't work, so that a wrong declaration stops the start and not a customer. */
export function resource<const F extends Fields, const A extends Actions = Record<never, ActionSpec>>(
  spec: ResourceSpec<F, A>,
): Resource<F, A> {
  const fields = Object.entries<Field>(spec.fields)
  for (const key of [...(spec.order ?? []).map((o) => o.replace(/^-/, '')), spec.state, spec.alias, spec.title])
    if (key && key !== 'id' && !(key in spec.fields)) throw new Error(`${spec.type}: "${key}" is not a field`)
  for (const [name, f] of fields)
    if (name === 'id' || name.startsWith('@')) throw new Error(`${spec.type}.${name}: reserved (${f.kind})`)
  for (const [name, f] of fields)
    if (f.inJson && (!isSearchableInJson(f) || f.kind === 'link'))
      throw new Error(
        `${spec.type}.${name}: what is inside "${f.inJson}" is no relation, and found only by words, numbers and choices`,
      )
  for (const [name, f] of fields)
    if (f.owner !== undefined && !(f.confidential && f.owner in spec.fields))
      throw new Error(`${spec.type}.${name}: what has an owner is confidential, and the owner is a field`)
  for (const [name, f] of fields)
    if (f.disabledBy && !(f.disabledBy.by.split('.', 1).join() in spec.fields))
      throw new Error(`${spec.type}.${name}: "${f.disabledBy.by}" is no field that could bar it`)
  for (const [name, f] of fields)
    if (f.count && (!f.filter || !COUNTABLE_KINDS.has(f.kind) || f.visible || f.confidential))
      throw new Error(`${spec.type}.${name}: lists are counted by an open field with a filter and few values`)
  for (const [name, f] of fields)
    if (f.countOf && (!f.readonly || f.filter || f.order || f.search))
      throw new Error(
        `${spec.type}.${name}: what is counted is nobody's to say, and lists are not found or ordered by it`,
      )
  for (const [name, f] of fields)
    if (f.sql && (!f.readonly || f.order || f.search))
      throw new Error(`${spec.type}.${name}: what is worked out is nobody's to say, and lists are not ordered by it`)
  for (const [name, action] of Object.entries<ActionSpec>(spec.actions ?? {}))
    if (action.to && !(spec.state && spec.fields[spec.state]?.options?.some((o) => o.value === action.to)))
      throw new Error(`${spec.type}.${name}: "${action.to}" is no state`)
  if (spec.appendOnly && (spec.allow.update || spec.allow.delete))
    throw new Error(`${spec.type}: what is only added to can be neither changed nor deleted`)
  const confidential = fields.flatMap(([name, f]) => (f.confidential ? [name] : []))
  if (confidential.length) CONFIDENTIAL.set(spec.type, confidential)
  return {
    ...spec,
    url: `/api/${spec.service}/${spec.path}`,
    columns: Object.fromEntries(
      fields
        .filter(([, f]) => !f.inJson && !f.countOf && !f.sql && f.kind !== 'rows')
        .map(([name, f]) => [name, columnOf(name, f)]),
    ),
  }
}

/** Where one record lives. */
export const iriOf = (r: Pick<Resource, 'url'>, id: number | string): Iri => `${r.url}/${id}`

/** The id (or alias) at the end of an IRI of this resource; with or without its service prefix; `undefined` when it is another's. */
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

/** A record as the API sends it. */
export type RecordOf<R extends Resource> = { '@id': Iri; '@type': string; id: number } & {
  -readonly [K in keyof R['fields']]: Wire<R['fields'][K]>
}

/** A record inside the engine, as behaviour works on it: relations are ids, `rows` are rows. */
export type RowOf<R extends Resource> = {
  id: number
  /** The tenant that owns it; 0 for shared data. */
  clientId: number
} & { -readonly [K in keyof R['fields']]: Inside<R['fields'][K]> }

/** Values of a record by field name, as behaviour gives and takes them. Rows that are there have their id, new ones have none. */
export type ValuesOf<R extends Resource> = { -readonly [K in keyof R['fields']]?: Given<Inside<R['fields'][K]>> }

type Given<T> = T extends readonly (infer Row extends { id: number; clientId: number })[] ? Partial<Row>[] : T

/** What an action is given: what its declaration requires is there, the rest may be. */
export type InputOf<F extends Fields> = {
  readonly [K in keyof F as null extends Inside<F[K]> ? never : K]: Inside<F[K]>
} & { readonly [K in keyof F as null extends Inside<F[K]> ? K : never]?: Inside<F[K]> }

/** The actions that have an address. What is allowed to nobody is run by the portal itself, or by the bearer of a link. */
export const addressedActions = (r: Pick<Resource, 'actions'>): [string, ActionSpec][] =>
  Object.entries(r.actions ?? {}).filter(([, action]) => action.allow !== 'nobody')

/** The names of a resource's actions. */
export type ActionOf<R extends Resource> = keyof NonNullable<R['actions']> & string
