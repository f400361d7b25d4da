import { type Field, rolesAllowedToRead } from './fields.ts'
import { packState } from './packs.ts'
import type { AccessVerb, Resource } from './resource.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID, type Roles } from './roles.ts'
import { meetsRowCondition, type RowCondition, rowConditionFor } from './row-rules.ts'

/**
 * Rows that an actor may access with a verb. The server compiles this scope to a WHERE clause that no filter can
 * remove.
 */
export interface AccessScope {
  readonly tenants: 'none' | 'own' | 'own or template' | 'resold' | 'all'
  /** Additional condition on these rows. */
  readonly only?: RowCondition
  /** IDs of the only rows that are accessible, if the actor uses a link. */
  readonly ids?: readonly number[]
}

const NOTHING: AccessScope = { tenants: 'none' }

/** Returns the roles that a verb requires. If none are declared, members may read, and all other verbs are denied. */
const rolesFor = (r: Resource, verb: AccessVerb): Roles => r.allow[verb] ?? (verb === 'read' ? 'member' : 'nobody')

/**
 * Returns the rows that an actor may read or change. `within` includes rows that are sent with their owning record;
 * `saved` returns those that a change may result in.
 * Pure: the server compiles the result to SQL, and the browser uses it to show or hide controls.
 */
export function accessScopeFor(
  actor: Actor | undefined,
  verb: AccessVerb,
  r: Resource,
  { within = false, saved = false } = {},
): AccessScope {
  const shared = r.tenant === 'shared'
  if (actor?.kind === 'system') return { tenants: shared ? 'all' : verb === 'read' ? readable(r) : 'own' }
  if (actor?.kind === 'bearer') return grantedScope(actor, verb, r)
  if (!hasRole(actor, rolesFor(r, verb)) || isBlockedByImpersonation(actor, verb, r) || isForVisits(actor, verb, r))
    return NOTHING
  if (shared) return sharedScope(actor, verb, r)
  if (!actor) return NOTHING
  const pack = packState(actor, r.pack)
  if (pack === 'none' || (pack === 'lapsed' && verb !== 'read')) return NOTHING
  const wide =
    actor.clientId === PROVIDER_CLIENT_ID && r.allow.allTenants !== undefined && hasRole(actor, r.allow.allTenants)
  const only = rowConditionFor(r.allow.rows ?? [], actor, verb, { wide, within, saved })
  const narrowed = only ? { only } : {}
  if (wide) return { tenants: 'all', ...narrowed }
  if (verb === 'read' && r.allow.resellerScope && hasRole(actor, r.allow.resellerScope))
    return { tenants: 'resold', ...narrowed }
  return { tenants: verb === 'read' ? readable(r) : 'own', ...narrowed }
}

/**
 * Returns the scope of rows that a reseller may count: those of the reseller's own clients. The rows themselves can't
 * be read.
 */
export const resellerCountScope = (actor: Actor, r: Resource): AccessScope =>
  r.allow.resellerCounts !== undefined && !actor.kind && hasRole(actor, r.allow.resellerCounts)
    ? { tenants: 'resold' }
    : NOTHING

export const FORBIDDEN_DURING_IMPERSONATION_MESSAGE =
  'You can’t do this while you are working as another person. Switch back to your own account first.'

/** True if the actor is impersonating a user, and the verb is not declared as allowed while impersonating. */
export const isBlockedByImpersonation = (actor: Actor | undefined, verb: AccessVerb, r: Resource): boolean =>
  actor?.original !== undefined && verb !== 'read' && r.allow.whileImpersonating?.includes(verb) !== true

/**
 * True if the verb is reserved for provider staff who are impersonating a client's user, and the actor is not
 * impersonating one.
 */
const isForVisits = (actor: Actor | undefined, verb: AccessVerb, r: Resource): boolean =>
  r.allow.onlyWhileImpersonating?.includes(verb) === true &&
  !(actor?.original?.clientId === PROVIDER_CLIENT_ID && actor.clientId !== PROVIDER_CLIENT_ID)

