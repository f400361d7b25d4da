import type { Field } from '#kernel/fields.ts'
import { idFromIri, type Resource } from '#kernel/resource.ts'

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

/** An instant or a date as PostgreSQL reads it without complaint; `undefined` for anything else. */
const readDate = (s: string): string | undefined =>
  /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(s) && !Number.isNaN(Date.parse(s))
    ? s
    : undefined

/** Words of a free search: each must occur; a run of digits also matches telephone numbers in any format. */
export function searchWords(q: string): string[] {
  const words = q.toLowerCase().trim()
  const digits = words.replace(/[\s()+-]/g, '')
  if (/^\d{6,}$/.test(digits)) return [digits.replace(/^(0044|44|0)/, '')]
  return words.split(/\s+/).filter(Boolean).slice(0, 8)
}

/** Conditions from a query, by the declaration alone: what it does not name is ignored (API convention, section 4). */
export function readFilters(r: Resource, query: Query): Condition[] {
  const found: Condition[] = []
  for (const [key, raw] of Object.entries(query)) {
    if (raw === undefined) continue
    const values = list(raw)
      .filter((v) => v !== undefined)
      .map(String)
    const m = /^(exists\[)?([\w.]+)\]?(?:\[(\w*)\])?$/.exec(key)
    if (!m?.[2]) continue
    const condition = m[1] ? exists(r, m[2], values) : one(r, m[2], m[3] ?? '', values)
    if (condition) found.push(condition)
  }
  const q = query.q
  if (typeof q === 'string' && q.trim() && searchable(r))
    for (const word of searchWords(q))
      found.push({ sql: (next) => `t.search_text LIKE ${next(`%${escapeLike(word)}%`)}` })
  return found
}

export const searchable = (r: Resource) => Object.values(r.fields).some((f) => f.search)

/** The column and field that a filter path stands for, when the declaration lets it be filtered. */
function locate(
  r: Resource,
  path: string,
): { column: string; field: Field } | { relation: Resource; column: string; inner: string } | undefined {
  if (path === 'id') return { column: 't.id', field: { kind: 'integer' } }
  const [head = '', ...rest] = path.split('.')
  const field = r.fields[head]
  if (!field?.filter && !(field?.nested && rest.length)) return undefined
  const column = `t.${r.columns[head]}`
  if (!rest.length) return { column, field }
  if (field.kind !== 'link') return undefined
  const inner = rest.join('.')
  const target = (field.target as () => Resource)()
  const local = field.nested?.[inner]
  if (local) return { column: `t.${local}`, field: target.fields[inner] ?? { kind: 'text' } }
  if (inner === 'id') return { column, field }
  return target.fields[inner]?.filter ? { relation: target, column, inner } : undefined
}

function exists(r: Resource, path: string, values: readonly string[]): Condition | undefined {
  const at = locate(r, path)
  const wanted = values[0] === '' ? true : boolean(values[0] ?? '')
  if (!at || wanted === undefined || 'relation' in at) return undefined
  return { sql: () => `${at.column} IS ${wanted ? 'NOT ' : ''}NULL` }
}

function one(r: Resource, path: string, op: string, values: readonly string[]): Condition | undefined {
  if (op === 'exists') return exists(r, path, values)
  const at = locate(r, path)
  if (!at) return undefined
  if ('relation' in at) {
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
    ? values.flatMap((v) => (v.startsWith('/') ? (idFromIri(target, v) ?? []) : [])).filter((id) => !/^\d+$/.test(id))
    : []
  if (target?.alias && aliases.length) return one(r, `${path}.${target.alias}`, op, aliases)
  if (op && !/^\d+$/.test(op)) return range(column, field, op, values)
  return equal(r, column, field, values)
}

function range(column: string, f: Field, op: string, values: readonly string[]): Condition | undefined {
  const value = values[0] ?? ''
  const numeric = f.kind === 'integer' || f.kind === 'decimal' || f.kind === 'unixSeconds'
  const dated = f.kind === 'date' || f.kind === 'instant' || f.kind === 'unixSeconds'
  if (DATES.has(op)) {
    const at = readDate(value)
    return dated && at
      ? { sql: (next) => `${column} ${RANGES[op]} ${next(at)}::${f.kind === 'date' ? 'date' : 'timestamptz'}` }
      : undefined
  }
  const cast = (v: unknown, next: (v: unknown) => string) =>
    f.kind === 'unixSeconds' ? `to_timestamp(${next(v)}::double precision)` : `${next(v)}::numeric`
  if (!numeric) return undefined
  if (op === 'between') {
    const [low, high] = numbers(value.split('..'))
    return low === undefined || high === undefined
      ? undefined
      : { sql: (next) => `${column} BETWEEN ${cast(low, next)} AND ${cast(high, next)}` }
  }
  const [n] = numbers([value])
  return n === undefined || !RANGES[op] ? undefined : { sql: (next) => `${column} ${RANGES[op]} ${cast(n, next)}` }
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
        numbers(values.map((v) => (v.startsWith('/') ? (idFromIri(target, v) ?? '') : v))).filter(Number.isSafeInteger),
      )
    }
    case 'integer':
      return some(
        'bigint',
        numbers(values.map((v) => (column === 't.id' && v.startsWith('/') ? (idFromIri(r, v) ?? '') : v))).filter(
          Number.isSafeInteger,
        ),
      )
    case 'decimal':
      return some('numeric', numbers(values))
    case 'unixSeconds':
      return numbers(values).length
        ? { sql: (next) => `${column} = to_timestamp(${next(numbers(values)[0])}::double precision)` }
        : undefined
    case 'date':
    case 'instant': {
      const at = readDate(values[0] ?? '')
      return at
        ? { sql: (next) => `${column} = ${next(at)}::${f.kind === 'date' ? 'date' : 'timestamptz'}` }
        : undefined
    }
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
        f.search
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
    if (!f?.order) return []
    if (!inner) return [`t.${r.columns[head]} ${way}`]
    const target = f.kind === 'link' ? (f.target as () => Resource)() : undefined
    const column = target?.columns[inner]
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
    for (const inner of Object.keys(f.nested ?? {})) add(name, `${name}.${inner}`, `${name}.${inner}[]`)
    if (f.order) add(name, `order[${name}]`)
    if (!f.filter) continue
    add(name, name)
    if (f.kind !== 'flag' && f.kind !== 'date' && f.kind !== 'instant') add(name, `${name}[]`)
    if (f.kind === 'integer' || f.kind === 'decimal' || f.kind === 'unixSeconds')
      add(name, ...['gt', 'gte', 'lt', 'lte', 'between'].map((op) => `${name}[${op}]`))
    if (f.kind === 'date' || f.kind === 'instant' || f.kind === 'unixSeconds')
      add(name, ...[...DATES].map((op) => `${name}[${op}]`))
    add(name, `exists[${name}]`)
  }
  if (searchable(r)) add('', 'q')
  return out
}
