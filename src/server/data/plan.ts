import { type Field, type Fields, readRoles, snake } from '#kernel/fields.ts'
import { perDeclaration, perResource } from '#kernel/per-declaration.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import { fieldsOf } from '#kernel/row-rules.ts'
import {
  embeddedField,
  type FieldSelect,
  plainField,
  type RecordSelect,
  type RowArray,
  recordSelect,
  rowsField,
} from './json-select.ts'
import { sameTenant } from './tenancy.ts'

/** A record inside the engine: wire values, but relations are ids. */
export interface Row {
  id: number
  /** The tenant that owns it; 0 for shared data. */
  clientId: number
  [field: string]: unknown
}
/** How one select list is written and read back, for one resource and one set of visible fields. */
export interface SelectPlan extends RecordSelect {
  readonly select: string
  /** The same, part by part. */
  readonly parts: readonly string[]
  readonly joins: string
  /** What behaviour works on. */
  readonly row: (row: RowArray) => Row
}

/** `2026-02-28 10:20:30.123+00`, or the same with a T → `2026-02-28T10:20:30+00:00` */
const isoInstant = (v: unknown) => (typeof v === 'string' ? `${v.slice(0, 10)}T${v.slice(11, 19)}+00:00` : null)

/** What a field is, in SQL over `t`, before it is sent. */
export const expression = (r: Resource, f: Field, name: string): string => {
  const column = r.columns[name]
  if (f.countOf) return countExpression(r, f.countOf)
  if (f.sql) return f.sql
  return f.inJson
    ? `t.${f.inJson}->'${name}'`
    : f.kind === 'unixSeconds'
      ? `floor(date_part('epoch', t.${column}))::bigint`
      : `t.${column}`
}

/** The place of the last of the records that are counted, which one step in their index finds. */
function countExpression(r: Resource, { of, by, place }: NonNullable<Field['countOf']>): string {
  const target = of()
  const [back, at] = [target.columns[by], target.columns[place]]
  return `coalesce((SELECT c.${at} FROM ${target.table} c WHERE c.${back} = t.id${sameTenant(r.tenant, target, 'c', 't')} ORDER BY c.${at} DESC LIMIT 1), 0)`
}

/** The rows of a `rows` field as one JSON array of arrays, each in the order of the target's own select list. */
function rowsExpression(r: Resource, f: Field, inner: SelectPlan): string {
  const target = (f.target as () => Resource)()
  const only = Object.entries(f.only ?? {}).map(([n, v]) => ` AND t.${target.columns[n]} = '${v}'`)
  const kept = target.fields.retired ? ' AND NOT t.retired' : ''
  const order = target.columns.position ? 't.position, t.id' : 't.id'
  // `o` is the outer record: inside, `t` means the row.
  return `(SELECT coalesce(json_agg(json_build_array(${inner.select}) ORDER BY ${order}), '[]'::json) FROM (SELECT ${tenantColumn(r)} AS c, t.id AS i) o JOIN ${target.table} t ON t.client_id = o.c AND t.${target.columns[f.by as string]} = o.i${only.join('')}${kept}${inner.joins})`
}

/** Whose a row over `t` is; 0 for shared data. */
export const tenantColumn = (r: Resource) => (r.tenant === 'shared' ? '0' : 't.client_id')

const plansOf = perResource((r) => ({
  guarded: Object.values<Field>(r.fields).filter((f) => readRoles(f)),
  made: new Map<string, SelectPlan>(),
}))

/** The plan for what this actor may see; without an actor, for everything (behaviour's view). Lists leave details out. */
export function selectPlanFor(r: Resource, actor?: Actor, list = false): SelectPlan {
  const { guarded, made } = plansOf(r)
  const key = `${list}${isOutsider(actor)}${actor ? guarded.map((f) => (hasRole(actor, readRoles(f) ?? 'member') ? 1 : 0)).join('') : '*'}`
  const plan = made.get(key) ?? makePlan(r, actor, list)
  made.set(key, plan)
  return plan
}

/** The plan of a list that tells of these fields alone. */
export const selectPlanOf = (r: Resource, actor: Actor, names: ReadonlySet<string>): SelectPlan =>
  makePlan(r, actor, true, names)

/** What is read with an embedded record beside what is sent of it: what the rules ask that say who reads it. */
export const judgedBy = (f: Field): string[] => {
  const rules = f.embedFor?.by().allow.rows ?? []
  const asked = new Set(rules.flatMap((rule) => fieldsOf(rule.only)))
  return [...asked].filter((name) => !f.embed?.includes(name))
}

/** Somebody to whom templates are nobody's: the provider's own record is not for them to read. */
const isOutsider = (actor: Actor | undefined): boolean => actor !== undefined && actor.clientId !== PROVIDER

