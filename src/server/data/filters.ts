import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { isDay, readIri } from './input.ts'

/** A query as it came: `order[id]` and the like still in the keys. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** The SQL of one condition, with the numbers of its bound values still open. */
export interface Condition {
  readonly sql: (next: (value: unknown) => string) => string
}

const RANGES: Record<string, string> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  after: '>=',
  before: '<=',
  strictly_after: '>',
  strictly_before: '<',
}
const DATES = new Set(['after', 'before', 'strictly_after', 'strictly_before'])

const list = (v: string | readonly string[]): readonly string[] => (typeof v === 'string' ? [v] : v)
const escapeLike = (s: string) => s.replace(/[\\%_]/g, (c) => `\\${c}`)
const boolean = (s: string) => (s === 'true' || s === '1' ? true : s === 'false' || s === '0' ? false : undefined)
const numbers = (values: readonly string[]) =>
  values.filter((v) => v.trim() !== '' && Number.isFinite(Number(v))).map(Number)

/** The calendar date that a value begins with; `undefined` for a day that there is not. */
const readDay = (s: string): string | undefined => {
  const day = /^(\d{4}-\d\d-\d\d)([T ].*)?$/.exec(s)?.[1]
  return day && isDay(day) ? day : undefined
}

/** Seconds since 1970; without an offset, UTC. A `+` that was not encoded arrives as a space. */
const readMoment = (s: string): number | undefined => {
  const m = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[ +-]\d\d:?\d\d)?)?$/.exec(s)
  if (!m || !readDay(s)) return undefined
  const offset = (m[3] ?? 'Z').replace(' ', '+').replace(/(\d\d)(\d\d)$/, '$1:$2')
  const at = Date.parse(`${m[1]}T${m[2] ?? '00:00'}${offset}`)
  return Number.isNaN(at) ? undefined : at / 1000
}

/** Seconds that a timestamp can hold. */
const isMoment = (n: number) => n >= -62_135_596_800 && n < 253_402_300_800

/** Compares a moment with the whole second that the API shows, by bounds that an index on the column can answer. */
function moment(column: string, op: string, at: number): Condition {
  const bound = op === '>=' || op === '<' ? Math.ceil(at) : Math.floor(at) + 1
  return {
    sql: (next) => `${column} ${op.startsWith('>') ? '>=' : '<'} to_timestamp(${next(bound)}::double precision)`,
  }
}

/** Any of these whole seconds. */
const moments = (column: string, all: readonly number[]): Condition | undefined =>
  all.length
    ? {
        sql: (next) =>
          `(${all.map((at) => `(${moment(column, '>=', Math.floor(at)).sql(next)} AND ${moment(column, '<=', at).sql(next)})`).join(' OR ')})`,
      }
    : undefined

/** Words of a free search: each must occur; a run of digits also matches telephone numbers in any format. */
export function searchWords(q: string): string[] {
  const words = q.toLowerCase().trim()
  const digits = words.replace(/[\s()+-]/g, '')
  if (/^\d{6,}$/.test(digits)) return [digits.replace(/^(0044|44|0)/, '')]
  return words.split(/\s+/).filter(Boolean).slice(0, 8)
}

/** Values by parameter: `p`, `p[]` and `p[0]` are one. Text in the database holds no zero byte, so nothing is like one. */
function gathered(query: Query): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [key, raw] of Object.entries(query)) {
    const values = list(raw ?? []).filter((v) => typeof v === 'string' && !v.includes('\0'))
    const name = key.replace(/\[\d*\]$/, '')
    if (values.length) found.set(name, [...(found.get(name) ?? []), ...values])
  }
  return found
}

