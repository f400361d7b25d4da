import type { RecordOf, Resource, RowOf } from './resource.ts'
import type { Roles } from './roles.ts'

/** How a query parameter of the field's own name matches (API convention, section 4). */
export type Match = 'exact' | 'partial' | 'start' | 'word_start'

/** What every field may say about itself. `T` is the value on the wire, `Inside` what behaviour sees in its place. */
export interface Field<T = unknown, Inside = T> {
  readonly kind: Kind
  /** Database column; derived from the field's name unless given. */
  readonly column?: string
  readonly label?: string
  readonly help?: string
  /** The sentence shown when the value is missing; `true` takes the kind's standard sentence. */
  readonly required?: string | true
  readonly readonly?: boolean
  /** Accepted on write, never sent: passwords. */
  readonly writeOnly?: boolean
  /** Only these roles may see the field; for others it is absent. */
  readonly visible?: Roles
  /**
   * Only these roles may see or change it, and each look is written down: medical facts, pay. Lists and exports leave it out, and
   * the audit of a change says that it changed, not what to.
   */
  readonly confidential?: Roles
  /** Of a confidential field: the field that says whose it is, by user id. That person sees it too, with one record. */
  readonly owner?: string
  /** Only these roles may change it; what others send is ignored, as clients send whole records back. */
  readonly editable?: Roles
  readonly filter?: Match | true
  /** A list can be ordered by it. `known first`: rows that say nothing come last, whichever way. */
  readonly order?: boolean | 'known first'
  /**
   * Found by `?q=`: part of the table's `search_text` column and, with `own`, in the search index once more by itself as `lower(column)`.
   * See `searchIn` for a table that keeps both beside it.
   */
  readonly search?: boolean | 'own'
  readonly default?: T
  /** Never empty though nobody sends it: the database or the behaviour fills it in. A test holds the column to it. */
  readonly notNull?: true
  /** Takes simpler forms too: a bare number for a relation, a date for unix seconds, digits for a decimal. */
  readonly lenient?: boolean
  /** Filled in by the engine: when, or by whom (the real person while impersonating). */
  readonly stamp?: 'updated' | 'author' | 'editor'
  /** A username: exports say what the person is called. What is stamped with who wrote it is one anyway. */
  readonly person?: true
  /** A number of pence: exports say pounds. */
  readonly pence?: true
  /** Lists are counted by it: `GET {list}/counts?by=…`. For a field with few values that has a filter. */
  readonly count?: true
  readonly min?: number
  /** The largest number; the characters of a text; the entries of any list within a `json` value. */
  readonly max?: number
  readonly options?: readonly Option[]
  /** A line that is kept as it looks to people, whatever door it comes by: marks of direction and other unseen characters are left out. */
  readonly stripInvisible?: true
  readonly pattern?: { readonly regex: RegExp; readonly message: string }
  readonly target?: () => Resource
  /** The jsonb column that holds the value, under the field's own name. `resource()` says what of it lists can be asked for. */
  readonly inJson?: string
  /**
   * How many records of another resource belong to this one: the place of the last of them, which are never taken away. Kept in no column
   * here, so that adding one leaves this record as it is. `by`: the relation that leads back here.
   */
  readonly countOf?: { readonly of: () => Resource; readonly by: string; readonly place: string }
  /**
   * What the database works out of the row, in SQL over `t`: kept in no column, and asked only of the rows that are sent or filtered by it.
   */
  readonly sql?: string
  /**
   * What it is a part of, with the other fields that say the same. That may become another as a whole: a part of it is changed on a screen
   * only while all of it is as it was shown.
   */
  readonly partOf?: string
  /**
   * Of a telephone number: nobody rings it while this flag is set, in the record or in one that it embeds (`contact.doNotCall`). The number
   * is shown, and is no link.
   */
  readonly disabledBy?: { readonly by: string; readonly why: string }
  /** Sent with one record only; lists leave it out. */
  readonly omitFromLists?: true
  /** For `rows`: the target's relation that leads back here. */
  readonly by?: string
  /** For `rows`: which of the target's records these are, and what new ones get; by field. */
  readonly only?: Readonly<Record<string, string>>
  /** Fields of the target sent inside the relation; without it a relation is an IRI. */
  readonly embed?: readonly string[]
  /** Of a relation: which of the target's records are offered, as their list is asked for them. */
  readonly offers?: Readonly<Record<string, string | readonly string[]>>
  /**
   * Of what is embedded, `fields` are for those alone who may read the record that the relation leads to, by the rules of `by`; `null` for
   * others, and in lists.
   */
  readonly embedFor?: { readonly by: () => Resource; readonly fields: readonly string[] }
  /** Filters through the relation that this table answers from a column of its own: `lastResult.category` → `category`. */
  readonly nested?: Readonly<Record<string, string>>
  /** Type only: the value on the wire. */
  readonly _value?: T
  /** Type only: the value in a row, where a relation is its id. */
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

/** A field that must be filled, or begins with a value, is never null. */
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

/** One line, at most 255 characters unless `max` says otherwise. */
export const text = field<string>('text')
/** Several lines, at most 20 000 characters unless `max` says otherwise. */
export const longText = field<string>('longText')
/** HTML from the small allowed set; sanitised on the way in. */
export const richText = field<string>('richText')
export const email = field<string>('email')
/** A telephone number as typed; searched by its digits, whatever its format. */
export const phone = field<string>('phone')
export const integer = field<number>('integer')
/** A decimal number, exact in the database: `numeric`. */
export const decimal = field<number>('decimal')
/** A calendar date, `2026-02-28`. */
export const date = field<string>('date')
/** A point in time, `2026-02-28T10:20:30+00:00`. */
export const instant = field<string>('instant')
/** A point in time that the specification sends as whole seconds since 1970. */
export const unixSeconds = field<number>('unixSeconds')
/** A list of short strings: roles, tags. */
export const strings = field<string[]>('strings')
/** A value the engine stores as it came, its lists at most 1,000 entries unless `max` says otherwise; never for what is searched. */
export const json = field<unknown>('json')
/** The same for a value whose shape is known: `jsonOf<Totals>()({ readonly: true })`. What a body sends is for behaviour to check. */
export const jsonOf = <T>() => field<T>('json')

/** True or false, false unless said. */
export const flag = (settings: Settings<boolean> = {}): Field<boolean> => ({
  kind: 'flag',
  default: false,
  ...settings,
})

/** One of a fixed list. */
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
 * A reference to one record of another resource: an IRI, or an object with the `embed`ded fields. Where two declarations name
 * each other, the one that embeds nothing says `(): Resource =>`.
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
 * The records of another resource that belong to this one, written with it as a whole: rows without `@id` are new, rows left
 * out are retired where the target has `retired`, and removed where it has not. A target field `position` keeps their order.
 */
export const rows = <R extends Resource>(
  target: () => R,
  settings: {
    by: string
    only?: Record<string, string>
    /** The record is found by what its rows say: `controls.residualRanking[gte]=10`. */
    filter?: true
    label?: string
    help?: string
    readonly?: boolean
  },
): Field<RecordOf<R>[], RowOf<R>[]> => ({ kind: 'rows', target, omitFromLists: true, ...settings })

/** The value of a field on the wire, and in a row. */
export type Wire<F> = F extends Field<infer T, infer _> ? T : never
export type Inside<F> = F extends Field<infer _, infer T> ? T : never

/** Where a record lives: `/api/crm/contacts/12`. */
export type Iri = string

/** The roles that may see a field; `undefined` where everybody who sees the record does. */
export const readRoles = (f: Field): Roles | undefined => f.confidential ?? f.visible

/** The roles that may change a field, beyond those that may change the record. */
export const writeRoles = (f: Field): Roles | undefined => f.editable ?? f.confidential

/** Does a body say it? Of rows a behaviour fills in what is `editable` by nobody; what is readonly the database makes. */
export const isWritable = (f: Field): boolean => !f.readonly && f.editable !== 'nobody'

/** `companyName` → `company_name` */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

/** The column a field is kept in. */
export const columnOf = (name: string, f: Field): string =>
  f.column ?? (f.kind === 'link' ? `${snake(name)}_id` : snake(name))

/** `companyName` → `Company name` */
export const wordsOf = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)

export const labelOf = (name: string, f: Field): string => f.label ?? wordsOf(name)
