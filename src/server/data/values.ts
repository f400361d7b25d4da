import { problem } from '#kernel/errors.ts'
import type { FilterMatch } from '#kernel/fields.ts'
import { isCalendarDate } from '#kernel/time.ts'
import type { PreparedSql } from '#server/db/db.ts'

/** One SQL condition whose placeholders are numbered when the query is built. */
export interface QueryCondition {
  /** Number of values that every row is compared with. */
  readonly weight?: number
  /** True for a word search, whose number of matches is not known beforehand. */
  readonly isSearch?: true
  /**
   * Builds the SQL. With `byRow`, the condition is evaluated row by row for rows that are read anyway, in list order.
   */
  readonly sql: (next: (value: unknown) => string, byRow?: boolean) => string
  /**
   * Builds a condition that sorts matching records before all others. Matching and other records are each in list
   * order.
   */
  readonly first?: (next: (value: unknown) => string) => string
}

/** SQL comparison operators by filter suffix. */
export const COMPARISON_OPERATORS: Readonly<Record<string, string>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  after: '>=',
  before: '<=',
  strictly_after: '>',
  strictly_before: '<',
}
export const DATE_FILTER_SUFFIXES = new Set(['after', 'before', 'strictly_after', 'strictly_before'])

export const toValueList = (v: string | readonly string[]): readonly string[] => (typeof v === 'string' ? [v] : v)
const escapeLike = (s: string) => s.replace(/[\\%_]/g, (c) => `\\${c}`)

/** Maximum number of words and instants that one query may compare with. Every row is compared with each of them. */
const MAX_COMPARED_VALUES = 50

/** Throws 400 if a query compares with too many values. */
export function assertComparedValueLimit(weight: number): void {
  if (weight > MAX_COMPARED_VALUES)
    throw problem.badRequest(`A list can be filtered by at most ${MAX_COMPARED_VALUES} words or times.`)
}

/** Splits the values of a search parameter into words, each of which must occur. Throws 400 for too many words. */
export function parseSearchWords(given: string | readonly string[] | undefined): string[] {
  const words = toValueList(given ?? [])
    .join(' ')
    .split(/\s+/)
    .filter(Boolean)
  assertComparedValueLimit(words.length)
  return words
}

/**
 * Sorts rare words first (numbers and codes, then longer words), because the index scans the rows with the first word
 * and checks only those for the other words.
 */
export const byRarity = (a: string, b: string) => Number(/\d/.test(b)) - Number(/\d/.test(a)) || b.length - a.length

/** Collects values by parameter: `p`, `p[]` and `p[0]` are equivalent. */
export function gatherValues(
  query: Readonly<Record<string, string | readonly string[] | undefined>>,
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [key, raw] of Object.entries(query)) {
    const values = toValueList(raw ?? []).filter((v) => typeof v === 'string')
    const name = key.replace(/\[\d*\]$/, '')
    if (values.length) found.set(name, [...(found.get(name) ?? []), ...values])
  }
  return found
}

/** Formats strings as a PostgreSQL array, so that any number of them is one bound value. */
export const toPgArrayText = (texts: readonly string[]) =>
  `{${texts.map((s) => `"${s.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** Returns SQL that is true if the text, a search form, contains every term. */
export const containsAllSql = (text: string, terms: readonly string[], next: (v: unknown) => string): string =>
  terms.map((term) => `${text} LIKE ${next(`%${term}%`)}::text`).join(' AND ')

/** Returns SQL that is true if the condition on any of the texts is true. */
export const anyOfSql = <T>(texts: readonly T[], sql: (text: T) => string): string =>
  texts.length > 1 ? `(${texts.map((text) => `(${sql(text)})`).join(' OR ')})` : texts.map(sql).join('')

/**
 * Returns a condition that a long text contains any of the values, in any case. No index covers these texts, and
 * comparing their search forms would take many times as long.
 */
