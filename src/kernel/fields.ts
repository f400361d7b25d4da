import type { RecordOf, Resource, RowOf } from './resource.ts'
import type { Roles } from './roles.ts'

/** How the query parameter named after the field matches (API convention, section 4). */
export type FilterMatch = 'exact' | 'partial' | 'start' | 'word_start'

/** Settings that every field may have. `T` is the value in the API, `Inside` the value in behaviours. */
export interface Field<T = unknown, Inside = T> {
  readonly kind: Kind
  /** Database column; derived from the field's name by default. */
  readonly column?: string
  readonly label?: string
  readonly help?: string
  /** Message if the value is missing; `true` for the kind's default message. */
  readonly required?: string | true
  readonly readonly?: boolean
  /** Accepted on write, never sent; for passwords. */
  readonly writeOnly?: boolean
  /** Only these roles may see the field; it is omitted for others. */
  readonly visible?: Roles
  /**
   * Only these roles may see or change it, and each access is logged: medical data, pay. Lists and exports omit it, and
   * the audit trail records that it changed, but not the value.
   */
  readonly confidential?: Roles
  /** For a confidential field: the field with the user id of its owner, who may also see it on the single record. */
  readonly owner?: string
  /** Only these roles may change it; values sent by others are ignored, as clients send whole records back. */
  readonly editable?: Roles
  readonly filter?: FilterMatch | true
  /** Lists can be sorted by it. `known first`: empty values come last in either direction. */
  readonly order?: boolean | 'known first'
  /**
   * Found by `?q=`: part of the table's `search_text` column and, with `own`, also indexed separately as
   * `lower(column)`. See `searchIn` for a table that stores both elsewhere.
   */
  readonly search?: boolean | 'own'
  readonly default?: T
  /**
   * Never empty although clients don't send it: the database or the behaviour sets it. A test checks the column for it.
   */
  readonly notNull?: true
  /** Also accepts simpler forms: a number for a relation, a date for unix seconds, digits for a decimal. */
  readonly lenient?: boolean
  /** Set by the engine: time, or user (the real user during impersonation). */
  readonly stamp?: 'updated' | 'author' | 'editor'
  /** A username: exports show the person's name. Fields stamped with a user always do. */
  readonly person?: true
  /** An amount in pence: exports show pounds. */
  readonly pence?: true
  /** Lists can be counted by it: `GET {list}/counts?by=…`. For a filterable field with few values. */
  readonly count?: true
  readonly min?: number
  /** Maximum number, characters of a text, or entries of any list within a `json` value. */
  readonly max?: number
  readonly options?: readonly Option[]
  /** Removes direction marks and other invisible characters from the line, from every source. */
  readonly stripInvisible?: true
  readonly pattern?: { readonly regex: RegExp; readonly message: string }
  readonly target?: () => Resource
  /**
   * The jsonb column that contains the value under the field's name. `resource()` checks which of these lists may
   * query.
   */
  readonly inJson?: string
  /**
   * Number of records of another resource that belong to this one: the position of the last of them, as they are never
   * deleted. Not a column here, so that adding one leaves this record unchanged. `by`: the relation back to this
   * record.
   */
  readonly countOf?: { readonly of: () => Resource; readonly by: string; readonly place: string }
  /**
   * SQL expression over `t`, computed by the database: not a column, and evaluated only for rows that are sent or
   * filtered by it.
   */
  readonly sql?: string
  /**
   * Group of fields that can only be replaced together: a screen may change one of them only while all of them are as
   * displayed.
   */
  readonly partOf?: string
  /**
   * For a telephone number: calls are blocked while this flag is set, in the record or in an embedded one
   * (`contact.doNotCall`). The number is shown without a link.
   */
  readonly disabledBy?: { readonly by: string; readonly why: string }
  /** Sent with a single record only; omitted from lists. */
  readonly omitFromLists?: true
  /** For `rows`: the target's relation back to this record. */
  readonly by?: string
  /** For `rows`: fields that select the target's records, and that new ones are given. */
  readonly only?: Readonly<Record<string, string>>
  /** Fields of the target sent within the relation; without it a relation is an IRI. */
  readonly embed?: readonly string[]
  /** For a relation: list parameters that select the records offered. */
  readonly offers?: Readonly<Record<string, string | readonly string[]>>
  /**
   * Embedded `fields` that are sent only to users who may read the target, by the rules of `by`; `null` for others, and
   * in lists.
   */
  readonly embedFor?: { readonly by: () => Resource; readonly fields: readonly string[] }
  /** Filters through the relation that map to a column of this table: `lastResult.category` → `category`. */
  readonly nested?: Readonly<Record<string, string>>
  /** Type only: value in the API. */
  readonly _value?: T
  /** Type only: value in a row, where a relation is an id. */
  readonly _inside?: Inside
}

export interface Option {
  readonly value: string | number
  readonly label: string
}

export type Kind =
  | 'text'
  | 'longText'
  | 'richText'
  | 'email'
  | 'phone'
  | 'integer'
  | 'decimal'
  | 'flag'
  | 'date'
  | 'instant'
  | 'unixSeconds'
  | 'choice'
  | 'strings'
  | 'link'
  | 'rows'
  | 'json'

export type Fields = Readonly<Record<string, Field>>
type Settings<T> = Omit<Field<T>, 'kind' | 'target' | '_value' | '_inside'>

