import { accessScopeFor } from '#kernel/can.ts'
import type { Field } from '#kernel/fields.ts'
import { type Resource, resourcesWithEmails, type Tenancy } from '#kernel/resource.ts'
import { type Actor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { listActorIdentifiers, type RowCondition } from '#kernel/row-rules.ts'
import { sameTenantCondition } from './plan.ts'
import type { BoundValues } from './values.ts'

type Next = Pick<BoundValues, 'next'>

/**
 * Returns a row condition as SQL. Counterpart of `meetsRowCondition` in the kernel; a test compares the results of the
 * two.
 */
export function rowConditionSql(
  r: Pick<Resource, 'fields' | 'columns' | 'tenant'>,
  c: RowCondition,
  actor: Actor,
  v: Next,
  table = 't',
): string {
  if ('any' in c)
    return c.any.length ? `(${c.any.map((one) => rowConditionSql(r, one, actor, v, table)).join(' OR ')})` : 'false'
  if ('all' in c)
    return c.all.length ? `(${c.all.map((one) => rowConditionSql(r, one, actor, v, table)).join(' AND ')})` : 'true'
  if ('used' in c) return referenceText(c, actor, v, table)
  if ('named' in c) return listedIdText(c, actor, v, table)
  const field: Field | undefined = c.field === 'id' ? { kind: 'integer' } : r.fields[c.field]
  const column = c.field === 'id' ? `${table}.id` : `${table}.${r.columns[c.field]}`
  if (!field || (c.field !== 'id' && !r.columns[c.field]))
    throw new Error(`A row rule refers to "${c.field}", which is not a column`)
  // Evaluated once per statement rather than for each row.
  if ('setOf' in c)
    return `${column} = ANY(ARRAY(SELECT ${c.setOf}(${v.next(actor.clientId)}::int, ${v.next(actor.userId)}::bigint)))`
  if ('whose' in c) return relatedConditionText(c, (field.target as () => Resource)(), column, actor, v, table)
  const textual = field.kind === 'text' || field.kind === 'choice'
  if ('among' in c) {
    const words = v.next(c.among.filter((word) => word !== ''))
    return c.not ? `(${column} <> '' AND ${column} <> ALL(${words}::text[]))` : `${column} = ANY(${words}::text[])`
  }
  if (c.is === "nobody's") return textual ? `coalesce(${column}, '') = ''` : `${column} IS NULL`
  if (c.is === 'off') return `${column} = false`
  // Written without a parameter, so that PostgreSQL can use a partial index on the flag.
  if (c.is === 'on') return column
  if (c.is === "the provider's") return `${column} = ${PROVIDER_CLIENT_ID}`
  if (c.is === "my company's") return `${column} = ${v.next(actor.clientId)}::int`
  if (c.is === 'for me') return `(${column} = '{}' OR ${column} && ${v.next(actor.roles)}::text[])`
  if (c.is === 'readable') {
    const target = c.as?.() ?? (field.target as () => Resource)()
    return readableText(r.tenant, target, column, actor, v, table)
  }
  if (c.is === 'address of readable') return readableAddressText(r.tenant, column, actor, v, table)
  const people = c.is === "my team's" ? [actor.userId, ...(actor.team ?? [])] : listActorIdentifiers(actor, field.kind)
  if (c.is === "others'") {
    const others = `${column} <> ALL(${v.next(people)}::${textual ? 'text' : 'bigint'}[])`
    return textual ? `(${column} <> '' AND ${others})` : others
  }
  return people.length === 1
    ? `${column} = ${v.next(people[0])}::${textual ? 'text' : 'bigint'}`
    : `${column} = ANY(${v.next(people)}::${textual ? 'text' : 'bigint'}[])`
}

/** Returns the condition that the actor may read the related record, under the related record's own access rules. */
function readableText(from: Tenancy, target: Resource, column: string, actor: Actor, v: Next, table: string): string {
  const inner = `${table}r`
  const rules = rulesOf(target, actor, v, inner)
  if (!rules) return 'false'
  if (!rules.length) return `${column} IS NOT NULL`
  return `EXISTS (SELECT 1 FROM ${target.table} ${inner} WHERE ${inner}.id = ${column}${sameTenantCondition(from, target, inner, table)} AND ${rules.join(' AND ')})`
}

/**
 * Returns the condition that a column is empty, or contains the address of a record that the actor may read. Nobody
 * reads rows with any other address.
 */
function readableAddressText(from: Tenancy, column: string, actor: Actor, v: Next, table: string): string {
  const inner = `${table}a`
  const cases = resourcesWithEmails().flatMap((target) => {
    const rules = rulesOf(target, actor, v, inner)
    if (!rules) return []
    const key = target.emails === 'id' ? 'id' : target.columns[target.emails as string]
    const address = target.emails === 'id' ? `'/([0-9]{1,15})$'` : `'[?]${target.emails}=([^&]*)$'`
    const value = `substring(${column} from ${address})${key === 'id' ? '::bigint' : ''}`
    const same = sameTenantCondition(from, target, inner, table)
    const those = [`${inner}.${key} = ${value}${same}`, ...rules].join(' AND ')
    return `WHEN '${target.url}' THEN ${rules.length ? `EXISTS (SELECT 1 FROM ${target.table} ${inner} WHERE ${those})` : 'true'}`
  })
  const url = `regexp_replace(coalesce(${column}, ''), '[/?][^/?]*$', '')`
  return `CASE ${url} WHEN '' THEN true ${cases.join(' ')} ELSE false END`
}

/**
 * Returns the actor's row rules for a resource, in addition to the tenant; `undefined` if the actor may read nothing.
 */
function rulesOf(target: Resource, actor: Actor, v: Next, table: string): string[] | undefined {
  const { tenants, only } = accessScopeFor(actor, 'read', target)
  if (tenants === 'none') return undefined
  const kinds = Object.entries(target.only ?? {}).map(([name, value]) => `${table}.${name} = '${value}'`)
  return only ? [...kinds, rowConditionSql(target, only, actor, v, table)] : kinds
}

/**
 * Returns the condition on the related record itself, which is evaluated once per statement rather than for each row.
 */
function relatedConditionText(
  { whose }: Extract<RowCondition, { whose: unknown }>,
  target: Resource,
  column: string,
  actor: Actor,
  v: Next,
  table: string,
): string {
  const inner = `${table}w`
  const those = `${inner}.client_id = ${v.next(actor.clientId)}::int AND ${rowConditionSql(target, whose, actor, v, inner)}`
  return `${column} = ANY(ARRAY(SELECT ${inner}.id FROM ${target.table} ${inner} WHERE ${those}))`
}

/** Returns the condition that the row's ID is listed by some record that the actor may read. */
function listedIdText(c: Extract<RowCondition, { named: unknown }>, actor: Actor, v: Next, table: string): string {
  const target = c.named()
  const inner = `${table}n`
  const rules = rulesOf(target, actor, v, inner)
  if (!rules) return 'false'
  const ids = `${inner}.${c.column}`
  // Written so that PostgreSQL can use a partial index on the non-empty lists.
  const named = `${inner}.client_id IN (${table}.client_id, ${v.next(actor.clientId)}::int) AND ${ids} <> '{}' AND ${ids} @> ARRAY[${table}.id]`
  return `EXISTS (SELECT 1 FROM ${target.table} ${inner} WHERE ${[named, ...rules].join(' AND ')})`
}

/** Returns the condition that a table of references links the row to some record that the actor may read. */
function referenceText(
  { used, as, by }: Extract<RowCondition, { used: unknown }>,
  actor: Actor,
  v: Next,
  table: string,
): string {
  const between = used()
  const inner = `${table}u`
  const readable = rowConditionSql(between, { field: by, is: 'readable' }, actor, v, inner)
  return `EXISTS (SELECT 1 FROM ${between.table} ${inner} WHERE ${inner}.${between.columns[as]} = ${table}.id AND ${inner}.client_id IN (${table}.client_id, ${v.next(actor.clientId)}::int) AND ${readable})`
}
