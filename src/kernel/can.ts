import { type Field, readRoles } from './fields.ts'
import { packState } from './packs.ts'
import type { Resource, Verb } from './resource.ts'
import { type Actor, hasRole, PROVIDER, type Roles } from './roles.ts'
import { meetsRule, type RowCondition, ruleFor } from './row-rules.ts'

/** Which rows an actor reaches for a verb; the SQL compiler turns it into the WHERE that nobody can filter away. */
export interface Scope {
  readonly tenants: 'none' | 'own' | 'own or template' | 'resold' | 'all'
  /** Of those rows, the ones that meet it. */
  readonly only?: RowCondition
  /** Of those rows, these: what a link was given for. */
  readonly ids?: readonly number[]
}

const NOTHING: Scope = { tenants: 'none' }

/** The roles that a verb asks for. What a declaration does not grant, nobody has. */
const rolesFor = (r: Resource, verb: Verb): Roles => r.allow[verb] ?? (verb === 'read' ? 'member' : 'nobody')

/** Which rows may this actor see or change; `within`: with the record that they belong to? Pure: the server compiles it, the web asks it to show or hide. */
export function scopeOf(actor: Actor | undefined, verb: Verb, r: Resource, { within = false } = {}): Scope {
  const shared = r.tenant === 'shared'
  if (actor?.kind === 'system') return { tenants: shared ? 'all' : verb === 'read' ? readable(r) : 'own' }
  if (actor?.kind === 'bearer') return grantedScope(actor, verb, r)
  if (!hasRole(actor, rolesFor(r, verb)) || isBlockedByImpersonation(actor, verb, r) || isForVisits(actor, verb, r))
    return NOTHING
  if (shared) return sharedScope(actor, verb, r)
  if (!actor) return NOTHING
  const pack = packState(actor, r.pack)
  if (pack === 'none' || (pack === 'lapsed' && verb !== 'read')) return NOTHING
  const wide = actor.clientId === PROVIDER && r.allow.allTenants !== undefined && hasRole(actor, r.allow.allTenants)
  const only = ruleFor(r.allow.rows ?? [], actor, verb, { wide, within })
  const narrowed = only ? { only } : {}
  if (wide) return { tenants: 'all', ...narrowed }
  if (verb === 'read' && r.allow.resellerScope && hasRole(actor, r.allow.resellerScope))
    return { tenants: 'resold', ...narrowed }
  return { tenants: verb === 'read' ? readable(r) : 'own', ...narrowed }
}

/** Of which clients may a reseller know how many rows there are? Of those that they carry; what the rows say stays with them. */
export const resellerCountScope = (actor: Actor, r: Resource): Scope =>
  r.allow.resellerCounts !== undefined && !actor.kind && hasRole(actor, r.allow.resellerCounts)
    ? { tenants: 'resold' }
    : NOTHING

/** What is said to somebody who works as somebody else. */
export const NOT_WHILE_IMPERSONATING =
  'People do this themselves: nobody signs while working as somebody else. Leave first.'

/** Is it for the person themselves to do, and the actor only works as them? */
export const isBlockedByImpersonation = (actor: Actor | undefined, verb: Verb, r: Resource): boolean =>
  actor?.original !== undefined &&
  (r.allow.notWhileImpersonating as readonly Verb[] | undefined)?.includes(verb) === true

/** Is it for the provider's people while they work as somebody of a client, and the actor does not? */
const isForVisits = (actor: Actor | undefined, verb: Verb, r: Resource): boolean =>
  r.allow.onlyWhileImpersonating?.includes(verb) === true &&
  !(actor?.original?.clientId === PROVIDER && actor.clientId !== PROVIDER)

/** May the actor see this field of a record? Of what is confidential, its owner may too, but nobody who only works as them. */
export function canSeeField(actor: Actor, f: Field, row: Readonly<Record<string, unknown>>): boolean {
  if (hasRole(actor, readRoles(f) ?? 'member')) return true
  return f.owner !== undefined && !actor.kind && !actor.original && row[f.owner] === actor.userId
}

/**
 * Reference data is everybody's to read, but for what its rules keep for the provider's people; and the provider's to write,
 * whoever holds the role elsewhere.
 */
function sharedScope(actor: Actor | undefined, verb: Verb, r: Resource): Scope {
  if (actor?.clientId === PROVIDER) return { tenants: 'all' }
  if (verb !== 'read') return NOTHING
  const only = actor && ruleFor(r.allow.rows ?? [], actor, verb)
  return { tenants: 'all', ...(only ? { only } : {}) }
}

const readable = (r: Resource) => (r.tenant === 'own or template' ? 'own or template' : 'own')

function grantedScope(actor: Actor, verb: Verb, r: Resource): Scope {
  const ids = (actor.grants ?? []).filter((g) => g.type === r.type && g.verbs.includes(verb)).map((g) => g.id)
  return ids.length ? { tenants: 'own', ids } : NOTHING
}

/** May the actor use this verb on the resource at all, and on this row (its tenant given)? */
export function can(
  actor: Actor | undefined,
  verb: Verb,
  r: Resource,
  row?: { readonly clientId: number } & Readonly<Record<string, unknown>>,
): boolean {
  const scope = scopeOf(actor, verb, r)
  if (scope.tenants === 'none') return false
  if (!row) return true
  if (scope.ids && !scope.ids.includes(Number(row.id))) return false
  if (scope.only && !(actor && meetsRule(r, scope.only, row, actor))) return false
  if (scope.tenants === 'all') return true
  return row.clientId === actor?.clientId || (scope.tenants === 'own or template' && row.clientId === PROVIDER)
}

/** Is this record one of those that the named action is for, to this actor? Links and the portal itself are not asked. */
export function actionAppliesToRecord(
  actor: Actor,
  action: string,
  r: Resource,
  row: Readonly<Record<string, unknown>>,
): boolean {
  const rule = actor.kind ? undefined : ruleFor(r.actions?.[action]?.rows ?? [], actor, 'update')
  return !rule || meetsRule(r, rule, row, actor)
}

/** May the actor run the named action on a record in this state? */
export function canRunActionInState(actor: Actor | undefined, action: string, r: Resource, state?: unknown): boolean {
  const spec = r.actions?.[action]
  return !!spec && canRunAction(actor, action, r) && (!spec.from || spec.from.includes(String(state)))
}

/** May the actor run the named action at all? */
export function canRunAction(actor: Actor | undefined, action: string, r: Resource): boolean {
  const spec = r.actions?.[action]
  if (!spec) return false
  if (actor?.kind === 'system') return true
  if (actor?.kind === 'bearer') return (actor.grants ?? []).some((g) => g.type === r.type && g.verbs.includes(action))
  return hasRole(actor, spec.allow) && packState(actor, r.pack) === 'active'
}
