import { accessScopeFor } from '#kernel/can.ts'
import { type Field, rolesAllowedToRead } from '#kernel/fields.ts'
import { idFromIri, type Resource } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { parsePhoneNumbers } from '#kernel/text/phone.ts'
import { toSearchForm } from '#kernel/text/search.ts'
import { listSearchTerms } from '#kernel/text/search-terms.ts'
import { foldEmail } from '#kernel/validate.ts'
import { referringRowsSql, relatedRecordSql } from './access-sql.ts'
import {
  anyOfSql,
  assertComparedValueLimit,
  buildAnyInstantCondition,
  buildInstantCondition,
  byRarity,
  COMPARISON_OPERATORS,
  type ComparedText,
  containsAllSql,
  containsCondition,
  DATE_FILTER_SUFFIXES,
  gatherValues,
  isStorableInstant,
  matchSql,
  parseBoolean,
  parseFilterDate,
  parseFilterInstant,
  parseNumbers,
  parseSearchWords,
  type QueryCondition,
} from './values.ts'

/**
 * Returns a field's value as SQL over `t`, for comparing and sorting: its column, its key in a jsonb column, or its
 * expression. A jsonb value of the wrong type is treated as null.
 */
export function comparableFieldSql(r: Pick<Resource, 'fields' | 'columns'>, name: string): string {
  const f: Field | undefined = r.fields[name]
  if (f?.sql) return f.sql
  return f?.inJson ? jsonExpression(f, `t.${f.inJson}->'${name}'`, `t.${f.inJson}->>'${name}'`) : `t.${r.columns[name]}`
}

function jsonExpression(f: Field, json: string, words: string): string {
  switch (f.kind) {
    case 'flag':
      return `coalesce(${json} = 'true', false)`
    case 'integer':
    case 'decimal':
      return `(CASE jsonb_typeof(${json}) WHEN 'number' THEN (${words})::numeric END)`
    case 'strings':
      return `ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(${json}) WHEN 'array' THEN ${json} ELSE '[]' END))`
    default:
      return `(${words})`
  }
}

/** An unparsed query, whose keys are still written as `order[id]` and the like. */
export type RequestQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** Converts a query to plain JSON, as stored with a batch job. */
export const toPlainQuery = (query: RequestQuery): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, v]) => (v === undefined ? [] : [[name, typeof v === 'string' ? v : [...v]]])),
  )

/** Returns the first value of a query parameter that should occur once; empty if the parameter is missing. */
export const firstQueryValue = (v: RequestQuery[string]): string => (typeof v === 'string' ? v : (v?.[0] ?? ''))

/**
 * Parses the conditions in a query, based on the declaration alone. Unknown parameters are ignored (API convention,
 * section 4). Filters on a related record match only records that the actor may read.
 */
export function parseFilters(r: Resource, actor: Actor | undefined, query: RequestQuery): QueryCondition[] {
  const found: QueryCondition[] = []
  for (const [key, values] of gatherValues(query)) {
    const m = /^(exists\[)?([\w.]+)\]?(?:\[(\w*)\])?$/.exec(key)
    if (!m?.[2]) continue
    const condition = m[1] ? exists(r, actor, m[2], values) : one(r, actor, m[2], m[3] ?? '', values)
    if (condition) found.push(condition)
  }
  const words = parseSearchWords(query.q)
  if (words.length && r.wordsIn) found.push(contentCondition(r, r.wordsIn, words))
  else if (words.length && isSearchable(r)) found.push(searchCondition(r, listSearchTerms(words).toSorted(byRarity)))
  assertComparedValueLimit(found.reduce((sum, c) => sum + (c.weight ?? 0), 0))
  return found
}

/** Returns a condition that finds records whose search text contains every term; without terms, none. */
const searchCondition = (r: Resource, terms: readonly string[]): QueryCondition => ({
  weight: terms.length,
  isSearch: true,
  sql: (next, byRow) =>
    terms.length ? inSearchText(r, containsAllSql(`${searchAlias(r)}.search_text`, terms, next), byRow) : 'false',
})

/** Returns a condition that finds stemmed words in the content. The last word may be unfinished. */
const contentCondition = (r: Resource, table: string, words: readonly string[]): QueryCondition => ({
  weight: words.length,
  isSearch: true,
  sql: (next, byRow) =>
    `EXISTS (SELECT 1 ${wordsOfRowSql(r, table)} AND s.words @@ ${queryOnce(next(words.join(' ')), true)}${byRow ? ' OFFSET 0' : ''})`,
})

