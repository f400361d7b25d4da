/** Any of these roles suffices. `member` is anybody signed in; `anonymous` is anybody at all; `nobody` nobody. */
export type Roles = string | readonly string[]

/** Who is asking. Rights come from the effective user; `original` is the real person while impersonating. */
export interface Actor {
  readonly userId: number
  readonly clientId: number
  readonly username: string
  readonly name: string
  readonly roles: readonly string[]
  /** Further rights as named scopes, from the user record's list or map. */
  readonly scopes: readonly string[]
  readonly original?: {
    readonly userId: number
    readonly clientId: number
    readonly username: string
    readonly name: string
  }
}

/** The provider's own tenant: its staff, and the system templates. */
export const PROVIDER = 0

/** Does the actor hold any of the roles? Anonymous users match only the anonymous pseudo-role (specification, section 6). */
export function holds(actor: Actor | undefined, roles: Roles): boolean {
  const wanted = typeof roles === 'string' ? [roles] : roles
  if (wanted.includes('anonymous')) return true
  if (!actor) return false
  return wanted.some((role) => role === 'member' || actor.roles.includes(role))
}

/** Scopes are stored as a list, or as a map of name → granted. */
export function readScopes(stored: unknown): string[] {
  if (Array.isArray(stored)) return stored.filter((s): s is string => typeof s === 'string')
  if (stored && typeof stored === 'object')
    return Object.entries(stored).flatMap(([name, granted]) => (granted ? [name] : []))
  return []
}

/** The person to record as the author: the real one while impersonating. */
export const author = (actor: Actor) => actor.original ?? actor
