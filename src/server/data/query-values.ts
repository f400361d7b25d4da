import { problem } from '#kernel/errors.ts'
import { isDay } from '#kernel/time.ts'

/** The SQL of one condition; the numbers of its bound values are still open. */
export interface Condition {
  /** Values that each row is compared with one by one. */
  readonly weight?: number
  /** A word search: the number of matching records is not known beforehand. */
  readonly isSearch?: true
  /** With `byRow`, evaluated row by row for rows that are read anyway, in their own order. */
  readonly sql: (next: (value: unknown) => string, byRow?: boolean) => string
  /** Matching records come first, each group in the order of the list. */
  readonly first?: (next: (value: unknown) => string) => string
}

/** Operators by the word in brackets. */
export const RANGES: Readonly<Record<string, string>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  after: '>=',
  before: '<=',
  strictly_after: '>',
  strictly_before: '<',
}
export const DATE_RANGES = new Set(['after', 'before', 'strictly_after', 'strictly_before'])

export const list = (v: string | readonly string[]): readonly string[] => (typeof v === 'string' ? [v] : v)
export const escapeLike = (s: string) => s.replace(/[\\%_]/g, (c) => `\\${c}`)

/** Words and times to compare with, in one query: each is evaluated for every row. */
const MAX_COMPARED_VALUES = 50

/** Throws 400 for too many. */
export function checkWeight(weight: number): void {
  if (weight > MAX_COMPARED_VALUES)
    throw problem.badRequest(`A list can be asked for ${MAX_COMPARED_VALUES} words or times at once.`)
}

/** The words of a search, each of which must occur; of all values of a repeated parameter. Throws 400 for too many. */
export function readWords(given: string | readonly string[] | undefined): string[] {
  const words = list(given ?? [])
    .join(' ')
    .split(/\s+/)
    .filter(Boolean)
  checkWeight(words.length)
  return words
}

/** Texts as a PostgreSQL array: one value, whatever their number. */
export const arrayText = (texts: readonly string[]) =>
  `{${texts.map((s) => `"${s.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/**
 * Such an array, bound, in lower case by PostgreSQL, as the text that it is compared with is: JavaScript lower-cases some letters
 * differently, İ among them.
 */
export const loweredArray = (param: string) => `lower(${param}::text)::text[]`

/** Text that lower-casing leaves as it is. */
const LOWER_CASE = /^[ -@[-~]*$/

/**
 * `column LIKE` any of the patterns, in lower case. A pattern in lower case is compared as it is; another is lower-cased once, where
 * PostgreSQL would do it for each row within the comparison.
 */
export function likeAny(column: string, patterns: readonly string[], next: (value: unknown) => string): string {
  const [only = '', ...more] = patterns
  if (patterns.length && !more.length)
    return LOWER_CASE.test(only)
      ? `${column} LIKE ${next(only)}::text`
      : `${column} LIKE (SELECT lower(${next(only)}::text))`
  return `${column} LIKE ANY(${loweredArray(next(arrayText(patterns)))})`
}

export const boolean = (s: string) =>
  s === 'true' || s === '1' ? true : s === 'false' || s === '0' ? false : undefined
export const numbers = (values: readonly string[]) =>
  values.filter((v) => v.trim() !== '' && Number.isFinite(Number(v))).map(Number)

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[ +-]\d\d:?\d\d)?)?$/

/** The date at the start of a value; `undefined` for one that does not exist. */
export const readDay = (s: string): string | undefined => {
  const day = MOMENT.exec(s)?.[1]
  return day && isDay(day) ? day : undefined
}

/** Seconds since 1970; UTC without an offset. A `+` that was not encoded arrives as a space. */
export const readMoment = (s: string): number | undefined => {
  const m = MOMENT.exec(s)
  if (!m || !readDay(s)) return undefined
  const offset = (m[3] ?? 'Z').replace(' ', '+').replace(/(\d\d)(\d\d)$/, '$1:$2')
  const at = Date.parse(`${m[1]}T${m[2] ?? '00:00'}${offset}`)
  return Number.isNaN(at) ? undefined : at / 1000
}

/** Whether a timestamp can hold these seconds. */
export const isMoment = (n: number) => n >= -62_135_596_800 && n < 253_402_300_800

/** Compares an instant with a whole second, as the API shows it, by bounds that an index on the column can answer. */
export function moment(column: string, op: string, at: number): Condition {
  const bound = op === '>=' || op === '<' ? Math.ceil(at) : Math.floor(at) + 1
  return {
    sql: (next) => `${column} ${op.startsWith('>') ? '>=' : '<'} to_timestamp(${next(bound)}::double precision)`,
  }
}

/** Any of these whole seconds. */
export const moments = (column: string, all: readonly number[]): Condition | undefined =>
  all.length
    ? {
        weight: all.length,
        sql: (next) =>
          `(${all.map((at) => `(${moment(column, '>=', Math.floor(at)).sql(next)} AND ${moment(column, '<=', at).sql(next)})`).join(' OR ')})`,
      }
    : undefined
