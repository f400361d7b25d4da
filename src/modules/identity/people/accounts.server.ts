import { problem } from '#kernel/errors.ts'
import { type Field, labelOf } from '#kernel/fields.ts'
import type { Resource, RowOf, ValuesOf } from '#kernel/resource.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { AccountOwner } from '#server/auth/accounts.ts'
import type { Account } from '#server/auth/credentials.ts'
import { prepareSql } from '#server/data/values.ts'
import type { Where } from '#server/data/where.ts'
import type { Tx } from '#server/db/db.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { readAcrossClients } from '#server/engine/tenant.ts'
import type { Context, Engine, RecordReader } from '#server/engine/types.ts'
import { holdsProtectedRole, PROTECTED_ROLES } from '../roles/role-groups.ts'
import type { AccountRecordRelation } from './account-record.ts'
import { foldLookAlikes } from './look-alikes.ts'
import { USER_MANAGER_ROLES, user } from './user.ts'

/** Hours for which a change waits if no second administrator confirms it. */
export const WAITING_HOURS = 24

const LOST_PROTECTED_ROLE = prepareSql(
  `SELECT EXISTS (SELECT FROM audit WHERE client_id = $1::int AND type = '${user.type}' AND row_id = $2::bigint
     AND at > now() - interval '${WAITING_HOURS} hours' AND changes -> 'roles' -> 0 ?| $3::text[])`,
)

/**
 * Returns whether the password and e-mail address of an account are protected: it holds a role that controls money,
 * access or confidential data, waits for one, or has lost one within the last day. Otherwise an administrator could
 * take the role away, take the account over and give the role back.
 */
export async function isProtectedAccount(
  tx: Pick<Tx, 'arrays'>,
  { clientId, userId }: Account,
  { roles, waitingRoles }: Pick<ValuesOf<typeof user>, 'roles' | 'waitingRoles'>,
): Promise<boolean> {
  if (holdsProtectedRole([...(roles ?? []), ...(waitingRoles ?? [])])) return true
  const [row] = await tx.arrays(LOST_PROTECTED_ROLE, [clientId, userId, Object.keys(PROTECTED_ROLES)])
  return row?.[0] === true
}

/**
 * Finds the account in the request's URL. Throws 404 if the caller has no access to it. `isProtected`: see
 * `isProtectedAccount`.
 */
export async function findRequestedAccount(
  c: RouteContext,
): Promise<AccountOwner & { readonly isRetired: boolean; readonly company: string; readonly isProtected: boolean }> {
  const found = await c.engine.one(user, c.me, await c.engine.idOf(user, c.me, c.params.id))
  const { id, client, username, name, email, isRetired, roles, waitingRoles } = found
  if (!client) throw problem.notFound()
  const account = { clientId: client.id, userId: id }
  const isProtected = await c.engine.db.tx('system', (tx) => isProtectedAccount(tx, account, { roles, waitingRoles }))
  return { userId: id, clientId: client.id, company: client.company, username, name, email, isRetired, isProtected }
}

/**
 * Throws 403 if users would give themselves a role that they don't hold. Only a client's sole administrator can, because
 * nobody else at the client could.
 */
export async function refuseOwnGrant(
  c: Context,
  actor: Actor,
  before: RowOf<typeof user>,
  roles: readonly string[],
): Promise<void> {
  if (before.id !== actor.userId || c.clientId !== actor.clientId) return
  if (roles.every((name) => before.roles.includes(name))) return
  const active = await c.withoutPermissionCheck('look up other administrators').find(user, { isRetired: false })
  if (
    c.clientId === PROVIDER_CLIENT_ID ||
    active.some(({ id, roles: held }) => id !== before.id && held.includes('ROLE_CLIENT_ADMIN'))
  )
    throw problem.forbidden('You can’t give yourself a role. Ask another administrator to give it to you.')
}

/** Returns true if the actor may manage accounts. At the provider this requires the user administrator role. */
export const canManageUsers = (actor: Actor): boolean =>
  hasRole(actor, actor.clientId === PROVIDER_CLIENT_ID ? 'ROLE_USER_ADMIN' : USER_MANAGER_ROLES)

/**
 * Returns whether the actor has, or once had, one of these usernames. While impersonating, that applies to the actor
 * and to the person they work as.
 */
export async function isSamePerson(c: Context, usernames: readonly (string | null | undefined)[]): Promise<boolean> {
  const people = [c.actor, ...(c.actor.original ? [c.actor.original] : [])]
  if (people.some(({ username }) => usernames.includes(username))) return true
  const names = usernames.flatMap((one) => one?.toLowerCase() || [])
  // A provider user's former usernames belong to the provider, whichever client's record it is.
  const former = await readAcrossClients(c, (tx) =>
    tx.rows(
      `SELECT 1 FROM username_kept k JOIN jsonb_to_recordset($1::jsonb) AS p ("clientId" int, "userId" bigint)
         ON p."clientId" = k.client_id AND p."userId" = k.user_id WHERE k.username = ANY ($2::text[])`,
      [JSON.stringify(people.map(({ clientId, userId }) => ({ clientId, userId }))), names],
    ),
  )
  return former.length > 0
}