export const containsCondition = (column: string, values: readonly string[]): QueryCondition => ({
  weight: values.length,
  sql: (next) => anyOfSql(values, (value) => `lower(${column}) LIKE lower(${next(`%${escapeLike(value)}%`)}::text)`),
})

/** A filter's value, its search form, and the terms that a matching text contains. */
export interface ComparedText {
  readonly value: string
  readonly form: string
  readonly terms: readonly string[]
}

/**
 * Returns SQL that compares a column with a value. Several words may be stored as one, or with hyphens. Signs alone are
 * compared literally, because they have no search form.
 */
export function matchSql(
  how: FilterMatch,
  { column, form }: { readonly column: string; readonly form: string },
  text: ComparedText,
  next: (v: unknown) => string,
): string {
  const joined = `replace(${form}, ' ', '')`
  const whole = text.form.replaceAll(' ', '')
  if (!text.terms.length)
    return `${column} LIKE ${next(`${how === 'partial' ? '%' : ''}${escapeLike(text.value)}%`)}::text`
  if (how === 'word_start') return `' ' || ${form} LIKE ${next(`% ${text.form}%`)}::text`
  if (how === 'start') return `${joined} LIKE ${next(`${whole}%`)}::text`
  const parts = containsAllSql(form, text.terms, next)
  return text.terms.length > 1 ? `${parts} AND ${joined} LIKE ${next(`%${whole}%`)}::text` : parts
}

export const parseBoolean = (s: string) =>
  s === 'true' || s === '1' ? true : s === 'false' || s === '0' ? false : undefined
export const parseNumbers = (values: readonly string[]) =>
  values.filter((v) => v.trim() !== '' && Number.isFinite(Number(v))).map(Number)

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[ +-]\d\d:?\d\d)?)?$/

/**
 * Returns the date in a filter value that is a date or an instant; `undefined` if the value is malformed or the date
 * does not exist.
 */
export const parseFilterDate = (s: string): string | undefined => {
  const day = MOMENT.exec(s)?.[1]
  return day && isCalendarDate(day) ? day : undefined
}

/**
 * Parses an instant into seconds since 1970; `undefined` if it is malformed. An instant without an offset is in UTC. A
 * `+` that was not encoded arrives as a space.
 */
export const parseFilterInstant = (s: string): number | undefined => {
  const m = MOMENT.exec(s)
  if (!m || !parseFilterDate(s)) return undefined
  const offset = (m[3] ?? 'Z').replace(' ', '+').replace(/(\d\d)(\d\d)$/, '$1:$2')
  const at = Date.parse(`${m[1]}T${m[2] ?? '00:00'}${offset}`)
  return Number.isNaN(at) ? undefined : at / 1000
}

/** True if a timestamp can represent these seconds. */
export const isStorableInstant = (n: number) => n >= -62_135_596_800 && n < 253_402_300_800

/**
 * Returns a condition that compares an instant in whole seconds, as the API shows it. The condition's bounds can use an
 * index on the column.
 */
export function buildInstantCondition(column: string, op: string, at: number): QueryCondition {
  const bound = op === '>=' || op === '<' ? Math.ceil(at) : Math.floor(at) + 1
  return {
    sql: (next) => `${column} ${op.startsWith('>') ? '>=' : '<'} to_timestamp(${next(bound)}::double precision)`,
  }
}

/** Returns a condition that matches any of these whole seconds; `undefined` if there are none. */
export const buildAnyInstantCondition = (column: string, all: readonly number[]): QueryCondition | undefined =>
  all.length
    ? {
        weight: all.length,
        sql: (next) =>
          `(${all.map((at) => `(${buildInstantCondition(column, '>=', Math.floor(at)).sql(next)} AND ${buildInstantCondition(column, '<=', at).sql(next)})`).join(' OR ')})`,
      }
    : undefined

export const prepareSql = (text: string): PreparedSql => ({ text })

/** Collects the values to bind, and returns their placeholders. */
export class BoundValues {
  readonly list: unknown[] = []
  readonly next = (value: unknown): string => `$${this.list.push(value)}`
}
