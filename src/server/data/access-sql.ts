import { type AccessScope, accessScopeFor } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { idFromIri, type Resource } from '#kernel/resource.ts'
import { type Actor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { RecordInput, RelationReference, RowInput } from './input.ts'
import type { RowArray } from './json-select.ts'
import { type Row, resourceRowsConditionSql, type SelectPlan, sameTenantCondition } from './plan.ts'
import { rowConditionSql } from './row-condition-sql.ts'
import { simplifyConditionForRows, simplifyConditionForTenant } from './simplify-for-tenant.ts'
import { BoundValues, prepareSql } from './values.ts'

type Next = Pick<BoundValues, 'next'>

/** A condition that selects the rows of one owner. */
interface OwnedRows {
  readonly condition: string
  /** The client's ID, if the condition applies to one client's rows. */
  readonly owner?: number
}

/**
 * Returns the access conditions over `t`, which no filter can widen: one condition, or two (one for a client's own rows
 * and one for templates), each with its own index. Returns `undefined` if the actor may read nothing.
 */
export function buildAccessConditions(
  r: Resource,
  scope: AccessScope,
  actor: Actor | undefined,
  v: Next,
): readonly [string, ...string[]] | undefined {
  const owned = ownersOf(r, scope, actor, v)
  if (!owned) return undefined
  const narrow = scopeCondition(r, scope, actor, v)
  const [first, ...more] = owned
  return [narrow(first), ...more.map(narrow)]
}

/**
 * Returns the access conditions combined into one, for queries that use a single index; `undefined` if the actor may
 * read nothing.
 */
export function buildCombinedAccessCondition(
  r: Resource,
  scope: AccessScope,
  actor: Actor | undefined,
  v: Next,
): string | undefined {
  const owned = ownersOf(r, scope, actor, v)
  return owned && scopeCondition(r, scope, actor, v)(owned.length === 1 ? owned[0] : { condition: owned[1].together })
}

interface Templates extends OwnedRows {
  readonly together: string
}

function ownersOf(
  r: Resource,
  scope: AccessScope,
  actor: Actor | undefined,
  v: Next,
): readonly [OwnedRows] | readonly [OwnedRows, Templates] | undefined {
  if (scope.tenants === 'none') return undefined
  if (scope.tenants === 'all' || !actor) return [{ condition: 'true' }]
  const column = r.tenant === 'self' ? 't.id' : 't.client_id'
  const me = v.next(actor.clientId)
  if (scope.tenants === 'resold')
    return [{ condition: `${column} IN (SELECT id FROM client WHERE reseller_id = ${me}::int OR id = ${me}::int)` }]
  const own = { condition: `${column} = ${me}::int`, owner: actor.clientId }
  if (scope.tenants === 'own' || actor.clientId === PROVIDER_CLIENT_ID) return [own]
  const together = `${column} IN (${me}::int, ${PROVIDER_CLIENT_ID})`
  return [own, { condition: `${column} = ${PROVIDER_CLIENT_ID}`, owner: PROVIDER_CLIENT_ID, together }]
}

/** Returns a function that builds the conditions of a scope, simplified for rows of a known owner. */
function scopeCondition(r: Resource, scope: AccessScope, actor: Actor | undefined, v: Next): (of: OwnedRows) => string {
  const ids = scope.ids ? ` AND t.id = ANY(${v.next(scope.ids)}::bigint[])` : ''
  return ({ condition, owner }) => {
    const only = scope.only && actor ? scope.only : true
    const left =
      typeof only === 'object' && actor && owner !== undefined
        ? simplifyConditionForTenant(r, only, actor, owner)
        : only
    const rule =
      typeof left === 'object' && actor ? ` AND ${rowConditionSql(r, left, actor, v)}` : left ? '' : ' AND false'
    return `${condition}${ids}${rule}${resourceRowsConditionSql(r)}`
  }
}

/**
 * Returns SQL that selects the record related to `t`, within the actor's access. The SQL is the end of a subquery that
 * begins with `SELECT`; inside the subquery, `t` is the related record. Returns `undefined` if the actor may read no
 * such record.
 */
export function relatedRecordSql(
  r: Pick<Resource, 'tenant'>,
  target: Resource,
  column: string,
  actor: Actor | undefined,
  v: Pick<BoundValues, 'next'>,
): string | undefined {
  const reach = buildCombinedAccessCondition(target, accessScopeFor(actor, 'read', target), actor, v)
  if (reach === undefined) return undefined
  const same = sameTenantCondition(r.tenant, target, 't', 'o')
  return `FROM (SELECT ${column} AS it${same && ', t.client_id'}) o JOIN ${target.table} t ON t.id = o.it${same} WHERE ${reach}`
}

/**
 * Returns the access scope for rows of `target` that refer, through the relation `by`, to a record of `r` that the
 * actor may already read. Access to that record is not checked again.
 */
function scopeOfRows(r: Resource, target: Resource, by: string, actor: Actor | undefined): AccessScope {
  const { only, ...scope } = accessScopeFor(actor, 'read', target, { within: true })
  const left = only && simplifyConditionForRows(target, only, { by, record: r })
  if (left === false) return { tenants: 'none' }
  return left && left !== true ? { ...scope, only: left } : scope
}

/**
 * Returns SQL that selects the rows that refer to the record `t`, within the actor's access. Leaves out retired rows.
 */
export function referringRowsSql(
  r: Resource,
  target: Resource,
  by: string,
  actor: Actor | undefined,
  v: Pick<BoundValues, 'next'>,
): string {
  const reach = buildCombinedAccessCondition(target, scopeOfRows(r, target, by, actor), actor, v) ?? 'false'
  const same = r.tenant === 'shared' || target.tenant === 'shared' ? '' : ' AND t.client_id = o.client_id'
  const unretired = target.columns.retired ? ` AND NOT t.${target.columns.retired}` : ''
  return `FROM (SELECT t.id AS it${same && ', t.client_id'}) o JOIN ${target.table} t ON t.${target.columns[by]} = o.it${same} WHERE ${reach}${unretired}`
}

/**
 * True if the foreign key itself rejects every record that the actor can't access, because the target is shared, or
 * belongs to the actor's own tenant and is fully readable by them. A test checks that every relation has a foreign key.
 */
const isCheckedByForeignKey = (actor: Actor | undefined, { target, id }: RelationReference): boolean => {
  const scope = accessScopeFor(actor, 'read', target)
  return (
    id !== undefined &&
    !scope.only &&
    !scope.ids &&
    !target.only &&
    (target.tenant === 'shared' ? scope.tenants !== 'none' : scope.tenants === 'own' && target.tenant === 'own')
  )
}

/**
 * Returns the IDs of the records referenced in a body, by field, without checking access; `undefined` if any record is
 * given by its alias.
 */
export const referenceIdsByField = (references: readonly RelationReference[]): Record<string, number> | undefined =>
  references.every(({ id }) => id !== undefined)
    ? Object.fromEntries(references.map(({ field, id }) => [field, id as number]))
    : undefined

/**
 * Returns the IDs of the records referenced in a body, by field. Throws 400 if a reference is unknown or the actor
 * can't access its record, unless the record to change (`stored`) already has that reference.
 */
export async function findReferencedIds(
  conn: Pick<SqlConn, 'arrays'>,
  actor: Actor | undefined,
  references: readonly RelationReference[],
  stored?: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<Record<string, number>> {
  const known = Object.fromEntries(
    references.flatMap((ref) => (isCheckedByForeignKey(actor, ref) ? [[ref.field, ref.id as number]] : [])),
  )
  const sought = references.filter((ref) => !(ref.field in known))
  if (!sought.length) return known
  const v = new BoundValues()
  const parts = sought.map(({ target, id, alias }) => {
    const reach = buildCombinedAccessCondition(target, accessScopeFor(actor, 'read', target), actor, v)
    if (reach === undefined) return 'NULL::bigint'
    const key =
      id === undefined
        ? `lower(t.${target.columns[target.alias as string]}) = lower(${v.next(alias)}::text)`
        : `t.id = ${v.next(id)}::bigint`
    return `(SELECT t.id FROM ${target.table} t WHERE ${reach} AND ${key} LIMIT 1)`
  })
  const [row = []] = await conn.arrays(prepareSql(`SELECT ${parts.join(', ')}`), v.list)
  for (const [i, ref] of sought.entries()) {
    const id = row[i] ?? (await stored?.())?.[ref.field]
    if (id === null || id === undefined || (row[i] == null && id !== ref.id)) throw problem.unknownTarget(ref.given)
    known[ref.field] = Number(id)
  }
  return known
}

/** Returns those of the given IDs whose records the actor may read. */
export async function filterReadableIds(
  conn: SqlConn,
  actor: Actor | undefined,
  r: Resource,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const v = new BoundValues()
  const text = readableIdsSql(actor, r, ids, v)
  return new Set(text ? (await conn.arrays(prepareSql(text), v.list)).map(([id]) => Number(id)) : [])
}

/** Returns SQL for those of the given IDs whose records the actor may read; `undefined` if there can be none. */
function readableIdsSql(
  actor: Actor | undefined,
  r: Resource,
  ids: readonly number[],
  v: BoundValues,
): string | undefined {
  const reach = ids.length ? buildCombinedAccessCondition(r, accessScopeFor(actor, 'read', r), actor, v) : undefined
  if (reach === undefined) return undefined
  return `SELECT t.id FROM ${r.table} t WHERE ${reach} AND t.id = ANY(${v.next([...new Set(ids)])}::bigint[])`
}

type Path = SelectPlan['hideable'][number]['path']

/** Returns the references at a position of a row, or in its rows. */
const referencesAt = (row: RowArray, [at, ...more]: Path): number[] =>
  more.length
    ? (row[at] as RowArray[]).flatMap((inner) => referencesAt(inner, more as unknown as Path))
    : row[at] === null
      ? []
      : [Number(row[at])]

/** Returns the row with null for those references at a position that are not known. */
const hideAt = (row: RowArray, [at, ...more]: Path, known: ReadonlySet<number>): RowArray =>
  row.with(
    at,
    more.length
      ? (row[at] as RowArray[]).map((inner) => hideAt(inner, more as unknown as Path, known))
      : known.has(Number(row[at]))
        ? row[at]
        : null,
  )

/**
 * Returns the rows with null for references whose records the actor can't read, if their fields say so. Includes
 * references in the rows of a record.
 */
export async function hideUnreadableReferences(
  conn: SqlConn,
  actor: Actor | undefined,
  { hideable }: Pick<SelectPlan, 'hideable'>,
  rows: readonly RowArray[],
): Promise<readonly RowArray[]> {
  if (!actor || actor.kind) return rows
  let shown = rows
  for (const [target, places] of Map.groupBy(hideable, (one) => one.target)) {
    const ids = rows.flatMap((row) => places.flatMap(({ path }) => referencesAt(row, path)))
    const known = await filterReadableIds(conn, actor, target, ids)
    shown = shown.map((row) => places.reduce((hidden, { path }) => hideAt(hidden, path, known), row))
  }
  return shown
}

/**
 * Returns the rows of a body without the relations that they clear although the actor can't read the records to which
 * they refer: these were sent as null.
 */
export async function keepHiddenRowReferences(
  conn: SqlConn,
  actor: Actor,
  r: Resource,
  input: RecordInput,
  before: Readonly<Record<string, unknown>>,
): Promise<RecordInput> {
  const kept: Record<string, readonly RowInput[]> = {}
  for (const [field, given] of Object.entries(input.rows)) {
    const target = ((r.fields[field] as Field).target as () => Resource)()
    const stored = new Map((before[field] as Row[]).map((row) => [row.id, row]))
    const idOf = ({ iri, id }: RowInput) => (iri === undefined ? id : Number(idFromIri(target, iri)))
    let rows = given
    for (const [name, f] of Object.entries<Field>(target.fields)) {
      if (!f.hideUnreadable) continue
      const clearedBy = (row: RowInput) => (row.values[name] === null ? stored.get(idOf(row) ?? 0)?.[name] : null)
      const ids = rows.flatMap((row) => Number(clearedBy(row) ?? 0) || [])
      const known = await filterReadableIds(conn, actor, (f.target as () => Resource)(), ids)
      rows = rows.map((row) => {
        const cleared = clearedBy(row)
        if (typeof cleared !== 'number' || known.has(cleared)) return row
        const { [name]: _, ...values } = row.values
        return { ...row, values }
      })
    }
    kept[field] = rows
  }
  return { ...input, rows: kept }
}

/**
 * Returns the names of the relations that a body clears although the actor can't read the records to which they refer:
 * these were sent as null.
 */
export async function findHiddenReferences(
  conn: SqlConn,
  actor: Actor,
  r: Resource,
  values: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const hidden: string[] = []
  for (const [name, f] of Object.entries<Field>(r.fields)) {
    const id = stored[name]
    if (!f.hideUnreadable || values[name] !== null || typeof id !== 'number') continue
    if (!(await filterReadableIds(conn, actor, (f.target as () => Resource)(), [id])).has(id)) hidden.push(name)
  }
  return hidden
}

/**
 * Returns the IDs of the records referenced by many rows, with one query for all IDs. Leaves out unknown and
 * inaccessible references. Throws 400 for an unknown alias. Sends all at once: the caller's transaction may be waiting.
 */
export async function findIdsReferencedByRows(
  conn: SqlConn,
  actor: Actor | undefined,
  references: readonly RelationReference[],
): Promise<ReadonlyMap<RelationReference, number>> {
  const found = new Map<RelationReference, number>()
  const numbered = Map.groupBy(
    references.filter((ref) => ref.id !== undefined),
    (ref) => ref.target,
  )
  const v = new BoundValues()
  const texts = [...numbered].flatMap(([target, refs], n) => {
    const ids = refs.flatMap(({ id }) => id ?? [])
    const text = readableIdsSql(actor, target, ids, v)
    return text ? [`SELECT ${n}, i.id FROM (${text}) i`] : []
  })
  const byNumber = async () => {
    const rows = texts.length ? await conn.arrays(prepareSql(texts.join(' UNION ALL ')), v.list) : []
    const known = new Set(rows.map(([n, id]) => `${Number(n)} ${Number(id)}`))
    for (const [n, refs] of [...numbered.values()].entries())
      for (const ref of refs) if (known.has(`${n} ${ref.id}`)) found.set(ref, ref.id as number)
  }
  const byAlias = references
    .filter((ref) => ref.id === undefined)
    .map(async (ref) => found.set(ref, (await findReferencedIds(conn, actor, [ref]))[ref.field] as number))
  await Promise.all([byNumber(), ...byAlias])
  return found
}