/** Conditions from a query, by the declaration alone: what it does not name is ignored (API convention, section 4). */
export function readFilters(r: Resource, query: Query): Condition[] {
  const found: Condition[] = []
  for (const [key, values] of gathered(query)) {
    const m = /^(exists\[)?([\w.]+)\]?(?:\[(\w*)\])?$/.exec(key)
    if (!m?.[2]) continue
    const condition = m[1] ? exists(r, m[2], values) : one(r, m[2], m[3] ?? '', values)
    if (condition) found.push(condition)
  }
  const q = query.q
  if (typeof q === 'string' && q.trim() && !q.includes('\0') && searchable(r))
    for (const word of searchWords(q)) found.push({ sql: (next) => anywhere(r, next(`%${escapeLike(word)}%`)) })
  return found
}

/** A pattern in the common search column, or in a field that has its own place in the search index. */
const anywhere = (r: Resource, pattern: string): string =>
  `(${['t.search_text', ...Object.entries(r.fields).flatMap(([name, f]) => (f.search === 'own' ? [`lower(t.${r.columns[name]})`] : []))].map((c) => `${c} LIKE ${pattern}`).join(' OR ')})`

export const searchable = (r: Resource) => Object.values(r.fields).some((f) => f.search)

/** What only some may see, nobody filters or orders by: the answer would tell. */
const open = (f: Field | undefined): f is Field => f !== undefined && !f.visible && !f.writeOnly

/** The column and field that a filter path stands for, when the declaration lets it be filtered. */
function locate(
  r: Resource,
  path: string,
): { column: string; field: Field } | { relation: Resource; column: string; inner: string } | undefined {
  if (path === 'id') return { column: 't.id', field: { kind: 'integer' } }
  const [head = '', ...rest] = path.split('.')
  const field = r.fields[head]
  if (!open(field) || (!field.filter && !(field.nested && rest.length))) return undefined
  const column = `t.${r.columns[head]}`
  if (!rest.length) return { column, field }
  if (field.kind !== 'link') return undefined
  const inner = rest.join('.')
  const target = (field.target as () => Resource)()
  const local = field.nested?.[inner]
  if (local) return { column: `t.${local}`, field: target.fields[inner] ?? { kind: 'text' } }
  if (inner === 'id') return { column, field }
  const there = target.fields[inner]
  return field.filter && open(there) && there.filter ? { relation: target, column, inner } : undefined
}

function exists(r: Resource, path: string, values: readonly string[]): Condition | undefined {
  const at = locate(r, path)
  const wanted = values[0] === '' ? true : boolean(values[0] ?? '')
  if (!at || wanted === undefined || 'relation' in at) return undefined
  if (at.field.kind === 'strings') return { sql: () => `cardinality(${at.column}) ${wanted ? '>' : '='} 0` }
  return { sql: () => `${at.column} IS ${wanted ? 'NOT ' : ''}NULL` }
}

function one(r: Resource, path: string, op: string, values: readonly string[]): Condition | undefined {
  if (op === 'exists') return exists(r, path, values)
  const at = locate(r, path)
  if (!at) return undefined
  if ('relation' in at) {
    if (op) return undefined
    const inside = one(at.relation, at.inner, op, values)
    if (!inside) return undefined
    const tenant = at.relation.tenant === 'shared' ? '' : ' AND t.client_id = o.client_id'
    return {
      sql: (next) =>
        `EXISTS (SELECT 1 FROM (SELECT ${at.column} AS it${tenant ? ', t.client_id' : ''}) o JOIN ${at.relation.table} t ON t.id = o.it${tenant} WHERE ${inside.sql(next)})`,
    }
  }
  const { column, field } = at
  // An alias at the end of an IRI (`/api/crm/staff/jane`) is looked up through the relation.
  const target = field.kind === 'link' ? (field.target as () => Resource)() : undefined
  const aliases = target?.alias
    ? values.flatMap((v) => (v.startsWith('/') ? (readIri(target, v) ?? []) : [])).filter((id) => !/^\d+$/.test(id))
    : []
  if (target?.alias && aliases.length) return one(r, `${path}.${target.alias}`, op, aliases)
  if (op) return range(column, field, op, values)
  return equal(r, column, field, values)
}