/** A required field, or one with a default, is never null. */
type NonNullIf<T, S> = S extends
  | { readonly required: string | true }
  | { readonly default: T }
  | { readonly notNull: true }
  ? T
  : T | null

const field =
  <T>(kind: Kind) =>
  <const S extends Settings<T> = Settings<T>>(settings?: S): Field<NonNullIf<T, S>> =>
    ({ kind, ...settings }) as Field<NonNullIf<T, S>>

/** One line, at most 255 characters unless `max` is set. */
export const text = field<string>('text')
/** Several lines, at most 20 000 characters unless `max` is set. */
export const longText = field<string>('longText')
/** HTML from a small allow-list; sanitised on input. */
export const richText = field<string>('richText')
export const email = field<string>('email')
/** A telephone number as typed; searched by its digits, in any format. */
export const phone = field<string>('phone')
export const integer = field<number>('integer')
export const decimal = field<number>('decimal')
/** A calendar date, `2026-02-28`. */
export const date = field<string>('date')
/** A point in time, `2026-02-28T10:20:30+00:00`. */
export const instant = field<string>('instant')
/** A point in time sent as whole seconds since 1970, as the specification requires. */
export const unixSeconds = field<number>('unixSeconds')
/** A list of short strings: roles, tags. */
export const strings = field<string[]>('strings')
/** A JSON value stored as sent, its lists with at most 1,000 entries unless `max` is set. Not searchable. */
export const json = field<unknown>('json')
/**
 * A `json` field with a known type: `jsonOf<Totals>()({ readonly: true })`. The behaviour must check what a body sends.
 */
export const jsonOf = <T>() => field<T>('json')

/** True or false; false by default. */
export const flag = (settings: Settings<boolean> = {}): Field<boolean> => ({
  kind: 'flag',
  default: false,
  ...settings,
})

/** One of a fixed list of options. */
export const choice = <const O extends readonly (string | Option)[], const S extends Settings<string>>(
  options: O,
  settings?: S,
): Field<NonNullIf<Chosen<O[number]>, S>> =>
  ({
    kind: 'choice',
    ...settings,
    options: options.map((o) => (typeof o === 'string' ? { value: o, label: o } : o)),
  }) as Field<NonNullIf<Chosen<O[number]>, S>>

type Chosen<O> = O extends string ? O : O extends { readonly value: infer V extends string } ? V : string

/**
 * A reference to one record of another resource: an IRI, or an object with the `embed` fields. If two declarations name
 * each other, the one that embeds nothing is typed `(): Resource =>`.
 */
export const link = <R extends Resource, const S extends LinkSettings<R>>(
  target: () => R,
  settings?: S,
): Field<Linked<R, S> | Empty<S>, number | Empty<S>> =>
  ({ kind: 'link', target, ...settings }) as Field<Linked<R, S> | Empty<S>, number | Empty<S>>

type LinkSettings<R extends Resource> = Omit<Settings<Iri>, 'embed'> & {
  readonly embed?: readonly (keyof R['fields'] & string)[]
}
type Empty<S> = S extends { readonly required: string | true } | { readonly notNull: true } ? never : null
type Linked<R extends Resource, S> = S extends { readonly embed: readonly (infer K)[] }
  ? Embedded & { -readonly [F in Extract<K, keyof R['fields']>]: Wire<R['fields'][F]> }
  : Iri
type Embedded = { '@id': Iri; '@type': string; id: number }

/**
 * Records of another resource that belong to this one, saved with it as a whole: rows without `@id` are new; omitted
 * rows are retired if the target has `retired`, and deleted otherwise. A target field `position` stores their order.
 */
export const rows = <R extends Resource>(
  target: () => R,
  settings: {
    by: string
    only?: Record<string, string>
    /** The record can be found by its rows: `controls.residualRanking[gte]=10`. */
    filter?: true
    label?: string
    help?: string
    readonly?: boolean
  },
): Field<RecordOf<R>[], RowOf<R>[]> => ({ kind: 'rows', target, omitFromLists: true, ...settings })

/** Value of a field in the API, and in a row. */
export type Wire<F> = F extends Field<infer T, infer _> ? T : never
export type Inside<F> = F extends Field<infer _, infer T> ? T : never

/** Address of a record: `/api/crm/contacts/12`. */
export type Iri = string

/** Returns the roles that may see a field; `undefined` if everybody who may read the record does. */
export const readRoles = (f: Field): Roles | undefined => f.confidential ?? f.visible

/** Returns the roles that may change a field, in addition to those that may change the record. */
export const writeRoles = (f: Field): Roles | undefined => f.editable ?? f.confidential

/**
 * True if a body may set it. Fields of rows with `editable: 'nobody'` are set by behaviours, readonly ones by the
 * database.
 */
export const isWritable = (f: Field): boolean => !f.readonly && f.editable !== 'nobody'

/** `companyName` → `company_name` */
export const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

/** Returns the column of a field. */
export const columnOf = (name: string, f: Field): string =>
  f.column ?? (f.kind === 'link' ? `${toSnakeCase(name)}_id` : toSnakeCase(name))

/** `companyName` → `Company name` */
export const wordsOf = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)

export const labelOf = (name: string, f: Field): string => f.label ?? wordsOf(name)
