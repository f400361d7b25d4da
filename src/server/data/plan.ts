import { type Field, type Fields, rolesAllowedToRead, toSnakeCase } from '#kernel/fields.ts'
import { cachePerDeclaration, cachePerResource } from '#kernel/per-declaration.ts'
import type { Tenancy } from '#kernel/resource.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { conditionFieldNames } from '#kernel/row-rules.ts'
import {
  createEmbeddedFieldSerialiser,
  createPlainFieldSerialiser,
  createRecordSerialiser,
  createRowsFieldSerialiser,
  type FieldSerialiser,
  type RecordSerialiser,
  type RowArray,
} from './json-select.ts'

/** True if the resource's rows have a `client_id`. */
export const hasTenantColumn = ({ tenant }: Pick<Resource, 'tenant'>): boolean =>
  tenant !== 'shared' && tenant !== 'self'

/**
 * Returns the condition for the tenants that a relation may refer to: the row's own and, if the target has templates,
 * the provider. `inner` and `outer` are the tables of the target and of the row.
 */
export function sameTenantCondition(
  from: Tenancy,
  target: Pick<Resource, 'tenant'>,
  inner: string,
  outer: string,
): string {
  if (from === 'shared' || target.tenant === 'shared' || target.tenant === 'self') return ''
  return target.tenant === 'own'
    ? ` AND ${inner}.client_id = ${outer}.client_id`
    : ` AND ${inner}.client_id IN (${outer}.client_id, ${PROVIDER_CLIENT_ID})`
}

/** A record inside the engine: values as in the API, but relations as IDs. */
export interface Row {
  id: number
  /** The owning tenant; 0 for shared data. */
  clientId: number
  [field: string]: unknown
}
/** The select list for one resource and one set of visible fields, and how its rows are read back. */
export interface SelectPlan extends RecordSerialiser {
  readonly select: string
  /** Returns the select list for the results of a search, in which fields can show where the text was found. */
  readonly searchSelect: (text: () => string, reader: () => string) => string
  readonly joins: string
  /** True if the select list reads other tables, such as the record's rows, in subqueries. */
  readonly hasSubqueries: boolean
  /**
   * Positions and targets of the relations that are sent only to readers of their target (`hideUnreadable`). A relation
   * in the record's rows has the position of the rows, followed by its own position in each row.
   */
  readonly hideable: readonly { readonly path: readonly [number, ...number[]]; readonly target: Resource }[]
  /** Converts a database row to the record that module code receives. */
  readonly row: (row: RowArray) => Row
}

/**
 * Formats an instant for the API: `2026-02-28 10:20:30.123+00`, or the same with a T, becomes
 * `2026-02-28T10:20:30+00:00`.
 */
const isoInstant = (v: unknown) => (typeof v === 'string' ? `${v.slice(0, 10)}T${v.slice(11, 19)}+00:00` : null)

const fillIn = (sql: string, text: () => string, reader: () => string) =>
  sql.replaceAll('{search}', text).replaceAll('{reader}', reader)
const outsideSearch = (sql: string) =>
  fillIn(
    sql,
    () => 'NULL::text',
    () => 'NULL::int',
  )

/** Returns the SQL expression of a field over `t`, outside a search. */
export const selectExpression = (r: Resource, f: Field, name: string): string => {
  const column = r.columns[name]
  if (f.countOf) return countExpression(r, f.countOf)
  if (f.sql) return outsideSearch(f.sql)
  return f.inJson
    ? `t.${f.inJson}->'${name}'`
    : f.kind === 'unixSeconds'
      ? `floor(date_part('epoch', t.${column}))::bigint`
      : `t.${column}`
}

/**
 * Returns SQL for the highest position among the counted records; 0 if there are none. The index finds the position in
 * one step.
 */
function countExpression(r: Resource, { of, by, place }: NonNullable<Field['countOf']>): string {
  const target = of()
  const [back, at] = [target.columns[by], target.columns[place]]
  return `coalesce((SELECT c.${at} FROM ${target.table} c WHERE c.${back} = t.id${sameTenantCondition(r.tenant, target, 'c', 't')} ORDER BY c.${at} DESC LIMIT 1), 0)`
}

/**
 * Returns the SQL of a `rows` field: one JSON array of arrays, each in the order of the target's select list. Leaves
 * out retired rows.
 */