type AccountValues = Readonly<Record<string, unknown>>

/** Finds the record linked to an account, if there is one. */
export async function findAccountRecord<R extends Resource>(
  c: Pick<RecordReader, 'find'>,
  { resource, account }: AccountRecordRelation<R>,
  userId: number,
): Promise<RowOf<R> | undefined> {
  const [found] = await c.find(resource, { [account]: userId } as Where<R>)
  return found
}

/**
 * Throws 409 if a change sets a field that is copied from the account, or links the record to another account. Does
 * nothing if the record isn't linked to an account.
 */
export function assertMatchesAccount<R extends Resource>(
  { resource, account, follows, holds }: AccountRecordRelation<R>,
  before: RowOf<R>,
  changes: ValuesOf<R>,
): void {
  const [was, is]: [AccountValues, AccountValues] = [before, changes]
  if (was[account] === null) return
  if (account in is)
    throw problem.conflict(
      `This is ${String(was[resource.title ?? 'id'])}’s record, with ${holds}. Create a new record for somebody else.`,
    )
  if (follows.some((name) => is[name] !== undefined && is[name] !== was[name])) {
    const names = follows.map((name) => labelOf(name, resource.fields[name] as Field).toLowerCase())
    throw problem.conflict(
      `The ${names.join(' and ')} ${names.length > 1 ? 'belong' : 'belongs'} to the account. Please change ${names.length > 1 ? 'them' : 'it'} there.`,
    )
  }
}

/** Reads the names of the users with these usernames, by default among the client's and the provider's users. */
export async function readUserNames(
  engine: Engine,
  clientId: number,
  usernames: readonly string[],
  // If a username exists in several tenants, the user in the last tenant takes precedence. By default, the last tenant
  // is the client.
  tenants: readonly number[] = [PROVIDER_CLIENT_ID, clientId],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  if (!usernames.length) return names
  for (const tenant of new Set(tenants)) {
    const people = await engine.readIn(tenant, 'read names for documents', (c) => c.find(user, { username: usernames }))
    for (const { username, name } of people) names.set(username, name)
  }
  return names
}

export interface NamedAccount {
  readonly id: number
  readonly name: string
}

const known = (by: string) =>
  `SELECT given, u.id, u.name FROM given JOIN user_account u ON u.client_id = $1::int AND NOT u.is_retired AND u.${by} = given.${by}`
const CALLED = prepareSql(
  `WITH given AS MATERIALIZED (
     SELECT given, folded_name(given) AS folded_name, lower(given) AS folded_username FROM unnest($2::text[]) given)
   ${known('folded_name')} UNION ${known('folded_username')} ORDER BY 2`,
)

const calledSo = (by: string, made: string) =>
  `SELECT $2::text, u.id, u.name FROM user_account u WHERE u.client_id = $1::int AND NOT u.is_retired AND u.${by} = (SELECT ${made}($2::text))`
/**
 * Query for a single name, which is the common case. Its plan can be reused; the plan of a query for a list of names
 * can't.
 */
const CALLED_ONE = prepareSql(
  `${calledSo('folded_name', 'folded_name')} UNION ${calledSo('folded_username', 'lower')} ORDER BY 2`,
)

/** Finds the tenant's accounts by name or username, except retired accounts. Returns them keyed by the given names. */
export async function findAccountsByName(
  c: Context,
  names: readonly string[],
): Promise<ReadonlyMap<string, NamedAccount[]>> {
  const found = new Map<string, NamedAccount[]>(names.map((name) => [name, []]))
  const [only, ...more] = found.keys()
  if (only === undefined) return found
  const rows = await (more.length
    ? c.work.tx.arrays(CALLED, [c.clientId, [...found.keys()]])
    : c.work.tx.arrays(CALLED_ONE, [c.clientId, only]))
  for (const [given, id, name] of rows as [string, number, string][]) found.get(given)?.push({ id, name })
  return found
}

const NAMES = prepareSql('SELECT name, username FROM user_account WHERE client_id = $1::int AND NOT is_retired')

/**
 * Returns which of the names look like the name or username of an account of the tenant, except retired accounts. A
 * full stop, a missing space or a look-alike letter of another script does not distinguish two names.
 */
export async function findNamesLikeAccounts(c: Context, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = (await c.work.tx.arrays(NAMES, [c.clientId])) as [string, string][]
  const known = new Set(rows.flat().map(foldLookAlikes))
  return new Set(names.filter((name) => foldLookAlikes(name) && known.has(foldLookAlikes(name))))
}
