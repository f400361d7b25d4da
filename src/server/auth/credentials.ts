import { problem } from '#kernel/errors.ts'
import type { Actor } from '#kernel/roles.ts'
import { isoUtcSql } from '#server/db/columns.ts'
import type { Tx } from '#server/db/db.ts'
import { findPasswordViolations, hashPassword } from './passwords.ts'
import { createLinkSecret, hashSecret } from './secret.ts'

export interface Account {
  readonly clientId: number
  readonly userId: number
}

/** An account, with the hash against which the password was checked. */
export interface CheckedAccount extends Account {
  readonly hash: string
}

/** An account found by its username, with its stored password hash. */
export interface Credential extends CheckedAccount {
  /** True if the account is part of the public demo data. */
  readonly demo: boolean
  /** True if the account has signed in with this browser before. */
  readonly known: boolean
}

/** Result of a username lookup: the username as lower-cased by the database, and the matching credentials. */
export interface UsernameMatch {
  readonly folded: string
  readonly accounts: readonly Credential[]
}

/**
 * Finds up to three credentials for a username, in one client or in all; accounts that have signed in with this browser
 * come first. Excludes retired users and users of retired clients.
 */
export async function findCredentials(
  tx: Tx,
  username: string,
  clientId: number | undefined,
  device: string | undefined,
): Promise<UsernameMatch> {
  const found = await tx.rows<Credential & { folded: string; userId: number | null }>(
    `SELECT n.folded, u.client_id AS "clientId", u.id AS "userId", u.hash, u.demo, coalesce(u.known, false) AS known
     FROM (SELECT lower($1) AS folded) n LEFT JOIN LATERAL (
       SELECT p.client_id, p.id, c.hash, c.demo,
         EXISTS (SELECT FROM known_device d WHERE d.client_id = p.client_id AND d.user_id = p.id AND d.hash = $3) AS known
       FROM user_account p JOIN client k ON k.id = p.client_id JOIN credential c ON c.client_id = p.client_id AND c.user_id = p.id
       WHERE lower(p.username) = n.folded AND NOT p.is_retired AND NOT k.retired AND ($2::int IS NULL OR p.client_id = $2)
       ORDER BY known DESC LIMIT 3) u ON true`,
    [username, clientId ?? null, device ?? null],
  )
  return { folded: found[0]?.folded ?? '', accounts: found.filter((c) => c.userId !== null) }
}

/** Returns the account's current password hash; `undefined` if it has no password. */
export async function readPasswordHash(tx: Tx, { clientId, userId }: Account): Promise<string | undefined> {
  const [held] = await tx.rows<{ hash: string }>('SELECT hash FROM credential WHERE client_id = $1 AND user_id = $2', [
    clientId,
    userId,
  ])
  return held?.hash
}

/** Locks an account until the transaction ends, so that concurrent sign-ins and changes to its credentials wait. */
export const lockAccount = (tx: Tx, { clientId, userId }: Account): Promise<unknown> =>
  tx.rows('SELECT 1 FROM user_account WHERE client_id = $1 AND id = $2 FOR NO KEY UPDATE', [clientId, userId])

/**
 * Locks an account, and throws 401 if its password has changed or its owner has left since the password was checked.
 * Necessary because hashing takes time.
 */
export async function lockCheckedAccount(tx: Tx, checked: CheckedAccount): Promise<void> {
  await lockAccount(tx, checked)
  await requireUnchangedCredentials(tx, checked)
}

/**
 * Throws 401 if the account's password has changed or its owner has left since the password was checked. Expects the
 * account to be locked.
 */
export async function requireUnchangedCredentials(tx: Tx, checked: CheckedAccount): Promise<void> {
  const [held] = await tx.rows<{ hash: string }>(
    `SELECT c.hash FROM credential c JOIN user_account u ON u.client_id = c.client_id AND u.id = c.user_id JOIN client k ON k.id = c.client_id
     WHERE c.client_id = $1 AND c.user_id = $2 AND NOT u.is_retired AND NOT k.retired`,
    [checked.clientId, checked.userId],
  )
  if (held?.hash !== checked.hash)
    throw problem.signIn('Your sign-in details have just changed. Please sign in again.', 'wrong_credentials')
}

/** Returns the hash of a password that a person other than the account's owner has set; otherwise `undefined`. */
export async function readTemporaryPasswordHash(tx: Tx, { clientId, userId }: Account): Promise<string | undefined> {
  const [held] = await tx.rows<{ hash: string }>(
    'SELECT hash FROM credential WHERE client_id = $1 AND user_id = $2 AND temporary',
    [clientId, userId],
  )
  return held?.hash
}

/**
 * Stores a new password. A temporary password lets its owner only choose another one. Throws 422 for a weak password,
 * except in the demo data.
 */