/** Returns the parsed query as a subquery, which is evaluated once and not for each row. */
const queryOnce = (param: string, every: boolean) => `(SELECT words_query(${param}::text, ${every}))`

const wordsOfRowSql = (r: Resource, table: string) =>
  `FROM ${table} s WHERE s.client_id = t.client_id AND s.${r.table}_id = t.id`

/** Returns the text of a search of the content, and SQL for a record's rank in it; `undefined` without a search. */
export function contentSearch(
  r: Resource,
  query: RequestQuery,
): { readonly text: string; readonly rank: (param: string) => string } | undefined {
  const table = r.wordsIn
  const text = table ? parseSearchWords(query.q).join(' ') : ''
  if (!table || !text) return undefined
  return {
    text,
    rank: (param) => `(SELECT ts_rank(s.words, ${queryOnce(param, false)}) ${wordsOfRowSql(r, table)})`,
  }
}

/** Returns the alias of the table that contains the search text: the resource's own table, or its search table. */
const searchAlias = (r: Resource) => (r.searchIn ? 's' : 't')

/**
 * Returns a condition on the search text. A search table is joined, so that the planner can start with either table.
 * With `byRow`, `OFFSET 0` forces the planner to start with the record's table.
 */
const inSearchText = (r: Resource, condition: string, byRow = false): string =>
  r.searchIn
    ? `EXISTS (SELECT 1 FROM ${r.searchIn} s WHERE s.client_id = t.client_id AND s.${r.table}_id = t.id AND ${condition}${byRow ? ' OFFSET 0' : ''})`
    : condition

/** True if the resource supports `?q=`. */
export const isSearchable = (r: Resource) => Object.values(r.fields).some((f) => f.search)

/** True if everybody can filter and sort by this field: results reveal values, so restricted fields are excluded. */
export const isFilterableField = (f: Field | undefined): f is Field =>
  f !== undefined && !rolesAllowedToRead(f) && !f.writeOnly

/** True if the actor can filter a list by this field: their roles may read it, and its reads are not logged. */
const canFilterBy = (f: Field | undefined, actor: Actor | undefined): f is Field =>
  f !== undefined && !f.writeOnly && !f.confidential && (!f.visible || hasRole(actor, f.visible))

/**
 * Finds what a filter path refers to: a column with its field, or a field of a related record. Returns `undefined` if
 * the declaration doesn't allow the actor the filter.
 */
function locate(
  r: Resource,
  actor: Actor | undefined,
  path: string,
):
  | { column: string; field: Field }
  | { relation: Resource; column: string; inner: string; by?: string | undefined }
  | undefined {
  if (path === 'id') return { column: 't.id', field: { kind: 'integer' } }
  const [head = '', ...rest] = path.split('.')
  const field = r.fields[head]
  if (!canFilterBy(field, actor) || (!field.filter && !(field.nested && rest.length))) return undefined
  if (field.kind === 'rows') {
    const relation = (field.target as () => Resource)()
    const there = relation.fields[rest.join('.')]
    return isFilterableField(there) && there.filter
      ? { relation, column: '', inner: rest.join('.'), by: field.by }
      : undefined
  }
  const column = comparableFieldSql(r, head)
  if (!rest.length) return { column, field }
  if (field.kind !== 'link') return undefined
  const inner = rest.join('.')
  const target = (field.target as () => Resource)()
  const local = field.nested?.[inner]
  if (local) return { column: `t.${local}`, field: target.fields[inner] ?? { kind: 'text' } }
  if (inner === 'id') return { column, field }
  const there = target.fields[inner]
  return field.filter && isFilterableField(there) && there.filter ? { relation: target, column, inner } : undefined
}

/** True if the filter matches part of a value. The exact value can then be requested as `location[exact]=Unit 4`. */
export const isPartialMatchFilter = ({ filter }: Field): boolean =>
  filter !== undefined && filter !== true && filter !== 'exact'

/**
 * Returns SQL that is true if the actor may read the record to which a reference refers. A reference that is sent only to
 * readers of its target is empty for everybody else, in filters too.
 */
function isReadableReferenceSql(
  r: Resource,
  { column, field }: { readonly column: string; readonly field: Field },
  actor: Actor | undefined,
): QueryCondition['sql'] | undefined {
  if (!field.hideUnreadable) return undefined
  const target = (field.target as () => Resource)()
  return (next) => {
    const related = relatedRecordSql(r, target, column, actor, { next })
    return related ? `EXISTS (SELECT 1 ${related})` : 'false'
  }
}

