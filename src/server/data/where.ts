import type { Field } from '#kernel/fields.ts'
import type { Resource, RowOf } from '#kernel/resource.ts'
import { castPlaceholder, resourceRowsConditionSql } from './plan.ts'
import type { BoundValues } from './values.ts'

type Next = BoundValues['next']

/** Field values that select records: one value, any of several, or null. */
export type Where<R extends Resource> = {
  readonly [K in keyof RowOf<R>]?: RowOf<R>[K] | readonly NonNullable<RowOf<R>[K]>[] | null
}

/** Returns the SQL conditions of a `Where` over `t`, without the tenant condition. */
export function whereConditionSql(r: Resource, where: Readonly<Record<string, unknown>>, next: Next): string {
  const terms = Object.entries(where).map(([name, value]) => {
    const field: Field | undefined = name === 'id' ? { kind: 'integer' } : r.fields[name]
    const column = name === 'id' ? 'id' : r.columns[name]
    if (!field || !column) throw new TypeError(`${r.type} has no column for "${name}"`)
    if (value === undefined) throw new TypeError(`The condition on ${r.type}.${name} has no value`)
    if (value === null) return ` AND t.${column} IS NULL`
    if (Array.isArray(value)) return ` AND t.${column} = ANY(${castOf(field, next(value))}[])`
    if (field.kind === 'flag') return ` AND ${value ? '' : 'NOT '}t.${column}`
    return ` AND t.${column} = ${castPlaceholder(field, Number(next(value).slice(1)))}`
  })
  return `${resourceRowsConditionSql(r)}${terms.join('')}`
}

const castOf = (f: Field, place: string) => castPlaceholder(f, Number(place.slice(1)))

/** Returns the SQL condition for the rows of the transaction's tenant and, with `templates`, for templates. */
export function tenantConditionSql(r: Resource, clientId: number, next: Next, templates: boolean): string {
  if (r.tenant === 'shared') return 'true'
  if (r.tenant === 'self') return `t.id = ${next(clientId)}::int`
  const mine = next(clientId)
  return r.tenant === 'own or template' && templates ? `t.client_id IN (${mine}::int, 0)` : `t.client_id = ${mine}::int`
}