function range(column: string, f: Field, op: string, values: readonly string[]): Condition | undefined {
  const value = values[0] ?? ''
  const sign = RANGES[op]
  if (DATES.has(op)) {
    if (f.kind === 'date') {
      const day = readDay(value)
      return day && sign ? { sql: (next) => `${column} ${sign} ${next(day)}::date` } : undefined
    }
    const at = f.kind === 'instant' || f.kind === 'unixSeconds' ? readMoment(value) : undefined
    return at !== undefined && sign ? moment(column, sign, at) : undefined
  }
  const compare =
    f.kind === 'unixSeconds'
      ? (way: string, n: number) => (isMoment(n) ? moment(column, way, n) : undefined)
      : f.kind === 'integer' || f.kind === 'decimal'
        ? (way: string, n: number): Condition => ({ sql: (next) => `${column} ${way} ${next(n)}::numeric` })
        : undefined
  if (op === 'between') {
    const [low, high] = numbers(value.split('..')).map((n, i) => compare?.(i ? '<=' : '>=', n))
    return low && high && { sql: (next) => `${low.sql(next)} AND ${high.sql(next)}` }
  }
  const [n] = numbers([value])
  return n === undefined || !sign ? undefined : compare?.(sign, n)
}

function equal(r: Resource, column: string, f: Field, values: readonly string[]): Condition | undefined {
  const some = (cast: string, kept: readonly unknown[]): Condition | undefined =>
    kept.length === 0
      ? undefined
      : {
          sql: (next) =>
            kept.length === 1 ? `${column} = ${next(kept[0])}::${cast}` : `${column} = ANY(${next(kept)}::${cast}[])`,
        }
  switch (f.kind) {
    case 'flag': {
      const wanted = boolean(values[0] ?? '')
      // Written out, so that a partial index on the flag can answer.
      return wanted === undefined ? undefined : { sql: () => (wanted ? column : `NOT ${column}`) }
    }
    case 'link': {
      const target = (f.target as () => Resource)()
      return some(
        'bigint',
        numbers(values.map((v) => (v.startsWith('/') ? (readIri(target, v) ?? '') : v))).filter(Number.isSafeInteger),
      )
    }
    case 'integer':
      return some(
        'bigint',
        numbers(values.map((v) => (column === 't.id' && v.startsWith('/') ? (readIri(r, v) ?? '') : v))).filter(
          Number.isSafeInteger,
        ),
      )
    case 'decimal':
      return some('numeric', numbers(values))
    case 'unixSeconds':
      return moments(column, numbers(values).filter(isMoment))
    case 'instant':
      return moments(
        column,
        values.flatMap((v) => readMoment(v) ?? []),
      )
    case 'date':
      return some(
        'date',
        values.flatMap((v) => readDay(v) ?? []),
      )
    case 'json':
      return undefined
    case 'strings':
      return { sql: (next) => `${column} && ${next([...values])}::text[]` }
    default:
      return textual(column, f, values, some)
  }
}

function textual(
  column: string,
  f: Field,
  values: readonly string[],
  some: (cast: string, kept: readonly unknown[]) => Condition | undefined,
): Condition | undefined {
  const how = f.filter === true || f.filter === undefined ? 'exact' : f.filter
  if (how === 'exact') return some('text', values)
  const kept = values.filter((v) => v !== '')
  if (!kept.length) return undefined
  const pattern = (v: string) => {
    const s = escapeLike(v.toLowerCase())
    return how === 'partial' ? [`%${s}%`] : how === 'start' ? [`${s}%`] : [`${s}%`, `% ${s}%`]
  }
  const patterns = kept.flatMap(pattern)
  const like = (col: string, next: (v: unknown) => string, ps: readonly string[]) =>
    ps.length === 1 ? `${col} LIKE ${next(ps[0])}` : `${col} LIKE ANY(${next(ps)}::text[])`
  // A searched field's text is inside `search_text`, whose trigram index answers first.
  return {
    sql: (next) =>
      `${
        f.search === true
          ? `${like(
              't.search_text',
              next,
              kept.map((v) => `%${escapeLike(v.toLowerCase())}%`),
            )} AND `
          : ''
      }${like(`lower(${column})`, next, patterns)}`,
  }
}

