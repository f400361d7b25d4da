/** Any of these roles suffices. `member` is anybody signed in; `anonymous` is anybody at all; `nobody` nobody. */
export type Roles = string | readonly string[]

/** What the bearer of a link may do: verbs and actions of one record. */
export interface Grant {
  readonly type: string
  readonly id: number
  readonly verbs: readonly string[]
}

/** How somebody has proved who they are: what it takes of them, and until when (milliseconds since 1970) the last time counts. */
export interface Proof {
  /** They have a second factor; need one, and have none; need none. */
  readonly kind: 'factor' | 'missing' | 'none'
  readonly until: number
}

/** Who is asking. Rights come from the effective user; `original` is the real person while impersonating. */
export interface Actor {
  /** Absent for a person who signed in. The portal itself has every right in its tenant; a bearer those of `grants`. */
  readonly kind?: 'system' | 'bearer'
  readonly grants?: readonly Grant[]
  readonly userId: number
  readonly clientId: number
  readonly username: string
  readonly name: string
  readonly roles: readonly string[]
  /** Further rights as named scopes, from the user record's list or map. */
  readonly scopes: readonly string[]
  /** The user ids of those who report to them. */
  readonly team?: readonly number[]
  /** What their client has of the packs; a pack that is not named it does not have. */
  readonly packs?: Readonly<Record<string, 'active' | 'lapsed'>>
  /** What their client has chosen that leaves its people fewer rows (`where` of a row rule). */
  readonly choices?: readonly string[]
  /** Of the real person, where they have signed in. */
  readonly proof?: Proof
  /** The session that this is done by, and the visit that it is in. */
  readonly session?: { readonly id: number; readonly visit: number | null }
  /** Works as somebody else, and has not yet said why something is to be changed. */
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

/** Does the actor hold any of the roles? Anonymous users match only the anonymous pseudo-role (specification, section 6). */
export function hasRole(actor: Actor | undefined, roles: Roles): boolean {
  const wanted = typeof roles === 'string' ? [roles] : roles
  if (wanted.includes('anonymous')) return true
  if (!actor || wanted.includes('nobody')) return false
  if (actor.kind === 'system') return true
  if (actor.kind === 'bearer') return false
  return wanted.some((role) => role === 'member' || actor.roles.includes(role) || isScopeOf(actor, role))
}

/** Rights that are given one by one, beside the roles; a declaration asks for them as `scope:leads.all`. */
export const SCOPES = [{ value: 'leads.all', label: 'Sees the leads of colleagues' }] as const

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

/** The portal itself, at work in a client for the reason that the audit names: `quotes expire`. */
export const systemActor = (clientId: number, why: string): Actor => ({
  ...nobody(clientId, 'system', `The portal: ${why}`),
  kind: 'system',
})

/** Somebody who came by a link and not by signing in: their names say so in the audit, `grants` is all they may do. */
export const bearerActor = (
  clientId: number,
  { username, name }: { username: string; name: string },
  grants: readonly Grant[],
): Actor => ({
  ...nobody(clientId, username, name),
  kind: 'bearer',
  grants,
})

/** Scopes are stored as a list, or as a map of name → granted. */
export function readScopes(stored: unknown): string[] {
  if (Array.isArray(stored)) return stored.filter((s): s is string => typeof s === 'string')
  if (stored && typeof stored === 'object')
    return Object.entries(stored).flatMap(([name, granted]) => (granted ? [name] : []))
  return []
}

/** The person to record as the author: the real one while impersonating. */
export const author = (actor: Actor) => actor.original ?? actor