function rowsExpression(r: Resource, f: Field, inner: SelectPlan): string {
  const target = (f.target as () => Resource)()
  const only = Object.entries(f.only ?? {}).map(([n, v]) => ` AND t.${target.columns[n]} = '${v}'`)
  const unretired = target.fields.retired ? ' AND NOT t.retired' : ''
  const order = target.columns.position ? 't.position, t.id' : 't.id'
  // `o` is the outer record; inside the subquery, `t` is the row.
  return `(SELECT coalesce(json_agg(json_build_array(${inner.select}) ORDER BY ${order}), '[]'::json) FROM (SELECT ${tenantColumnSql(r)} AS c, t.id AS i) o JOIN ${target.table} t ON t.client_id = o.c AND t.${target.columns[f.by as string]} = o.i${only.join('')}${unretired}${inner.joins})`
}

/** Returns SQL for the tenant of a row over `t`; 0 for shared data. */
export const tenantColumnSql = (r: Resource) => (r.tenant === 'shared' ? '0' : 't.client_id')

const plansOf = cachePerResource((r) => ({
  guarded: Object.values<Field>(r.fields).filter((f) => rolesAllowedToRead(f)),
  made: new Map<string, SelectPlan>(),
}))

/**
 * Returns the select plan for the fields that this actor may see or, without an actor, for all fields. Lists omit
 * fields with `omitFromLists`.
 */
export function selectPlanFor(r: Resource, actor?: Actor, list = false): SelectPlan {
  const { guarded, made } = plansOf(r)
  const key = `${list}${isOutsider(actor)}${actor ? guarded.map((f) => (hasRole(actor, rolesAllowedToRead(f) ?? 'member') ? 1 : 0)).join('') : '*'}`
  const plan = made.get(key) ?? makePlan(r, actor, list)
  made.set(key, plan)
  return plan
}

/**
 * Returns the select plan of a list with only these fields. With `confidential`, these include confidential fields that
 * the actor’s roles allow: the caller must log that they were read.
 */
export const selectPlanForFields = (
  r: Resource,
  actor: Actor,
  names: ReadonlySet<string>,
  { confidential = false } = {},
): SelectPlan => makePlan(r, actor, !confidential, names)

/** Returns the fields that are selected with an embedded record only to evaluate its row rules, and are not sent. */
export const fieldsForEmbedRules = (f: Field): string[] => {
  const rules = f.embedFor?.by().allow.rows ?? []
  const needed = new Set(rules.flatMap((rule) => conditionFieldNames(rule.only)))
  return [...needed].filter((name) => !f.embed?.includes(name))
}

/**
 * True for users of clients other than the provider. To them, templates have no owner, because they may not read the
 * provider's own record.
 */
const isOutsider = (actor: Actor | undefined): boolean => actor !== undefined && actor.clientId !== PROVIDER_CLIENT_ID

/** True if the relation refers to the owner of a record that may be a template. A template's owner is the provider. */
const isOwner = (r: Resource, f: Field, target: Resource): boolean =>
  r.tenant === 'own or template' && target.tenant === 'self' && f.column === 'client_id'

/** True if this relation must be hidden from the actor in templates, where it refers to the provider's own record. */
export const isHiddenProviderReference = (r: Resource, f: Field, actor: Actor | undefined): boolean =>
  isOutsider(actor) && isOwner(r, f, (f.target as () => Resource)())

/** Returns the SQL of a field that is embedded through a relation. `alias` is the related record. */
export function embeddedFieldSql(r: Resource, f: Field, key: string, alias: string): string {
  const target = (f.target as () => Resource)()
  const present = `${alias}.${target.columns[key] ?? toSnakeCase(key)}`
  const closed = f.embedAsClosed?.[key]
  if (!closed) return present
  return `CASE WHEN ${alias}.id IS NOT NULL THEN coalesce(nullif(t.${r.columns[closed]}, ''), ${present}) END`
}

