/** Any of these roles suffices. `member` means any signed-in user, `anonymous` anybody, `nobody` nobody. */
export type Roles = string | readonly string[]

/** Permissions of the bearer of a link: verbs and actions of one record. */
export interface LinkGrant {
  readonly type: string
  readonly id: number
  readonly verbs: readonly string[]
}

/**
 * Proof of identity: what is required of the user, and until when (milliseconds since 1970) the last proof is valid.
 */
export interface IdentityProof {
  /** The user has a second factor; needs one but has none; needs none. */
  readonly kind: 'factor' | 'missing' | 'none'
  readonly until: number
}

/**
 * The user or program that makes a request. Permissions are those of the effective user; `original` is the real person
 * while impersonating.
 */
export interface Actor {
  /**
   * Absent for a signed-in user. The portal itself has every permission in its tenant; a bearer has those of `grants`.
   */
  readonly kind?: 'system' | 'bearer'
  readonly grants?: readonly LinkGrant[]
  readonly userId: number
  readonly clientId: number
  readonly username: string
  readonly name: string
  readonly roles: readonly string[]
  /** Additional permissions as named scopes, from the user record's list or map. */
  readonly scopes: readonly string[]
  /** User ids of those who report to them. */
  readonly team?: readonly number[]
  /** State of the client's packs; packs not named here are not available. */
  readonly packs?: Readonly<Record<string, 'active' | 'lapsed'>>
  /** Client settings that restrict its users (`where` of a row rule). */
  readonly choices?: readonly string[]
  /** Of the real person, if signed in. */
  readonly proof?: IdentityProof
  /** Session of the request, and its impersonation. */
  readonly session?: { readonly id: number; readonly visit: number | null }
  /** Impersonates a user in read-only mode, as no reason for changes has been given yet. */
  readonly looksOnly?: true
  readonly original?: {
    readonly userId: number
    readonly clientId: number
    readonly username: string
    readonly name: string
  }
}

/** The provider's own tenant: its staff, and the system templates. */
export const PROVIDER = 0

/**
 * True if the actor has any of the roles. Anonymous users match only the anonymous pseudo-role (specification, section
 * 6).
 */
export function hasRole(actor: Actor | undefined, roles: Roles): boolean {
  const wanted = typeof roles === 'string' ? [roles] : roles
  if (wanted.includes('anonymous')) return true
  if (!actor || wanted.includes('nobody')) return false
  if (actor.kind === 'system') return true
  if (actor.kind === 'bearer') return false
  return wanted.some((role) => role === 'member' || actor.roles.includes(role) || isScopeOf(actor, role))
}

/** Permissions granted individually in addition to roles; declarations require them as `scope:leads.all`. */
export const PERMISSION_SCOPES = [{ value: 'leads.all', label: 'Can see colleagues’ leads' }] as const

const SCOPE = 'scope:'
const isScopeOf = ({ scopes }: Actor, wanted: string) =>
  wanted.startsWith(SCOPE) && scopes.includes(wanted.slice(SCOPE.length))

const nobody = (clientId: number, username: string, name: string) => ({
  userId: 0,
  clientId,
  username,
  name,
  roles: [],
  scopes: [],
})

/** Actor for the portal itself in a client, with a reason for the audit trail: `quotes expire`. */
export const systemActor = (clientId: number, why: string): Actor => ({
  ...nobody(clientId, 'system', `The portal: ${why}`),
  kind: 'system',
})

/**
 * Actor for the bearer of a link, who has not signed in: the audit trail shows their name, and `grants` are their only
 * permissions.
 */
export const bearerActor = (
  clientId: number,
  { username, name }: { username: string; name: string },
  grants: readonly LinkGrant[],
): Actor => ({
  ...nobody(clientId, username, name),
  kind: 'bearer',
  grants,
})

/** Reads scopes stored as a list, or as a map of name → granted. */
export function readScopes(stored: unknown): string[] {
  if (Array.isArray(stored)) return stored.filter((s): s is string => typeof s === 'string')
  if (stored && typeof stored === 'object')
    return Object.entries(stored).flatMap(([name, granted]) => (granted ? [name] : []))
  return []
}

/** Returns the person to record as the author: the real one while impersonating. */
export const author = (actor: Actor) => actor.original ?? actor
