import { scopeOf } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Conn } from '#server/db/db.ts'
import { accessCondition } from './access-sql.ts'
import type { Reference } from './input.ts'
import { prepare, Values } from './values.ts'

/**
 * Whether the foreign key itself refuses what the actor can't access. It does where the target is shared, or of the actor's own tenant and
 * open to them as a whole: a test checks that every relation has one.
 */
const isCheckedByForeignKey = (actor: Actor | undefined, { target, id }: Reference): boolean => {
  const scope = scopeOf(actor, 'read', target)
  return (
    id !== undefined &&
    !scope.only &&
    !scope.ids &&
    !target.only &&
    (target.tenant === 'shared' ? scope.tenants !== 'none' : scope.tenants === 'own' && target.tenant === 'own')
  )
}

/** The ids in a body, accessible or not; `undefined` where one is given by its alias. */
export const givenIds = (references: readonly Reference[]): Record<string, number> | undefined =>
  references.every(({ id }) => id !== undefined)
    ? Object.fromEntries(references.map(({ field, id }) => [field, id as number]))
    : undefined

/** Resolves the references of a body, within the actor's access. An inaccessible one counts as unknown: 400. */
export async function findReferences(
  conn: Pick<Conn, 'arrays'>,
  actor: Actor | undefined,
  references: readonly Reference[],
): Promise<Record<string, number>> {
  const known = Object.fromEntries(
    references.flatMap((ref) => (isCheckedByForeignKey(actor, ref) ? [[ref.field, ref.id as number]] : [])),
  )
  const sought = references.filter((ref) => !(ref.field in known))
  if (!sought.length) return known
  const v = new Values()
  const parts = sought.map(({ target, id, alias }) => {
    const reach = accessCondition(target, scopeOf(actor, 'read', target), actor, v)
    if (reach === undefined) return 'NULL::bigint'
    const key =
      id === undefined
        ? `lower(t.${target.columns[target.alias as string]}) = lower(${v.next(alias)}::text)`
        : `t.id = ${v.next(id)}::bigint`
    return `(SELECT t.id FROM ${target.table} t WHERE ${reach} AND ${key} LIMIT 1)`
  })
  const [row = []] = await conn.arrays(prepare(`SELECT ${parts.join(', ')}`), v.list)
  sought.forEach((ref, i) => {
    if (row[i] === null || row[i] === undefined) throw problem.unknownTarget(ref.given)
    known[ref.field] = Number(row[i])
  })
  return known
}

/** The given ids whose records the actor may read. */
export async function readableIds(
  conn: Conn,
  actor: Actor | undefined,
  r: Resource,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const v = new Values()
  const reach = accessCondition(r, scopeOf(actor, 'read', r), actor, v)
  if (reach === undefined || !ids.length) return new Set()
  const text = `SELECT t.id FROM ${r.table} t WHERE ${reach} AND t.id = ANY(${v.next([...new Set(ids)])}::bigint[])`
  return new Set((await conn.arrays(prepare(text), v.list)).map(([id]) => Number(id)))
}

/**
 * The ids of many references, each target queried once; inaccessible ones count as unknown: 400. All queries are sent before the first
 * answer: a transaction that begins meanwhile may wait for them.
 */
export async function findReferencesOfRows(
  conn: Conn,
  actor: Actor | undefined,
  references: readonly Reference[],
): Promise<ReadonlyMap<Reference, number>> {
  const found = new Map<Reference, number>()
  const numbered = Map.groupBy(
    references.filter((ref) => ref.id !== undefined),
    (ref) => ref.target,
  )
  const byNumber = [...numbered].map(async ([target, refs]) => {
    const ids = refs.map((ref) => ref.id as number)
    const known = await readableIds(conn, actor, target, ids)
    for (const ref of refs) {
      if (!known.has(ref.id as number)) throw problem.unknownTarget(ref.given)
      found.set(ref, ref.id as number)
    }
  })
  const byAlias = references
    .filter((ref) => ref.id === undefined)
    .map(async (ref) => found.set(ref, (await findReferences(conn, actor, [ref]))[ref.field] as number))
  await Promise.all([...byNumber, ...byAlias])
  return found
}
