import { scopeOf } from '#kernel/can.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { accessCondition } from '#server/data/access-sql.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { titlesOf } from '#server/data/titles.ts'
import type { Values } from '#server/data/values.ts'
import type { Conn } from '#server/db/db.ts'
import { type ExportColumn, idOfRelation, type RelatedTitleLookup } from './columns.ts'

/** Reads the titles of related records, except those already sent with the relation. */
export async function readRelatedTitles(
  conn: Conn,
  actor: Actor,
  columns: readonly ExportColumn[],
  records: readonly ApiRecord[],
  clients: readonly number[],
): Promise<RelatedTitleLookup> {
  const found = new Map<Resource, ReadonlyMap<number, string>>()
  const wanted = Map.groupBy(
    columns.filter(({ field }) => field.kind === 'link' && !hasTitle(field.embed, targetOf(field))),
    ({ field }) => targetOf(field),
  )
  for (const [target, named] of wanted) {
    const ids = named.flatMap(({ name, field }) => records.flatMap((record) => idOfRelation(field, record[name]) ?? []))
    found.set(target, await titlesOf(conn, actor, target, ids, clients))
  }
  return (target, id) => found.get(target)?.get(id)
}

/** SELECT statement for all titles that the reader may read; `undefined` if there are none. */
export function relatedTitlesSql(actor: Actor, target: Resource, v: Values): string | undefined {
  const reach = accessCondition(target, scopeOf(actor, 'read', target), actor, v)
  if (reach === undefined || !target.title) return undefined
  const owner = target.tenant === 'own' || target.tenant === 'own or template' ? ', t.client_id' : ''
  return `SELECT t.id${owner}, t.${target.columns[target.title]} AS title FROM ${target.table} t WHERE ${reach}`
}

const targetOf = (field: ExportColumn['field']) => (field.target as () => Resource)()
const hasTitle = (embed: readonly string[] | undefined, r: Resource) => !!r.title && !!embed?.includes(r.title)
