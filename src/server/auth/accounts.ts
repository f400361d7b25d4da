import { PROVIDER } from '#kernel/roles.ts'
import type { Tx } from '#server/db/db.ts'
import type { Account } from './credentials.ts'

/** Somebody with an account, as letters and the security log name them. */
export interface Person extends Account {
  readonly username: string
  readonly name: string
  readonly email: string
}

/** The person behind an account. */
export async function findPerson(tx: Tx, { clientId, userId }: Account): Promise<Person | undefined> {
  const [person] = await tx.rows<Person>(
    `SELECT client_id AS "clientId", id AS "userId", username, name, email FROM user_account
     WHERE client_id = $1 AND id = $2 AND NOT is_retired`,
    [clientId, userId],
  )
  return person
}

/** The account of a client that has a username, its owner still there or not. */
export async function findAccount(tx: Tx, clientId: number, username: string): Promise<Account | undefined> {
  const [found] = await tx.rows<Account>(
    'SELECT client_id AS "clientId", id AS "userId" FROM user_account WHERE client_id = $1 AND lower(username) = lower($2)',
    [clientId, username],
  )
  return found
}

/** Accounts of one client that are written to at the most, when one e-mail address stands at many: a client's administrators can make more. */
const OF_CLIENT = 5

/** Those whom a name may mean, a username or an e-mail address. What a client makes of its own people hides nobody of another's. */
export const findMeant = (tx: Tx, name: string, clientId: number | null): Promise<Person[]> =>
  tx.rows<Person>(
    `SELECT "clientId", "userId", username, name, email FROM (
       SELECT u.client_id AS "clientId", u.id AS "userId", u.username, u.name, u.email,
         row_number() OVER (PARTITION BY u.client_id ORDER BY lower(u.username) = lower($1) DESC, u.id) AS place
       FROM user_account u JOIN client c ON c.id = u.client_id
       WHERE (lower(u.username) = lower($1) OR lower(u.email) = lower($1)) AND u.email <> '' AND NOT u.is_retired AND NOT c.retired
         AND ($2::int IS NULL OR u.client_id = $2)) found WHERE place <= $3 ORDER BY "clientId", "userId"`,
    [name, clientId, OF_CLIENT],
  )

/** The people of a client who hold any of some roles, in the order of their names. */
export const findHolders = (
  tx: Pick<Tx, 'rows'>,
  clientId: number,
  roles: readonly string[],
  most = 100,
): Promise<Person[]> =>
  tx.rows<Person>(
    `SELECT client_id AS "clientId", id AS "userId", username, name, email FROM user_account
     WHERE client_id = $1 AND NOT is_retired AND roles && $2::text[] ORDER BY lower(name), id LIMIT $3`,
    [clientId, roles, most],
  )

/** The demo world's people, while it is there and nobody else has moved in. */
export const findDemoPeople = (tx: Tx): Promise<{ readonly username: string; readonly who: string }[]> =>
  tx.rows(
    `SELECT u.username, u.name || ', ' || c.company AS who FROM credential k
     JOIN user_account u ON u.client_id = k.client_id AND u.id = k.user_id JOIN client c ON c.id = u.client_id
     WHERE k.demo AND NOT u.is_retired ORDER BY u.id LIMIT 12`,
  )

/** Keeps a username from whoever else would take it just now, until the transaction ends. */
export const lockUsername = (tx: Tx, username: string): Promise<unknown> =>
  tx.rows("SELECT pg_advisory_xact_lock(hashtextextended('username ' || lower($1), 0))", [username])

/**
 * Whose a username is or was that nobody else of the client may have: one of its own people's, or, between the provider and its
 * clients, another's. Looks over all clients.
 */
export async function findHolder(
  tx: Tx,
  username: string,
  { clientId, userId }: { readonly clientId: number; readonly userId: number | undefined },
): Promise<'own' | 'other' | undefined> {
  const [found] = await tx.rows<{ own: boolean }>(
    `SELECT client_id = $3 AS own FROM username_kept WHERE username = lower($1)
       AND ((client_id = $2) <> ($3 = $2) OR (client_id = $3 AND user_id IS DISTINCT FROM $4::bigint)) ORDER BY 1 LIMIT 1`,
    [username, PROVIDER, clientId, userId ?? null],
  )
  return found && (found.own ? 'own' : 'other')
}