function makePlan(r: Resource, actor: Actor | undefined, list: boolean, names?: ReadonlySet<string>): SelectPlan {
  const columns: string[] = ['t.id', tenantColumnSql(r)]
  const joins: string[] = []
  const parts: FieldSerialiser[] = []
  const readers: ((row: RowArray, to: Row) => void)[] = []
  const hideable: SelectPlan['hideable'][number][] = []

  for (const [name, f] of Object.entries<Field>(r.fields)) {
    const roles = rolesAllowedToRead(f)
    if (names && !names.has(name)) continue
    if (f.writeOnly || (list && (f.omitFromLists || f.confidential)) || (actor && roles && !hasRole(actor, roles)))
      continue
    if (f.kind === 'rows') {
      const inner = selectPlanFor((f.target as () => Resource)(), actor)
      const at = columns.push(rowsExpression(r, f, inner)) - 1
      const rowsOf = (row: RowArray) => row[at] as unknown[][]
      parts.push(createRowsFieldSerialiser(name, rowsOf, inner))
      hideable.push(...inner.hideable.map(({ path, target }) => ({ path: [at, ...path] as const, target })))
      readers.push((row, to) => (to[name] = rowsOf(row).map(inner.row)))
      continue
    }
    const at = columns.push(f.sql ?? selectExpression(r, f, name)) - 1
    const value = f.kind === 'instant' ? (row: RowArray) => isoInstant(row[at]) : (row: RowArray) => row[at]
    readers.push((row, to) => {
      to[name] = value(row)
    })
    if (f.kind !== 'link') {
      // A missing list is read as empty.
      parts.push(createPlainFieldSerialiser(name, f.kind === 'strings' ? (row) => row[at] ?? [] : value))
      continue
    }
    const target = (f.target as () => Resource)()
    if (f.hideUnreadable) hideable.push({ path: [at], target })
    const hidden = isHiddenProviderReference(r, f, actor) ? PROVIDER_CLIENT_ID : null
    const idOf = (row: RowArray) => (row[at] === hidden ? null : (row[at] as number | null))
    if (!f.embed) {
      parts.push(
        createPlainFieldSerialiser(name, (row) => {
          const id = idOf(row)
          return id === null ? null : iriOf(target, id)
        }),
      )
      continue
    }
    const alias = `j${joins.length}`
    const same = sameTenantCondition(r.tenant, target, alias, 't')
    joins.push(` LEFT JOIN ${target.table} ${alias} ON ${alias}.id = t.${r.columns[name]}${same}`)
    const withheld = (key: string) => list && f.embedFor?.fields.includes(key)
    const inner = [...f.embed, ...(list ? [] : fieldsForEmbedRules(f))].map((key) => {
      const cell = withheld(key) ? 'NULL' : embeddedFieldSql(r, f, key, alias)
      return [key, columns.push(cell) - 1] as const
    })
    parts.push(createEmbeddedFieldSerialiser(name, target, idOf, inner))
  }
  const select = columns.join(', ')
  return {
    select: outsideSearch(select),
    searchSelect: (text, reader) => fillIn(select, text, reader),
    joins: joins.join(''),
    hasSubqueries: select.includes('(SELECT '),
    hideable,
    ...createRecordSerialiser(r, parts),
    row: (row) => {
      const to: Row = { id: row[0] as number, clientId: row[1] as number }
      for (const s of readers) s(row, to)
      return to
    },
  }
}

/** Returns the defaults of a new record, or of an action's input. */
export const defaultValuesOf = cachePerDeclaration(
  (fields: Fields): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([n, f]) => (f.default === undefined || f.readonly ? [] : [[n, f.default]])),
    ),
)

/** Returns the condition for the table's rows that belong to the resource, as the end of a WHERE clause over `t`. */
export const resourceRowsConditionSql = (r: Resource): string =>
  Object.entries(r.only ?? {})
    .map(([column, value]) => ` AND t.${column} = '${value}'`)
    .join('')

/** Converts values by field name to values by column, for `jsonb_populate_recordset`. Missing values become null. */
export const toColumnValues = (r: Resource, values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(r.columns).map(([name, column]) => {
      const value = values[name] ?? null
      const seconds = r.fields[name]?.kind === 'unixSeconds' && typeof value === 'number'
      return [column, seconds ? new Date((value as number) * 1000).toISOString() : value]
    }),
  )

/** Returns the placeholder `$n` with the cast that the field needs. */
export function castPlaceholder(f: Field, n: number): string {
  switch (f.kind) {
    case 'unixSeconds':
      return `to_timestamp($${n}::double precision)`
    case 'instant':
      return `$${n}::timestamptz`
    case 'date':
      return `$${n}::date`
    case 'json':
      // No cast: PostgreSQL infers jsonb or json from the column.
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
