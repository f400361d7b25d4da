import { type Scope, scopeOf } from '#kernel/can.ts'
import type { Field } from '#kernel/fields.ts'
import type { Resource, Tenant } from '#kernel/resource.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import { type RowCondition, selves } from '#kernel/row-rules.ts'
import { onlyOf } from './plan.ts'
import { sameTenant } from './tenancy.ts'
import type { Values } from './values.ts'

type Next = Pick<Values, 'next'>

/**
 * What nobody can filter away, in fragments over `t`: whose rows, as one condition or, for the client's own and the
 * templates, as two that each have an index of their own; and what narrows all of them.
 */
export interface Wall {
  readonly tenants: readonly [string, ...string[]]
  /** The same as one condition that one index answers. */
  readonly together: string
  readonly rest: string
}

/** The wall of a scope. `undefined`: the actor sees nothing. */
export function wallOf(r: Resource, scope: Scope, actor: Actor | undefined, v: Next): Wall | undefined {
  const tenants = tenantsOf(r, scope, actor, v)
  if (!tenants) return undefined
  const ids = scope.ids ? ` AND t.id = ANY(${v.next(scope.ids)}::bigint[])` : ''
  const rule = scope.only && actor ? ` AND ${ruleText(r, scope.only, actor, v)}` : ''
  return { ...tenants, rest: `${ids}${rule}${onlyOf(r)}` }
}

/** The wall as one condition. */
export function wall(r: Resource, scope: Scope, actor: Actor | undefined, v: Next): string | undefined {
  const w = wallOf(r, scope, actor, v)
  return w && `${w.together}${w.rest}`
}

function tenantsOf(
  r: Resource,
  scope: Scope,
  actor: Actor | undefined,
  v: Next,
): Pick<Wall, 'tenants' | 'together'> | undefined {
  const one = (condition: string) => ({ tenants: [condition] as const, together: condition })
  if (scope.tenants === 'none') return undefined
  if (scope.tenants === 'all' || !actor) return one('true')
  const column = r.tenant === 'self' ? 't.id' : 't.client_id'
  const me = v.next(actor.clientId)
  if (scope.tenants === 'resold')
    return one(`${column} IN (SELECT id FROM client WHERE reseller_id = ${me}::int OR id = ${me}::int)`)
  if (scope.tenants === 'own' || actor.clientId === PROVIDER) return one(`${column} = ${me}::int`)
  return {
    tenants: [`${column} = ${me}::int`, `${column} = ${PROVIDER}`],
    together: `${column} IN (${me}::int, ${PROVIDER})`,
  }
}

/** A row condition as SQL, the twin of `meets` in the kernel: a test holds them to one answer. */
export function ruleText(
  r: Pick<Resource, 'fields' | 'columns' | 'tenant'>,
  c: RowCondition,
  actor: Actor,
  v: Next,
  table = 't',
): string {
  if ('any' in c)
    return c.any.length ? `(${c.any.map((one) => ruleText(r, one, actor, v, table)).join(' OR ')})` : 'false'
  if ('all' in c)
    return c.all.length ? `(${c.all.map((one) => ruleText(r, one, actor, v, table)).join(' AND ')})` : 'true'
  const field: Field | undefined = c.field === 'id' ? { kind: 'integer' } : r.fields[c.field]
  const column = c.field === 'id' ? `${table}.id` : `${table}.${r.columns[c.field]}`
  if (!field || (c.field !== 'id' && !r.columns[c.field]))
    throw new Error(`A row rule names "${c.field}", which is no column`)
  const textual = field.kind === 'text' || field.kind === 'choice'
  if ('among' in c) {
    const words = v.next(c.among.filter((word) => word !== ''))
    return c.not ? `(${column} <> '' AND ${column} <> ALL(${words}::text[]))` : `${column} = ANY(${words}::text[])`
  }
  if (c.is === "nobody's") return textual ? `coalesce(${column}, '') = ''` : `${column} IS NULL`
  if (c.is === 'off') return `${column} = false`
  // Written out, so that a partial index on the flag can answer.
  if (c.is === 'on') return column
  if (c.is === 'readable') return readableText(r.tenant, field, column, actor, v, table)
  const people = c.is === "my team's" ? [actor.userId, ...(actor.team ?? [])] : selves(actor, field.kind)
  if (c.is === "others'") {
    const others = `${column} <> ALL(${v.next(people)}::${textual ? 'text' : 'bigint'}[])`
    return textual ? `(${column} <> '' AND ${others})` : others
  }
  return people.length === 1
    ? `${column} = ${v.next(people[0])}::${textual ? 'text' : 'bigint'}`
    : `${column} = ANY(${v.next(people)}::${textual ? 'text' : 'bigint'}[])`
}

/** The record that a relation leads to is one that the actor may read, by its own rules. */
function readableText(from: Tenant, f: Field, column: string, actor: Actor, v: Next, table: string): string {
  const target = (f.target as () => Resource)()
  const { tenants, only } = scopeOf(actor, 'read', target)
  if (tenants === 'none') return 'false'
  const kinds = Object.entries(target.only ?? {})
  if (!only && !kinds.length) return `${column} IS NOT NULL`
  const inner = `${table}r`
  const rules = [
    ...kinds.map(([name, value]) => `${inner}.${name} = '${value}'`),
    ...(only ? [ruleText(target, only, actor, v, inner)] : []),
  ]
  return `EXISTS (SELECT 1 FROM ${target.table} ${inner} WHERE ${inner}.id = ${column}${sameTenant(from, target, inner, table)} AND ${rules.join(' AND ')})`
}