function exists(
  r: Resource,
  actor: Actor | undefined,
  path: string,
  values: readonly string[],
): QueryCondition | undefined {
  const at = locate(r, actor, path)
  const wanted = values[0] === '' ? true : parseBoolean(values[0] ?? '')
  if (!at || wanted === undefined || 'relation' in at) return undefined
  const readable = isReadableReferenceSql(r, at, actor)
  if (readable) return { sql: (next) => `${wanted ? '' : 'NOT '}${readable(next)}` }
  if (at.field.kind === 'strings') return { sql: () => `cardinality(${at.column}) ${wanted ? '>' : '='} 0` }
  return { sql: () => `${at.column} IS ${wanted ? 'NOT ' : ''}NULL` }
}

function one(
  r: Resource,
  actor: Actor | undefined,
  path: string,
  op: string,
  values: readonly string[],
): QueryCondition | undefined {
  if (op === 'exists') return exists(r, actor, path, values)
  const at = locate(r, actor, path)
  if (!at) return undefined
  if ('relation' in at) {
    if ((op && !at.by) || accessScopeFor(actor, 'read', at.relation).tenants === 'none') return undefined
    const inside = one(at.relation, actor, at.inner, op, values)
    return (
      inside && {
        weight: inside.weight ?? 0,
        sql: (next) =>
          `EXISTS (SELECT 1 ${at.by ? referringRowsSql(r, at.relation, at.by, actor, { next }) : relatedRecordSql(r, at.relation, at.column, actor, { next })} AND ${inside.sql(next)})`,
      }
    )
  }
  const { column, field } = at
  // An alias at the end of an IRI (`/api/crm/staff/jane`) is resolved through the relation.
  const target = field.kind === 'link' ? (field.target as () => Resource)() : undefined
  const aliases = target?.alias
    ? values.flatMap((v) => (v.startsWith('/') ? (idFromIri(target, v) ?? []) : [])).filter((id) => !/^\d+$/.test(id))
    : []
  if (target?.alias && aliases.length) return one(r, actor, `${path}.${target.alias}`, op, aliases)
  if (op === 'exact')
    return isPartialMatchFilter(field) ? { sql: (next) => `${column} = ${next(values[0] ?? '')}::text` } : undefined
  if (op) return range(column, field, op, values)
  const same = equal(r, column, field, values)
  const readable = isReadableReferenceSql(r, at, actor)
  return same && readable ? { ...same, sql: (next) => `${same.sql(next)} AND ${readable(next)}` } : same
}

function range(column: string, f: Field, op: string, values: readonly string[]): QueryCondition | undefined {
  const value = values[0] ?? ''
  const sign = COMPARISON_OPERATORS[op]
  if (DATE_FILTER_SUFFIXES.has(op)) {
    if (f.kind === 'date') {
      const day = parseFilterDate(value)
      return day && sign ? { sql: (next) => `${column} ${sign} ${next(day)}::date` } : undefined
    }
    const at = f.kind === 'instant' || f.kind === 'unixSeconds' ? parseFilterInstant(value) : undefined
    return at !== undefined && sign ? buildInstantCondition(column, sign, at) : undefined
  }
  const compare =
    f.kind === 'unixSeconds'
      ? (way: string, n: number) => (isStorableInstant(n) ? buildInstantCondition(column, way, n) : undefined)
      : f.kind === 'integer' || f.kind === 'decimal'
        ? (way: string, n: number): QueryCondition => ({ sql: (next) => `${column} ${way} ${next(n)}::numeric` })
        : undefined
  if (op === 'between') {
    const [low, high] = parseNumbers(value.split('..')).map((n, i) => compare?.(i ? '<=' : '>=', n))
    return low && high && { sql: (next) => `${low.sql(next)} AND ${high.sql(next)}` }
  }
  const [n] = parseNumbers([value])
  return n === undefined || !sign ? undefined : compare?.(sign, n)
}

