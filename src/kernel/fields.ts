import type { RecordOf, Resource, RowOf } from './resource.ts'
import type { Roles } from './roles.ts'

/** Matching rule for a query parameter with the field's name (API convention, section 4). */
export type FilterMatch = 'exact' | 'partial' | 'start' | 'word_start'

/** Settings that every field may have. `T` is the type of the value in the API, and `Inside` its type in behaviours. */
export interface Field<T = unknown, Inside = T> {
  readonly kind: FieldKind
  /** Database column; by default derived from the field's name. */
  readonly column?: string
  readonly label?: string
  readonly help?: string
  /** Message if the value is missing; `true` means the default message for the field's kind. */
  readonly required?: string | true
  readonly readonly?: boolean
  /** True if the value is accepted in requests but never sent in responses, such as a password. */
  readonly writeOnly?: boolean
  /** Roles that may see the field. It is omitted for other users. */
  readonly visible?: Roles
  /**
   * Roles that may see or change a confidential field, such as medical data or pay. Each access is logged. Lists and
   * exports omit the field. The audit trail records that the field changed, but not its value.
   */
  readonly confidential?: Roles
  /**
   * For a confidential field: name of the field that contains its owner's user ID, or several such names. An owner may
   * also see the confidential field, but only in the single record.
   */
  readonly owner?: string | readonly string[]
  /**
   * Roles that may change the field. Values sent by other users are ignored instead of rejected, because API clients
   * send complete records back.
   */
  readonly editable?: Roles
  /** True if nobody may change the field while impersonating a user. */
  readonly notWhileImpersonating?: true
  /**
   * Name of the field with a value that is to replace this one later. `beforeSave` then also receives a request that
   * states the stored value, which withdraws the waiting one, unless the request returns both fields as they were read.
   */
  readonly waitsIn?: string
  readonly filter?: FilterMatch | true
  /** Whether lists can be sorted by the field. With `known first`, empty values come last in both directions. */
  readonly order?: boolean | 'known first'
  /**
   * Whether `?q=` searches include the field, through the table's `search_text` column. With `own`, the field is also
   * indexed separately, as `search_form(column)`. `searchIn` names a table that stores both instead.
   */
  readonly search?: boolean | 'own'
  readonly default?: T
  /**
   * True if the value is never null although API clients don't send it. The database or the behaviour sets it, and a
   * test checks the column.
   */
  readonly notNull?: true
  /**
   * True if simpler formats are also accepted: a number for a relation, a date for Unix seconds, digits for a decimal.
   */
  readonly lenient?: boolean
  /** Value that the engine sets: the current time or the user (during impersonation, the real user). */
  readonly stamp?: 'updated' | 'author' | 'editor'
  /**
   * True if the value is a username. Screens and exports show the person's name instead, as they always do for fields
   * stamped with a user.
   */
  readonly person?: true
  /** True if the value is in pence. Exports show it in pounds. */
  readonly pence?: true
  /** True if lists can be counted by the field: `GET {list}/counts?by=…`. For filterable fields with few values. */
  readonly count?: true
  readonly min?: number
  /**
   * Maximum value of a number, length of text in characters, or number of entries in any list within a `json` value.
   */
  readonly max?: number
  readonly options?: readonly FieldOption[]
  /** True to remove direction marks and other invisible characters, wherever the value comes from. */
  readonly stripInvisible?: true
  readonly pattern?: { readonly regex: RegExp; readonly message: string }
  readonly target?: () => Resource
  /**
   * For `link`: declaration of the target by whose access rules a reference in a request is checked. By default, these
   * are the target's own.
   */
  readonly referredAs?: () => Resource
  /**
   * True if a relation may refer to a record that its reader can't open. It is then sent as null, and null leaves it
   * unchanged.
   */
  readonly hideUnreadable?: true
  /**
   * For an embedded field: field of this record that states its value as it was when the record was closed. While it is
   * empty, the related record's present value is shown.
   */
  readonly embedAsClosed?: Readonly<Record<string, string>>
  /**
   * Name of the jsonb column that stores the value under the field's name. `resource()` checks which of these fields
   * lists may filter and sort by.
   */
  readonly inJson?: string
  /**
   * Number of records of another resource that belong to this record. It equals the `place` of the last such record,
   * because they are never deleted. It is not stored in a column, so adding such a record leaves this record unchanged.
   * `by` is the relation back to this record.
   */
  readonly countOf?: { readonly of: () => Resource; readonly by: string; readonly place: string }
  /**
   * SQL expression on `t`, computed by the database instead of stored. It is evaluated only for rows that are sent or
   * filtered by this field. In a search, `{search}` is replaced by the text searched for and `{reader}` by the reader's
   * client; otherwise, both are replaced by NULL.
   */
  readonly sql?: string
  /**
   * Name of a group of fields that can only be replaced together. A screen may change one field in the group only if
   * all of them still have the values displayed.
   */
  readonly partOf?: string
  /**
   * For a telephone number: flag that blocks calls, in the record or in an embedded record (`contact.doNotCall`). The
   * number is then shown without a link.
   */
  readonly disabledBy?: { readonly by: string; readonly why: string }
  /**
   * For text: records of a short list whose titles are suggested while a person types. Any other text is just as valid.
   * `where` returns the list's parameters for a record, or null if nothing is suggested.
   */
  readonly suggests?: {
    readonly from: () => Resource
    readonly where?: (record: PlainRecord) => Readonly<Record<string, string>> | null
  }
  /** For a telephone number: short list from which a record's number format is taken, shown while the input is empty. */
  readonly formatHint?: {
    readonly from: () => Resource
    readonly words: (record: PlainRecord, list: readonly PlainRecord[]) => string
  }
  /** True if the field is omitted from lists and sent only with a single record. */
  readonly omitFromLists?: true
  /** For `rows`: name of the target's relation back to this record. */
  readonly by?: string
  /** For `rows`: values that select the target's records and are set in new records. */
  readonly only?: Readonly<Record<string, string>>
  /** Fields of the target that are sent within the relation. If not set, the relation is sent as an IRI. */
  readonly embed?: readonly string[]
  /** For a relation: list parameters that select the records to choose from. */
  readonly offers?: Readonly<Record<string, string | readonly string[]>>
  /**
   * Embedded `fields`, sent only to users who may read the target by the access rules of `by`. The value is `null` for
   * other users and in lists.
   */
  readonly embedFor?: { readonly by: () => Resource; readonly fields: readonly string[] }
  /** Filters through the relation that use a column of this table instead: `lastResult.category` → `category`. */
  readonly nested?: Readonly<Record<string, string>>
  /** Another name under which requests may send the value. Responses contain the field's own name only. */
  readonly inputAlias?: string
  /** Only for typing: type of the value in the API. */
  readonly _value?: T
  /** Only for typing: type of the value in a row, where a relation is an ID. */
  readonly _inside?: Inside
}

