import { columnOf, type Field, type Fields, type Iri } from './fields.ts'
import type { Roles } from './roles.ts'

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
  readonly wide?: Roles
  /** Resellers with one of these roles also read the rows of the clients that they carry. */
  readonly resold?: Roles
  /** Actors without one of `unless` reach only rows whose column holds their own user id. */
  readonly mine?: { readonly column: string; readonly unless: Roles }
}

/** One typed operation on one record: `POST {item}/{path}`. Behaviour is in the room's `.server` file. */
export interface ActionSpec {
  readonly path: string
  readonly allow: Roles
  readonly input: Fields
  /** States the record may be in; with none named, any. */
  readonly from?: readonly string[]
  readonly title: string
}

export interface ResourceSpec<F extends Fields = Fields> {
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
  /** Which rows of the table are of this resource, and what new ones get; by column. */
  readonly only?: Readonly<Record<string, string>>
  readonly allow: Allow
  /** Default order, `-` for descending: `['-sticky', '-id']`. `id` is always appended. */
  readonly order?: readonly string[]
  /** The field that holds the state, for resources whose actions depend on one. */
  readonly state?: string
  readonly actions?: Readonly<Record<string, ActionSpec>>
  /** A field by whose value records are also addressed: `/api/crm/staff/jane`. */
  readonly alias?: string
  /** `?pagination=false` gives everything: for short lists only. */
  readonly whole?: boolean
  /** Field that names a record to a person. */
  readonly title?: string
}

export interface Resource<F extends Fields = Fields> extends ResourceSpec<F> {
  readonly allow: Allow
  /** Address of the list, `/api/crm/contacts`. */
  readonly url: Iri
  /** Columns by field name, of those fields that have one of their own. */
  readonly columns: Readonly<Record<string, string>>
}

/** Declares a resource. Refuses what can't work, so that a wrong declaration stops the start and not a customer. */
export function resource<const F extends Fields>(spec: ResourceSpec<F>): Resource<F> {
  const fields = Object.entries<Field>(spec.fields)
  for (const key of [...(spec.order ?? []).map((o) => o.replace(/^-/, '')), spec.state, spec.alias, spec.title])
    if (key && key !== 'id' && !(key in spec.fields)) throw new Error(`${spec.type}: "${key}" is not a field`)
  for (const [name, f] of fields)
    if (name === 'id' || name.startsWith('@')) throw new Error(`${spec.type}.${name}: reserved (${f.kind})`)
  for (const [name, f] of fields)
    if (f.within && (f.filter || f.order || f.search || f.kind === 'link'))
      throw new Error(`${spec.type}.${name}: what is inside "${f.within}" is neither searched nor a relation`)
  return {
    ...spec,
    url: `/api/${spec.service}/${spec.path}`,
    columns: Object.fromEntries(
      fields.filter(([, f]) => !f.within && f.kind !== 'rows').map(([name, f]) => [name, columnOf(name, f)]),
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
  -readonly [K in keyof R['fields']]: NonNullable<R['fields'][K]['_value']> | Extract<R['fields'][K]['_value'], null>
}