function equal(r: Resource, column: string, f: Field, values: readonly string[]): QueryCondition | undefined {
  const some = (cast: string, values: readonly unknown[]): QueryCondition | undefined =>
    values.length === 0
      ? undefined
      : {
          sql: (next) =>
            values.length === 1
              ? `${column} = ${next(values[0])}::${cast}`
              : `${column} = ANY(${next(values)}::${cast}[])`,
        }
  switch (f.kind) {
    case 'flag': {
      const wanted = parseBoolean(values[0] ?? '')
      // Written without a parameter, so that PostgreSQL can use a partial index on the flag.
      return wanted === undefined ? undefined : { sql: () => (wanted ? column : `NOT ${column}`) }
    }
    case 'link': {
      const target = (f.target as () => Resource)()
      return some(
        'bigint',
        parseNumbers(values.map((v) => (v.startsWith('/') ? (idFromIri(target, v) ?? '') : v))).filter(
          Number.isSafeInteger,
        ),
      )
    }
    case 'integer':
      return some(
        'bigint',
        parseNumbers(values.map((v) => (column === 't.id' && v.startsWith('/') ? (idFromIri(r, v) ?? '') : v))).filter(
          Number.isSafeInteger,
        ),
      )
    case 'decimal':
      return some('numeric', parseNumbers(values))
    case 'unixSeconds':
      return buildAnyInstantCondition(column, parseNumbers(values).filter(isStorableInstant))
    case 'instant':
      return buildAnyInstantCondition(
        column,
        values.flatMap((v) => parseFilterInstant(v) ?? []),
      )
    case 'date':
      return some(
        'date',
        values.flatMap((v) => parseFilterDate(v) ?? []),
      )
    case 'json':
    case 'rows':
      return undefined
    case 'strings':
      return { sql: (next) => `${column} && ${next([...values])}::text[]` }
    default:
      return textual(r, column, f, values, some)
  }
}

function textual(
  r: Resource,
  column: string,
  f: Field,
  values: readonly string[],
  some: (cast: string, values: readonly unknown[]) => QueryCondition | undefined,
): QueryCondition | undefined {
  const how = f.filter === true || f.filter === undefined ? 'exact' : f.filter
  if (how === 'exact') return sameNumberOrAddress(r, column, f, values) ?? some('text', values)
  const given = values.filter((v) => v !== '')
  if (!given.length) return undefined
  if (!f.search && (f.kind === 'longText' || f.kind === 'richText')) return containsCondition(column, given)
  const texts = given.map((value) => ({
    value,
    form: toSearchForm(value),
    terms: listSearchTerms(parseSearchWords(value)),
  }))
  const matches = (form: string, next: (v: unknown) => string) =>
    anyOfSql(texts, (text) => matchSql(how, { column, form }, text, next))
  const weight = texts.reduce((sum, { terms }) => sum + Math.max(terms.length, 1), 0)
  if (f.search === 'own') {
    const own = r.searchIn ? `s.${column.slice(2)}` : `search_form(${column})`
    return { weight, isSearch: true, sql: (next, byRow) => inSearchText(r, matches(own, next), byRow) }
  }
  const isMatch = (next: (v: unknown) => string) => matches(`search_form(${column})`, next)
  return narrowed(r, f, texts, { weight, sql: isMatch })
}

/** Adds a condition on `search_text`, which contains the text of a searchable field and whose index narrows down the rows. */
function narrowed(
  r: Resource,
  f: Field,
  texts: readonly Pick<ComparedText, 'terms'>[],
  { weight = 0, sql }: QueryCondition,
): QueryCondition {
  if (!f.search || texts.some(({ terms }) => !terms.length)) return { weight, sql }
  const text = `${searchAlias(r)}.search_text`
  const narrow: QueryCondition['sql'] = (next, byRow) =>
    inSearchText(
      r,
      anyOfSql(texts, ({ terms }) => containsAllSql(text, terms, next)),
      byRow,
    )
  return { weight, isSearch: true, sql: (next, byRow) => `${narrow(next, byRow)} AND ${sql(next, byRow)}` }
}

/**
 * Returns a condition that finds telephone numbers in any spelling, each of those in a field, and e-mail addresses in
 * any capitals; `undefined` for other values, which are compared as they are.
 */
function sameNumberOrAddress(
  r: Resource,
  column: string,
  f: Field,
  values: readonly string[],
): QueryCondition | undefined {
  const texts = values.map((value) => ({ terms: listSearchTerms(parseSearchWords(value)) }))
  const weight = values.length
  if (f.kind === 'email' && !values.includes('')) {
    const sql: QueryCondition['sql'] = (next) => `lower(${column}) = ANY(${next(values.map(foldEmail))}::text[])`
    return narrowed(r, f, texts, { weight, sql })
  }
  const numbers = f.kind === 'phone' ? values.map((value) => parsePhoneNumbers(value).numbers) : []
  if (!numbers.length || numbers.some((one) => !one.length)) return undefined
  const sql: QueryCondition['sql'] = (next) => `phone_numbers(${column}) && ${next(numbers.flat())}::text[]`
  return narrowed(r, f, texts, { weight, sql })
}