type PlainRecord = Readonly<Record<string, unknown>>

export interface FieldOption {
  readonly value: string | number
  readonly label: string
}

export type FieldKind =
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

/** A field that is required, has a default or is marked `notNull` is never null. */
type NonNullIf<T, S> = S extends
  | { readonly required: string | true }
  | { readonly default: T }
  | { readonly notNull: true }
  ? T
  : T | null

const field =
  <T>(kind: FieldKind) =>
  <const S extends Settings<T> = Settings<T>>(settings?: S): Field<NonNullIf<T, S>> =>
    ({ kind, ...settings }) as Field<NonNullIf<T, S>>

/** One line, at most 255 characters unless `max` is set. */
export const text = field<string>('text')
/** Several lines, at most 20,000 characters unless `max` is set. */
export const longText = field<string>('longText')
/** HTML with a small set of allowed tags; sanitised on input. */
export const richText = field<string>('richText')
export const email = field<string>('email')
/** A telephone number as typed. Searched by its digits, whatever the format. */
export const phone = field<string>('phone')
export const integer = field<number>('integer')
export const decimal = field<number>('decimal')
/** A calendar date, such as `2026-02-28`. */
export const date = field<string>('date')
/** A point in time, such as `2026-02-28T10:20:30+00:00`. */
export const instant = field<string>('instant')
/** A point in time sent as whole seconds since 1970, as the specification requires. */
export const unixSeconds = field<number>('unixSeconds')
/** A list of short strings, such as roles or tags. */
export const strings = field<string[]>('strings')
/** A JSON value, stored as sent. Lists in it have at most 1,000 entries unless `max` is set. Not searchable. */
export const json = field<unknown>('json')
/**
 * Declares a `json` field with a known type: `typedJson<Totals>()({ readonly: true })`. The behaviour must validate the
 * value in a request body.
 */