export async function setPassword(
  tx: Tx,
  { clientId, userId }: Account,
  password: unknown,
  about: readonly string[],
  { demo = false, temporary = false } = {},
): Promise<void> {
  const wrong = findPasswordViolations(password, about)
  if (wrong.length && !demo) throw problem.invalid(wrong)
  await tx.rows(
    `INSERT INTO credential (client_id, user_id, hash, demo, temporary) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (client_id, user_id) DO UPDATE SET hash = EXCLUDED.hash, demo = EXCLUDED.demo, temporary = EXCLUDED.temporary, changed_at = now()`,
    [clientId, userId, await hashPassword(typeof password === 'string' ? password : ''), demo, temporary],
  )
}

/** Days without a sign-in after which a browser is forgotten. */
export const DEVICE_RETENTION_DAYS = 180

/** Maximum known browsers per account. Limited because each browser's attempts are counted separately. */
const DEVICES_MOST = 20

/**
 * Remembers the browser used for a sign-in, so that its attempts are counted separately from now on. Retains only the
 * most recent browsers.
 */
export async function rememberDevice(tx: Tx, { clientId, userId }: Account, device: string): Promise<void> {
  await tx.rows(
    `INSERT INTO known_device (client_id, user_id, hash) VALUES ($1, $2, $3)
     ON CONFLICT (client_id, user_id, hash) DO UPDATE SET used_at = now()`,
    [clientId, userId, hashSecret(device)],
  )
  await tx.rows(
    `DELETE FROM known_device WHERE client_id = $1 AND user_id = $2 AND hash IN
       (SELECT hash FROM known_device WHERE client_id = $1 AND user_id = $2 ORDER BY used_at DESC OFFSET $3)`,
    [clientId, userId, DEVICES_MOST],
  )
}

export async function isKnownDevice(tx: Tx, { clientId, userId }: Account, device: string): Promise<boolean> {
  const found = await tx.rows('SELECT 1 FROM known_device WHERE client_id = $1 AND user_id = $2 AND hash = $3', [
    clientId,
    userId,
    hashSecret(device),
  ])
  return found.length > 0
}

/** Ends a person's sessions and any impersonations in them. Session `but` stays open. */
export async function endSessions(tx: Tx, { clientId, userId }: Account, but?: number): Promise<void> {
  const ended = [clientId, userId, but ?? null]
  await tx.rows(
    `UPDATE visit v SET ended_at = least(now(), v.until) FROM session s
     WHERE s.client_id = $1 AND s.user_id = $2 AND s.id IS DISTINCT FROM $3 AND v.client_id = s.as_client_id AND v.id = s.as_visit_id AND v.ended_at IS NULL`,
    ended,
  )
  await tx.rows('DELETE FROM session WHERE client_id = $1 AND user_id = $2 AND id IS DISTINCT FROM $3', ended)
}

/** Revokes all access granted to a client's users. Called when the client is retired or restored. */
export async function revokeClientAccess(tx: Tx, clientId: number): Promise<void> {
  await tx.rows('UPDATE user_account SET link_epoch = link_epoch + 1 WHERE client_id = $1', [clientId])
  for (const table of ['session', 'factor_ticket', 'known_device', 'password_reset'])
    await tx.rows(`DELETE FROM ${table} WHERE client_id = $1`, [clientId])
}

export type CredentialChange = 'password' | 'email' | 'username' | 'first-factor' | 'factor-reset' | 'retirement'

/** Kind of access granted by an account's former credentials. */
type GrantedAccess = 'sessions' | 'proof' | 'links' | 'tickets' | 'devices'

/** Kinds of access that each change revokes. `butSession`, the session that makes the change, is not revoked. */
const ENDS: Readonly<Record<CredentialChange, readonly GrantedAccess[]>> = {
  password: ['sessions', 'links', 'tickets'],
  email: ['links'],
  username: ['links', 'tickets'],
  // Devices are revoked because browsers may have been remembered by somebody who knew only the password.
  'first-factor': ['proof', 'tickets', 'devices'],
  'factor-reset': ['sessions', 'tickets'],
  retirement: ['sessions', 'links', 'tickets', 'devices'],
}

/**
 * Revokes access granted by an account's former credentials, in the transaction that changes them. Expects the account
 * to be locked, so that concurrent sign-ins wait and then see the change.
 */
export async function revokeAccessAfterCredentialChange(
  tx: Tx,
  account: Account,
  change: CredentialChange,
  butSession?: number,
): Promise<void> {
  for (const made of ENDS[change]) await END[made](tx, account, butSession)
}

const END: Readonly<Record<GrantedAccess, (tx: Tx, account: Account, butSession?: number) => Promise<unknown>>> = {
  sessions: endSessions,
  proof: (tx, { clientId, userId }, butSession) =>
    tx.rows(
      `UPDATE session SET proved_by = 'password' WHERE client_id = $1 AND user_id = $2 AND id IS DISTINCT FROM $3 AND proved_by <> 'password'`,
      [clientId, userId, butSession ?? null],
    ),
  links: endLinks,
  tickets: deleteSecondFactorTickets,
  devices: (tx, { clientId, userId }) =>
    tx.rows('DELETE FROM known_device WHERE client_id = $1 AND user_id = $2', [clientId, userId]),
}

