import type { Resource, Verb } from './resource.ts'
import { type Actor, holds, PROVIDER, type Roles } from './roles.ts'

/** Which rows an actor reaches for a verb; the SQL compiler turns it into the WHERE that nobody can filter away. */
export interface Scope {
  readonly tenants: 'none' | 'own' | 'own or template' | 'resold' | 'all'
  /** Column that must hold the actor's user id. */
  readonly mine?: string
}

const NOTHING: Scope = { tenants: 'none' }

/** The roles that a verb asks for. What a declaration does not grant, nobody has. */
const rolesFor = (r: Resource, verb: Verb): Roles => r.allow[verb] ?? (verb === 'read' ? 'member' : 'nobody')

/** Which rows may this actor see or change? Pure: the server compiles it, the web asks it to show or hide. */
export function scopeOf(actor: Actor | undefined, verb: Verb, r: Resource): Scope {
  if (!holds(actor, rolesFor(r, verb))) return NOTHING
  if (r.tenant === 'shared') return { tenants: 'all' }
  if (!actor) return NOTHING
  if (actor.clientId === PROVIDER && r.allow.wide && holds(actor, r.allow.wide)) return { tenants: 'all' }
  if (verb === 'read' && r.allow.resold && holds(actor, r.allow.resold)) return { tenants: 'resold' }
  const mine = r.allow.mine && !holds(actor, r.allow.mine.unless) ? { mine: r.allow.mine.column } : {}
  return { tenants: r.tenant === 'own or template' && verb === 'read' ? 'own or template' : 'own', ...mine }
}

/** May the actor use this verb on the resource at all, and on this row (its tenant given)? */
export function can(actor: Actor | undefined, verb: Verb, r: Resource, row?: { clientId: number }): boolean {
  const scope = scopeOf(actor, verb, r)
  if (scope.tenants === 'none') return false
  if (!row || scope.tenants === 'all') return true
  return row.clientId === actor?.clientId || (scope.tenants === 'own or template' && row.clientId === PROVIDER)
}

/** May the actor run the named action on a record in this state? */
export function canAct(actor: Actor | undefined, action: string, r: Resource, state?: unknown): boolean {
  const spec = r.actions?.[action]
  return !!spec && holds(actor, spec.allow) && (!spec.from || spec.from.includes(String(state)))
}
