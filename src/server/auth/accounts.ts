import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { Tx } from '#server/db/db.ts'
import type { Account } from './credentials.ts'

/** An account with its owner's username, name and e-mail address, for e-mails and the security log. */
export interface AccountOwner extends Account {
  readonly username: string
  readonly name: string
  readonly email: string
}

/** Returns the owner of an account; `undefined` if there is no such account or its owner is retired. */
export async function findAccountOwner(tx: Tx, { clientId, userId }: Account): Promise<AccountOwner | undefined> {
  const [person] = await tx.rows<AccountOwner>(
    `SELECT client_id AS "clientId", id AS "userId", username, name, email FROM user_account
     WHERE client_id = $1 AND id = $2 AND NOT is_retired`,
    [clientId, userId],
  )
  return person
}

/** Returns a client's account by its username, ignoring case. Also finds retired users. */
export async function findAccountByUsername(tx: Tx, clientId: number, username: string): Promise<Account | undefined> {
  const [found] = await tx.rows<Account>(
    'SELECT client_id AS "clientId", id AS "userId" FROM user_account WHERE client_id = $1 AND lower(username) = lower($2)',
    [clientId, username],
  )
  return found
}

/**
 * Maximum accounts per client to e-mail when several share an e-mail address. Limited because a client's administrators
 * can create any number.
 */
const OF_CLIENT = 5

/**
 * Finds the active accounts that have this username or e-mail address, in one client or, if `clientId` is null, in all.
 * The limit applies per client, so that one client's users can't crowd out another's.
 */
export const findAccountsByUsernameOrEmail = (tx: Tx, name: string, clientId: number | null): Promise<AccountOwner[]> =>
  tx.rows<AccountOwner>(
    `SELECT "clientId", "userId", username, name, email FROM (
       SELECT u.client_id AS "clientId", u.id AS "userId", u.username, u.name, u.email,
         row_number() OVER (PARTITION BY u.client_id ORDER BY lower(u.username) = lower($1) DESC, u.id) AS place
       FROM user_account u JOIN client c ON c.id = u.client_id
       WHERE (lower(u.username) = lower($1) OR lower(u.email) = lower($1)) AND u.email <> '' AND NOT u.is_retired AND NOT c.retired
         AND ($2::int IS NULL OR u.client_id = $2)) found WHERE place <= $3 ORDER BY "clientId", "userId"`,
    [name, clientId, OF_CLIENT],
  )

/** Returns a client's active users who have any of the given roles, ordered by name. */
export const findUsersWithRoles = (
  tx: Pick<Tx, 'rows'>,
  clientId: number,
  roles: readonly string[],
  most = 100,
): Promise<AccountOwner[]> =>
  tx.rows<AccountOwner>(
    `SELECT client_id AS "clientId", id AS "userId", username, name, email FROM user_account
     WHERE client_id = $1 AND NOT is_retired AND roles && $2::text[] ORDER BY lower(name), id LIMIT $3`,
    [clientId, roles, most],
  )

/** Returns up to twelve active users of the demo data; none if the portal has no demo data. */
export const findDemoUsers = (tx: Tx): Promise<{ readonly username: string; readonly who: string }[]> =>
  tx.rows(
    `SELECT u.username, u.name || ', ' || c.company AS who FROM credential k
     JOIN user_account u ON u.client_id = k.client_id AND u.id = k.user_id JOIN client c ON c.id = u.client_id
     WHERE k.demo AND NOT u.is_retired ORDER BY u.id LIMIT 12`,
  )

/** Locks a username until the transaction ends. */
export const lockUsername = (tx: Tx, username: string): Promise<unknown> =>
  tx.rows("SELECT pg_advisory_xact_lock(hashtextextended('username ' || lower($1), 0))", [username])

/**
 * Checks whether a username is or was somebody else's. Returns `own` if it belongs to another user of the same client,
 * `other` if the provider and a client would share it, and `undefined` if it may be used. Users of different clients
 * may share a username.
 */
export async function findUsernameOwner(
  tx: Tx,
  username: string,
  { clientId, userId }: { readonly clientId: number; readonly userId: number | undefined },
): Promise<'own' | 'other' | undefined> {
  const [found] = await tx.rows<{ own: boolean }>(
    `SELECT client_id = $3 AS own FROM username_kept WHERE username = lower($1)
       AND ((client_id = $2) <> ($3 = $2) OR (client_id = $3 AND user_id IS DISTINCT FROM $4::bigint)) ORDER BY 1 LIMIT 1`,
    [username, PROVIDER_CLIENT_ID, clientId, userId ?? null],
  )
  return found && (found.own ? 'own' : 'other')
}
