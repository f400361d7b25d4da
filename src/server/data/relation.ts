import { type AccessScope, scopeOf } from '#kernel/can.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { accessCondition } from './access-sql.ts'
import { simplifyForRows } from './simplify-for-tenant.ts'
import { sameTenant } from './tenancy.ts'
import type { Values } from './values.ts'

/**
 * The related record of `t`, within the actor's access: the end of a subquery that begins with `SELECT`, in which the record is called `t`
 * in turn. `undefined`: the actor may read none of this kind.
 */
export function relatedText(
  r: Pick<Resource, 'tenant'>,
  target: Resource,
  column: string,
  actor: Actor | undefined,
  v: Pick<Values, 'next'>,
): string | undefined {
  const reach = accessCondition(target, scopeOf(actor, 'read', target), actor, v)
  if (reach === undefined) return undefined
  const same = sameTenant(r.tenant, target, 't', 'o')
  return `FROM (SELECT ${column} AS it${same && ', t.client_id'}) o JOIN ${target.table} t ON t.id = o.it${same} WHERE ${reach}`
}

/** The scope for rows of a record whose reader is the actor. */
function scopeOfRows(r: Resource, target: Resource, by: string, actor: Actor | undefined): AccessScope {
  const { only, ...scope } = scopeOf(actor, 'read', target, { within: true })
  const left = only && simplifyForRows(target, only, { by, record: r })
  if (left === false) return { tenants: 'none' }
  return left && left !== true ? { ...scope, only: left } : scope
}

/** The same for the rows that refer to the record `t`, without retired ones. */
export function rowsText(
  r: Resource,
  target: Resource,
  by: string,
  actor: Actor | undefined,
  v: Pick<Values, 'next'>,
): string {
  const reach = accessCondition(target, scopeOfRows(r, target, by, actor), actor, v) ?? 'false'
  const same = r.tenant === 'shared' || target.tenant === 'shared' ? '' : ' AND t.client_id = o.client_id'
  const unretired = target.columns.retired ? ` AND NOT t.${target.columns.retired}` : ''
  return `FROM (SELECT t.id AS it${same && ', t.client_id'}) o JOIN ${target.table} t ON t.${target.columns[by]} = o.it${same} WHERE ${reach}${unretired}`
}