/** The order that a query asks for, else the declaration's; `id` last, so that pages neither overlap nor skip. */
export function readOrder(r: Resource, query: Query): string {
  const asked = Object.entries(query).flatMap(([key, v]) => {
    const path = /^order\[([\w.]+)\]$/.exec(key)?.[1]
    const way = typeof v === 'string' ? v.toUpperCase() : ''
    return path && (way === 'ASC' || way === 'DESC') ? [{ path, way }] : []
  })
  const known = asked.flatMap(({ path, way }) => {
    if (path === 'id') return [`t.id ${way}`]
    const [head = '', inner] = path.split('.')
    const f = r.fields[head]
    if (!open(f) || !f.order) return []
    if (!inner) return [`t.${r.columns[head]} ${way}`]
    const target = f.kind === 'link' ? (f.target as () => Resource)() : undefined
    const there = target?.fields[inner]
    const column = inner === 'id' ? 'id' : open(there) && there.order ? target?.columns[inner] : undefined
    if (!target || !column) return []
    const tenant = target.tenant === 'shared' ? '' : ' AND o.client_id = t.client_id'
    return [`(SELECT o.${column} FROM ${target.table} o WHERE o.id = t.${r.columns[head]}${tenant}) ${way}`]
  })
  const terms = known.length
    ? known
    : (r.order ?? []).map((o) =>
        o.startsWith('-') ? `t.${columnName(r, o.slice(1))} DESC` : `t.${columnName(r, o)} ASC`,
      )
  if (!terms.some((t) => t.startsWith('t.id '))) terms.push(terms.at(-1)?.endsWith('DESC') ? 't.id DESC' : 't.id ASC')
  return terms.join(', ')
}
const columnName = (r: Resource, field: string) => (field === 'id' ? 'id' : (r.columns[field] as string))

/** Every query parameter a list accepts, for `hydra:search` and OpenAPI: variable and the property it is about. */
export function parameters(r: Resource): { variable: string; property: string }[] {
  const out: { variable: string; property: string }[] = [
    { variable: 'id', property: 'id' },
    { variable: 'id[]', property: 'id' },
    { variable: 'order[id]', property: 'id' },
  ]
  const add = (property: string, ...variables: string[]) =>
    out.push(...variables.map((variable) => ({ variable, property })))
  for (const [name, f] of Object.entries<Field>(r.fields)) {
    if (!open(f)) continue
    const target = f.kind === 'link' ? (f.target as () => Resource)() : undefined
    const inner = Object.entries<Field>(target?.fields ?? {}).filter(([, t]) => open(t))
    if (f.order) {
      add(name, `order[${name}]`)
      for (const [k] of inner.filter(([, t]) => t.order)) add(`${name}.${k}`, `order[${name}.${k}]`)
    }
    for (const k of Object.keys(f.nested ?? {})) add(`${name}.${k}`, `${name}.${k}`, `${name}.${k}[]`)
    if (!f.filter) continue
    add(name, name)
    if (target) add(`${name}.id`, `${name}.id`)
    for (const [k] of inner.filter(([k, t]) => t.filter && !f.nested?.[k])) add(`${name}.${k}`, `${name}.${k}`)
    if (f.kind !== 'flag') add(name, `${name}[]`)
    if (f.kind === 'integer' || f.kind === 'decimal' || f.kind === 'unixSeconds')
      add(name, ...['gt', 'gte', 'lt', 'lte', 'between'].map((op) => `${name}[${op}]`))
    if (f.kind === 'date' || f.kind === 'instant' || f.kind === 'unixSeconds')
      add(name, ...[...DATES].map((op) => `${name}[${op}]`))
    add(name, `exists[${name}]`)
  }
  if (searchable(r)) add('', 'q')
  return out
}
