import { scopeOf } from '#kernel/can.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Sent } from '#server/data/plan.ts'
import { prepare, Values } from '#server/data/values.ts'
import { wall } from '#server/data/wall.ts'
import type { Conn } from '#server/db/db.ts'
import { type ExportColumn, idOfLink, type TitleOf } from './columns.ts'

/** Reads what the records are called that these relations lead to, as far as the actor may read them. */
export async function readTitles(
  conn: Conn,
  actor: Actor,
  columns: readonly ExportColumn[],
  records: readonly Sent[],
  clients: readonly number[],
): Promise<TitleOf> {
  const found = new Map<Resource, Map<number, string>>()
  const wanted = Map.groupBy(
    columns.filter(({ field }) => field.kind === 'link' && !hasTitle(field.embed, target(field))),
    ({ field }) => target(field),
  )
  for (const [resource, named] of wanted) {
    const ids = named.flatMap(({ name, field }) => records.flatMap((record) => idOfLink(field, record[name]) ?? []))
    if (resource.title && ids.length) found.set(resource, await titlesOf(conn, actor, resource, ids, clients))
  }
  return (resource, id) => found.get(resource)?.get(id)
}

const target = (field: ExportColumn['field']) => (field.target as () => Resource)()
const hasTitle = (embed: readonly string[] | undefined, r: Resource) => !!r.title && !!embed?.includes(r.title)

async function titlesOf(
  conn: Conn,
  actor: Actor,
  r: Resource,
  ids: readonly number[],
  clients: readonly number[],
): Promise<Map<number, string>> {
  const v = new Values()
  const reach = wall(r, scopeOf(actor, 'read', r), actor, v)
  if (reach === undefined) return new Map()
  // Keys begin with the tenant: relations lead to the tenant's own records and to the provider's templates.
  const among =
    r.tenant === 'shared' || r.tenant === 'self'
      ? ''
      : ` AND t.client_id = ANY(${v.next([...new Set([0, ...clients])])}::int[])`
  const text = `SELECT t.id, t.${r.columns[r.title as string]} FROM ${r.table} t WHERE ${reach}${among} AND t.id = ANY(${v.next([...new Set(ids)])}::bigint[])`
  const rows = await conn.arrays(prepare(text), v.list)
  return new Map(rows.flatMap(([id, title]) => (typeof title === 'string' && title ? [[Number(id), title]] : [])))
}