/**
 * True if the actor may read this field of a record. The record's owner may read confidential fields. An actor who
 * impersonates the owner may not.
 */
export function canSeeField(actor: Actor, f: Field, row: Readonly<Record<string, unknown>>): boolean {
  if (hasRole(actor, rolesAllowedToRead(f) ?? 'member')) return true
  return (
    f.owner !== undefined &&
    !actor.kind &&
    !actor.original &&
    [f.owner].flat().some((owner) => row[owner] === actor.userId)
  )
}

/**
 * Returns the access to reference data. All users may read it, except rows that its rules reserve for provider staff.
 * Only the provider may write it, whatever roles other users have.
 */
function sharedScope(actor: Actor | undefined, verb: AccessVerb, r: Resource): AccessScope {
  if (actor?.clientId === PROVIDER_CLIENT_ID) return { tenants: 'all' }
  if (verb !== 'read') return NOTHING
  const only = actor && rowConditionFor(r.allow.rows ?? [], actor, verb)
  return { tenants: 'all', ...(only ? { only } : {}) }
}

const readable = (r: Resource) => (r.tenant === 'own or template' ? 'own or template' : 'own')

function grantedScope(actor: Actor, verb: AccessVerb, r: Resource): AccessScope {
  const ids = (actor.grants ?? []).filter((g) => g.type === r.type && g.verbs.includes(verb)).map((g) => g.id)
  return ids.length ? { tenants: 'own', ids } : NOTHING
}

/** True if the actor may use this verb on the resource, and on this row if one is given. */
export function can(
  actor: Actor | undefined,
  verb: AccessVerb,
  r: Resource,
  row?: { readonly clientId: number } & Readonly<Record<string, unknown>>,
): boolean {
  const scope = accessScopeFor(actor, verb, r)
  if (scope.tenants === 'none') return false
  if (!row) return true
  if (scope.ids && !scope.ids.includes(Number(row.id))) return false
  if (scope.only && !(actor && meetsRowCondition(r, scope.only, row, actor))) return false
  if (scope.tenants === 'all') return true
  return (
    row.clientId === actor?.clientId || (scope.tenants === 'own or template' && row.clientId === PROVIDER_CLIENT_ID)
  )
}

/**
 * Returns the condition that an action imposes on its record; `undefined` if no rule applies. The rules don't apply to the
 * portal itself or to the bearer of a link.
 */
export const actionRule = (actor: Actor, action: string, r: Resource): RowCondition | undefined =>
  actor.kind ? undefined : rowConditionFor(r.actions?.[action]?.rows ?? [], actor, 'update')

/**
 * True if the browser may offer an action on a record. Conditions that concern related records are treated as met: only
 * the server can evaluate them.
 */
export function isActionAllowedOnRecord(
  actor: Actor,
  action: string,
  r: Resource,
  row: Readonly<Record<string, unknown>>,
): boolean {
  const rule = actionRule(actor, action, r)
  return !rule || meetsRowCondition(r, rule, row, actor)
}

/** True if the actor may run the action on a record in this state. */
export function canRunActionInState(actor: Actor | undefined, action: string, r: Resource, state?: unknown): boolean {
  const spec = r.actions?.[action]
  return !!spec && canRunAction(actor, action, r) && (!spec.from || spec.from.includes(String(state)))
}

/** True if the actor is impersonating a user, and the action is not declared as allowed while impersonating. */
export const isActionBlockedByImpersonation = (actor: Actor | undefined, action: string, r: Resource): boolean =>
  actor?.original !== undefined && r.actions?.[action]?.whileImpersonating !== true

export function canRunAction(actor: Actor | undefined, action: string, r: Resource): boolean {
  const spec = r.actions?.[action]
  if (!spec) return false
  if (actor?.kind === 'system') return true
  if (isActionBlockedByImpersonation(actor, action, r)) return false
  if (actor?.kind === 'bearer') return (actor.grants ?? []).some((g) => g.type === r.type && g.verbs.includes(action))
  return hasRole(actor, spec.allow) && packState(actor, r.pack) === 'active'
}