export const typedJson = <T>() => field<T>('json')

/** Declares a field that is true or false; false by default. */
export const flag = (settings: Settings<boolean> = {}): Field<boolean> => ({
  kind: 'flag',
  default: false,
  ...settings,
})

/** Declares a field whose value is one of a fixed list of options. */
export const choice = <const O extends readonly (string | FieldOption)[], const S extends Settings<string>>(
  options: O,
  settings?: S,
): Field<NonNullIf<ChoiceValue<O[number]>, S>> =>
  ({
    kind: 'choice',
    ...settings,
    options: options.map((o) => (typeof o === 'string' ? { value: o, label: o } : o)),
  }) as Field<NonNullIf<ChoiceValue<O[number]>, S>>

type ChoiceValue<O> = O extends string ? O : O extends { readonly value: infer V extends string } ? V : string

/**
 * Declares a reference to one record of another resource: an IRI, or an object with the `embed` fields. If two
 * declarations refer to each other, the one that embeds nothing is typed `(): Resource =>`.
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
  ? Embedded & { -readonly [F in Extract<K, keyof R['fields']>]: ApiValueOf<R['fields'][F]> }
  : Iri
type Embedded = { '@id': Iri; '@type': string; id: number }

/**
 * Declares records of another resource that belong to this record and are saved with it. Rows without `@id` are new.
 * Omitted rows are retired if the target has `retired`, otherwise deleted. A target field `position` stores their
 * order.
 */
export const rows = <R extends Resource>(
  target: () => R,
  settings: {
    by: string
    only?: Record<string, string>
    /** True if lists can be filtered by values of the rows: `controls.residualRanking[gte]=10`. */
    filter?: true
    label?: string
    help?: string
    readonly?: boolean
    inputAlias?: string
  },
): Field<RecordOf<R>[], RowOf<R>[]> => ({ kind: 'rows', target, omitFromLists: true, ...settings })

export type ApiValueOf<F> = F extends Field<infer T, infer _> ? T : never
export type RowValueOf<F> = F extends Field<infer _, infer T> ? T : never

/** URL path of a record, such as `/api/crm/contacts/12`. */
export type Iri = string

/** Returns the roles that may see a field; `undefined` if all users who may read the record may see it. */
export const rolesAllowedToRead = (f: Field): Roles | undefined => f.confidential ?? f.visible

/** Returns the roles that may change a field; `undefined` if all users who may change the record may change it. */
export const rolesAllowedToWrite = (f: Field): Roles | undefined => f.editable ?? f.confidential

/**
 * Returns true if a request body may set the field. A behaviour sets a field with `editable: 'nobody'`, and the server
 * sets a readonly field.
 */
export const isWritable = (f: Field): boolean => !f.readonly && f.editable !== 'nobody'

/** Converts a name to snake case: `companyName` → `company_name`. */
export const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

export const columnOf = (name: string, f: Field): string =>
  f.column ?? (f.kind === 'link' ? `${toSnakeCase(name)}_id` : toSnakeCase(name))

/** Converts a name to a label: `companyName` → `Company name`. A record's `state` is called its status on screens. */
export const labelFromName = (name: string): string =>
  (name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`))
    .replace(/\bState\b/, 'Status')
    .replace(/\bstate\b/, 'status')

/** True if the field contains a username. Screens and exports show the person's name. */
export const isPersonField = (f: Field): boolean => f.person === true || f.stamp === 'author' || f.stamp === 'editor'

export const labelOf = (name: string, f: Field): string => f.label ?? labelFromName(name)
