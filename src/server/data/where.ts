import type { Field } from '#kernel/fields.ts'
import type { Resource, RowOf } from '#kernel/resource.ts'
import { boundValue, onlyOf } from './plan.ts'
import type { Values } from './values.ts'

type Next = Values['next']

/** Records by field values: one value, any of several, or null. */
export type Where<R extends Resource> = {
  readonly [K in keyof RowOf<R>]?: RowOf<R>[K] | readonly NonNullable<RowOf<R>[K]>[] | null
}

/** The conditions of a `Where` over `t`, without the tenant's. */
export function whereText(r: Resource, where: Readonly<Record<string, unknown>>, next: Next): string {
  const terms = Object.entries(where).map(([name, value]) => {
    const field: Field | undefined = name === 'id' ? { kind: 'integer' } : r.fields[name]
    const column = name === 'id' ? 'id' : r.columns[name]
    if (!field || !column) throw new TypeError(`${r.type} has no column for "${name}"`)
    if (value === undefined) throw new TypeError(`${r.type}.${name} is looked for without a value`)
    if (value === null) return ` AND t.${column} IS NULL`
    if (Array.isArray(value)) return ` AND t.${column} = ANY(${castOf(field, next(value))}[])`
    if (field.kind === 'flag') return ` AND ${value ? '' : 'NOT '}t.${column}`
    return ` AND t.${column} = ${boundValue(field, Number(next(value).slice(1)))}`
  })
  return `${onlyOf(r)}${terms.join('')}`
}

const castOf = (f: Field, place: string) => boundValue(f, Number(place.slice(1)))

/** The rows of the transaction's tenant; templates too, for reading. */
export function tenantText(r: Resource, clientId: number, next: Next, templates: boolean): string {
  if (r.tenant === 'shared') return 'true'
  if (r.tenant === 'self') return `t.id = ${next(clientId)}::int`
  const mine = next(clientId)
  return r.tenant === 'own or template' && templates ? `t.client_id IN (${mine}::int, 0)` : `t.client_id = ${mine}::int`
}

/**
 * Locks the records that come before rows over `t`, as the end of the conditions of a locking query: PostgreSQL evaluates it before it
 * locks a row, and then reads the row anew.
 */
export const lockFirstText = ({ lockFirst }: Resource): string =>
  lockFirst ? ` AND ${lockFirst.call}(${lockFirst.of.map((column) => `t.${column}`).join(', ')})` : ''
