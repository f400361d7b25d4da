/**
 * One or more roles, any of which is sufficient. `member` means any signed-in user, `anonymous` everybody, and `nobody`
 * no user.
 */
export type Roles = string | readonly string[]

/** Permissions for the bearer of a link: verbs and actions on one record. */
export interface LinkGrant {
  readonly type: string
  readonly id: number
  readonly verbs: readonly string[]
}

/**
 * The proof of identity that is required of the user, and the time until which their last proof is valid (milliseconds
 * since 1970).
 */
export interface IdentityProof {
  /**
   * `factor`: the user has a second factor. `missing`: the user needs a second factor but has none. `none`: the user
   * does not need one.
   */
  readonly kind: 'factor' | 'missing' | 'none'
  readonly until: number
}

/**
 * The user or system that makes a request. Permissions are those of the effective user. During impersonation,
 * `original` is the real person.
 */
export interface Actor {
  /**
   * Undefined for a signed-in user. `system` is the portal itself, with every permission in its tenant. A `bearer` has
   * only the permissions in `grants`.
   */
  readonly kind?: 'system' | 'bearer'
  readonly grants?: readonly LinkGrant[]
  readonly userId: number
  readonly clientId: number
  readonly username: string
  readonly name: string
  readonly roles: readonly string[]
  /** Names of scopes for additional permissions, from the list or map in the user record. */
  readonly scopes: readonly string[]
  /** User IDs of the people who report to the actor. */
  readonly team?: readonly number[]
  /** Access to the client's packs. Packs that are not listed are not available. */
  readonly packs?: Readonly<Record<string, 'active' | 'lapsed'>>
  /** Client settings that restrict the client's users, matched by `where` in a row rule. */
  readonly choices?: readonly string[]
  /** Proof of identity required of the real person, if signed in. */
  readonly proof?: IdentityProof
  /** Session of the request. */
  readonly session?: { readonly id: number }
  /** True during a read-only impersonation, for which the user has not given a reason to make changes. */
  readonly looksOnly?: true
  readonly original?: {
    readonly userId: number
    readonly clientId: number
    readonly username: string
    readonly name: string
    /** ID of the impersonation, on the server. */
    readonly visit?: number | null
  }
}

/** Tenant that contains the provider's staff and the system templates. */
export const PROVIDER_CLIENT_ID = 0

/**
 * True if the actor has any of the roles. Anonymous users have only the `anonymous` role (specification, section 6).
 */
export function hasRole(actor: Actor | undefined, roles: Roles): boolean {
  const wanted = typeof roles === 'string' ? [roles] : roles
  if (wanted.includes('anonymous')) return true
  if (!actor || wanted.includes('nobody')) return false
  if (actor.kind === 'system') return true
  if (actor.kind === 'bearer') return false
  return wanted.some((role) => role === 'member' || actor.roles.includes(role) || isScopeOf(actor, role))
}

/** Permissions granted individually in addition to roles. Declarations require them in the form `scope:leads.all`. */
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

/** Creates the actor for the portal itself in a client, with a reason for the audit trail, such as `quotes expire`. */
export const createSystemActor = (clientId: number, why: string): Actor => ({
  ...nobody(clientId, 'system', `The portal: ${why}`),
  kind: 'system',
})

/**
 * Creates the actor for the bearer of a link, who has not signed in. The audit trail shows the bearer's name. `grants`
 * are the bearer's only permissions.
 */
export const createBearerActor = (
  clientId: number,
  { username, name }: { username: string; name: string },
  grants: readonly LinkGrant[],
): Actor => ({
  ...nobody(clientId, username, name),
  kind: 'bearer',
  grants,
})

/** Parses scopes stored as a list, or as a map of name → granted. */
export function parsePermissionScopes(stored: unknown): string[] {
  if (Array.isArray(stored)) return stored.filter((s): s is string => typeof s === 'string')
  if (stored && typeof stored === 'object')
    return Object.entries(stored).flatMap(([name, granted]) => (granted ? [name] : []))
  return []
}

/** Returns the person to record as the author. During impersonation, this is the real person. */
export const authorOf = (actor: Actor) => actor.original ?? actor

/** Path of My-Task, the site with all tasks of an employee. */
export const TASK_SITE_PATH = '/my-task'

/** True for users whose only role is that of an employee: they start in My-Task, and need nothing else. */
export const hasTaskSiteOnly = (user: { readonly roles: readonly string[] } | undefined): boolean =>
  user !== undefined && user.roles.length > 0 && user.roles.every((role) => role === 'ROLE_EMPLOYEE')