/** Ends an account's password links, including those in e-mails not yet sent. */
async function endLinks(tx: Tx, { clientId, userId }: Account): Promise<void> {
  const whose = [clientId, userId]
  await tx.rows('UPDATE user_account SET link_epoch = link_epoch + 1 WHERE client_id = $1 AND id = $2', whose)
  await tx.rows(
    'UPDATE password_reset SET used_at = now() WHERE client_id = $1 AND user_id = $2 AND used_at IS NULL',
    whose,
  )
}

export function deleteSecondFactorTickets(tx: Tx, { clientId, userId }: Account): Promise<unknown> {
  return tx.rows('DELETE FROM factor_ticket WHERE client_id = $1 AND user_id = $2', [clientId, userId])
}

/** The owner of a password link, and when the link expires. */
interface ResetLinkOwner extends Account {
  readonly username: string
  readonly name: string
  readonly company: string
  readonly email: string
  readonly until: string
}

export type PasswordLinkKind = 'reset' | 'invite'

/**
 * Creates the secret of a one-time password link. A new invitation ends the previous invitation. Several reset links
 * can be valid at a time, even alongside an invitation, so that a request made by somebody else doesn't invalidate the
 * user's own links. Returns `undefined` if the account's links have been revoked since the e-mail was written at this
 * `epoch`.
 */
export async function createPasswordLink(
  tx: Tx,
  account: Account & { readonly epoch: number },
  kind: PasswordLinkKind,
  minutes: number,
): Promise<string | undefined> {
  const token = createLinkSecret()
  const whose = [account.clientId, account.userId]
  const still = await tx.rows(
    'SELECT 1 FROM user_account WHERE client_id = $1 AND id = $2 AND link_epoch = $3 AND NOT is_retired FOR NO KEY UPDATE',
    [...whose, account.epoch],
  )
  if (!still.length) return undefined
  if (kind === 'invite') await endInvitations(tx, account)
  await tx.rows(
    'INSERT INTO password_reset (hash, client_id, user_id, kind, expires_at) VALUES ($1, $2, $3, $4, now() + make_interval(mins => $5))',
    [hashSecret(token), account.clientId, account.userId, kind, minutes],
  )
  return token
}

/** Ends an account's invitation, so that its link no longer works. */
export const endInvitations = (tx: Tx, { clientId, userId }: Account): Promise<unknown> =>
  tx.rows(
    "UPDATE password_reset SET used_at = now() WHERE client_id = $1 AND user_id = $2 AND kind = 'invite' AND used_at IS NULL",
    [clientId, userId],
  )

/**
 * Returns how often the account's links have been revoked. An e-mail records this number, and its link is created only
 * if the number is still the same.
 */
export async function readPasswordLinkEpoch(tx: Tx, { clientId, userId }: Account): Promise<number> {
  const [held] = await tx.rows<{ link_epoch: number }>(
    'SELECT link_epoch FROM user_account WHERE client_id = $1 AND id = $2',
    [clientId, userId],
  )
  return held?.link_epoch ?? 0
}

/** Returns those of the hashes that are the hash of a password link of the client's users. */
export async function findPasswordLinkHashes(tx: Tx, clientId: number, hashes: readonly string[]): Promise<string[]> {
  const rows = await tx.rows<{ hash: string }>(
    'SELECT hash FROM password_reset WHERE client_id = $1 AND hash = ANY($2)',
    [clientId, hashes],
  )
  return rows.map(({ hash }) => hash)
}

/**
 * Locks a password link and returns its owner; `undefined` if the link doesn't exist, has been used or has expired, or
 * if its owner is retired.
 */
export async function lockPasswordLink(tx: Tx, token: string): Promise<ResetLinkOwner | undefined> {
  // Locks the account before its links, in the same order as everywhere else.
  await tx.rows(
    `SELECT 1 FROM user_account u JOIN password_reset r ON u.client_id = r.client_id AND u.id = r.user_id
     WHERE r.hash = $1 FOR NO KEY UPDATE OF u`,
    [hashSecret(token)],
  )
  const [owner] = await tx.rows<ResetLinkOwner>(
    `SELECT u.client_id AS "clientId", u.id AS "userId", u.username, u.name, u.email, c.company,
       ${isoUtcSql('r.expires_at')} AS until
     FROM password_reset r JOIN user_account u ON u.client_id = r.client_id AND u.id = r.user_id JOIN client c ON c.id = u.client_id
     WHERE r.hash = $1 AND r.used_at IS NULL AND r.expires_at > now() AND NOT u.is_retired AND NOT c.retired FOR UPDATE OF r`,
    [hashSecret(token)],
  )
  return owner
}

/** Throws 409 if somebody other than a link's owner is signed in, or works as the owner. */
export function requireLinkOwner(actor: Actor | undefined, { clientId, userId }: Account): void {
  if (!actor || (!actor.original && actor.clientId === clientId && actor.userId === userId)) return
  throw problem.conflict('This link belongs to another person than the one who is signed in. Please sign out first.')
}