/** Does the relation say whose a row is, the provider's for a template? */
const isOwner = (r: Resource, f: Field, target: Resource): boolean =>
  r.tenant === 'own or template' && target.tenant === 'self' && f.column === 'client_id'

/** Is it a relation to the provider's own record that the reader is not told of, in a template? */
export const isHiddenOwner = (r: Resource, f: Field, actor: Actor | undefined): boolean =>
  isOutsider(actor) && isOwner(r, f, (f.target as () => Resource)())

function makePlan(r: Resource, actor: Actor | undefined, list: boolean, names?: ReadonlySet<string>): SelectPlan {
  const columns: string[] = ['t.id', tenantColumn(r)]
  const joins: string[] = []
  const parts: FieldSelect[] = []
  const readers: ((row: RowArray, to: Row) => void)[] = []

  for (const [name, f] of Object.entries<Field>(r.fields)) {
    const roles = readRoles(f)
    if (names && !names.has(name)) continue
    if (f.writeOnly || (list && (f.omitFromLists || f.confidential)) || (actor && roles && !hasRole(actor, roles)))
      continue
    if (f.kind === 'rows') {
      const inner = selectPlanFor((f.target as () => Resource)(), actor)
      const at = columns.push(rowsExpression(r, f, inner)) - 1
      const rowsOf = (row: RowArray) => row[at] as unknown[][]
      parts.push(rowsField(name, rowsOf, inner))
      readers.push((row, to) => (to[name] = rowsOf(row).map(inner.row)))
      continue
    }
    const at = columns.push(expression(r, f, name)) - 1
    const value = f.kind === 'instant' ? (row: RowArray) => isoInstant(row[at]) : (row: RowArray) => row[at]
    readers.push((row, to) => {
      to[name] = value(row)
    })
    if (f.kind !== 'link') {
      // A list that nobody has filled in is empty.
      parts.push(plainField(name, f.kind === 'strings' ? (row) => row[at] ?? [] : value))
      continue
    }
    const target = (f.target as () => Resource)()
    const hidden = isHiddenOwner(r, f, actor) ? PROVIDER : null
    const idOf = (row: RowArray) => (row[at] === hidden ? null : (row[at] as number | null))
    if (!f.embed) {
      parts.push(
        plainField(name, (row) => {
          const id = idOf(row)
          return id === null ? null : iriOf(target, id)
        }),
      )
      continue
    }
    const alias = `j${joins.length}`
    const same = sameTenant(r.tenant, target, alias, 't')
    joins.push(` LEFT JOIN ${target.table} ${alias} ON ${alias}.id = t.${r.columns[name]}${same}`)
    const withheld = (key: string) => list && f.embedFor?.fields.includes(key)
    const inner = [...f.embed, ...(list ? [] : judgedBy(f))].map((key) => {
      const cell = withheld(key) ? 'NULL' : `${alias}.${target.columns[key] ?? snake(key)}`
      return [key, columns.push(cell) - 1] as const
    })
    parts.push(embeddedField(name, target, idOf, inner))
  }
  return {
    select: columns.join(', '),
    parts: columns,
    joins: joins.join(''),
    ...recordSelect(r, parts),
    row: (row) => {
      const to: Row = { id: row[0] as number, clientId: row[1] as number }
      for (const s of readers) s(row, to)
      return to
    },
  }
}

/** Values that nobody gave: of a new record, or of an action's input. */
export const defaultsOf = perDeclaration(
  (fields: Fields): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([n, f]) => (f.default === undefined || f.readonly ? [] : [[n, f.default]])),
    ),
)

/** Which rows of the table are the resource's, as the end of a WHERE over `t`. */
export const onlyOf = (r: Resource): string =>
  Object.entries(r.only ?? {})
    .map(([column, value]) => ` AND t.${column} = '${value}'`)
    .join('')

/** Values by field name as a record of the table, for `jsonb_populate_recordset`. */
export const asRecord = (r: Resource, values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(r.columns).map(([name, column]) => {
      const value = values[name] ?? null
      const seconds = r.fields[name]?.kind === 'unixSeconds' && typeof value === 'number'
      return [column, seconds ? new Date((value as number) * 1000).toISOString() : value]
    }),
  )

/** The SQL cast that a bound value of this field needs, `$n` given. */
export function boundValue(f: Field, n: number): string {
  switch (f.kind) {
    case 'unixSeconds':
      return `to_timestamp($${n}::double precision)`
    case 'instant':
      return `$${n}::timestamptz`
    case 'date':
      return `$${n}::date`
    case 'json':
      // Of the column's own type, jsonb or json.
      return `$${n}`
    case 'strings':
      return `$${n}::text[]`
    case 'decimal':
      return `$${n}::numeric`
    case 'flag':
      return `$${n}::boolean`
    case 'integer':
    case 'link':
      return `$${n}::bigint`
    default:
      return `$${n}::text`
  }
}
