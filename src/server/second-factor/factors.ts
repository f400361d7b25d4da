import type { SecondFactorMethod, SecondFactors } from '#kernel/second-factor.ts'
import type { AttemptLimit, CountedAttempt } from '#server/auth/attempts.ts'
import { networkForAddress } from '#server/auth/attempts.ts'
import type { Account } from '#server/auth/credentials.ts'
import { isKnownDevice, revokeAccessAfterCredentialChange } from '#server/auth/credentials.ts'
import { hashSecret } from '#server/auth/secret.ts'
import { isoUtcSql } from '#server/db/columns.ts'
import type { Tx } from '#server/db/db.ts'

/** Origin of an attempt to enter an authenticator app's code. */
export interface CodeAttemptOrigin {
  readonly address: string
  /** Secret of a browser that has been used to sign in before. */
  readonly device?: string | undefined
  /** Session in which the user is confirming their identity. */
  readonly session?: number | undefined
}

/** Limit for codes entered for one account from one origin. */
const ACCOUNT_LIMIT: AttemptLimit = { free: 8, most: 8, minutes: 15 }
/**
 * Shared limit for codes entered for one account by everybody who has only entered its password. With this limit,
 * guessing a code takes 8,000 days on average.
 */
const STRANGERS: AttemptLimit = { free: 20, most: 40, minutes: 24 * 60 }

/** Limits that a code counts towards: that of its origin, and one that all unverified origins share. */
export interface CodeAttempts {
  readonly own: CountedAttempt
  readonly shared?: CountedAttempt
}

/**
 * Returns the limits that an authenticator app's code counts towards. A session verified with a second factor and a
 * known browser each have a separate limit. Somebody who only knows the password therefore can't block the user.
 * Passkeys and recovery codes can't be guessed and are not limited.
 */
export async function codeAttemptsToCount(
  tx: Tx,
  account: Account,
  { address, device, session }: CodeAttemptOrigin,
): Promise<CodeAttempts> {
  const key = `factor:${account.clientId}/${account.userId}`
  const shared = { key, pace: STRANGERS }
  if (session !== undefined)
    return (await hasProved(tx, account, session))
      ? { own: { key: `${key} in ${session}`, pace: ACCOUNT_LIMIT } }
      : { own: { key: `${key} by sessions without it`, pace: ACCOUNT_LIMIT }, shared }
  if (device !== undefined && (await isKnownDevice(tx, account, device)))
    return { own: { key: `${key} by ${hashSecret(device)}`, pace: ACCOUNT_LIMIT } }
  return { own: { key: `${key} from ${networkForAddress(address)}`, pace: ACCOUNT_LIMIT }, shared }
}

async function hasProved(tx: Tx, { clientId, userId }: Account, session: number): Promise<boolean> {
  const found = await tx.rows(
    "SELECT 1 FROM session WHERE client_id = $1 AND user_id = $2 AND id = $3 AND proved_by = 'factor'",
    [clientId, userId, session],
  )
  return found.length > 0
}

export async function readSecondFactors(tx: Tx, { clientId, userId }: Account): Promise<SecondFactors> {
  const whose = [clientId, userId]
  const [app = null] = await tx.rows<NonNullable<SecondFactors['app']>>(
    `SELECT ${isoUtcSql('created_at')} AS "createdAt", ${isoUtcSql('used_at')} AS "usedAt" FROM totp WHERE client_id = $1 AND user_id = $2`,
    whose,
  )
  const passkeys = await tx.rows<SecondFactors['passkeys'][number]>(
    `SELECT id, name, ${isoUtcSql('created_at')} AS "createdAt", ${isoUtcSql('used_at')} AS "usedAt" FROM passkey
     WHERE client_id = $1 AND user_id = $2 ORDER BY id`,
    whose,
  )
  const [left] = await tx.rows<{ n: number }>(
    'SELECT count(*)::int AS n FROM recovery_code WHERE client_id = $1 AND user_id = $2 AND used_at IS NULL',
    whose,
  )
  return { app, passkeys, recoveryCodes: left?.n ?? 0 }
}

export const hasSecondFactor = ({ app, passkeys }: SecondFactors): boolean => app !== null || passkeys.length > 0

/** Returns the second-factor methods that an account can use. */
export const secondFactorMethods = ({ app, passkeys, recoveryCodes }: SecondFactors): SecondFactorMethod[] => [
  ...(passkeys.length ? (['passkey'] as const) : []),
  ...(app ? (['totp'] as const) : []),
  ...(recoveryCodes ? (['recovery'] as const) : []),
]

/** Deletes an account's recovery codes, which are useless without another second factor. */
export const deleteRecoveryCodes = (tx: Tx, { clientId, userId }: Account): Promise<unknown> =>
  tx.rows('DELETE FROM recovery_code WHERE client_id = $1 AND user_id = $2', [clientId, userId])

/** Removes all second factors from an account, and ends the access that was granted with them. */
export async function removeSecondFactors(tx: Tx, account: Account): Promise<void> {
  for (const table of ['totp', 'passkey', 'recovery_code'])
    await tx.rows(`DELETE FROM ${table} WHERE client_id = $1 AND user_id = $2`, [account.clientId, account.userId])
  await revokeAccessAfterCredentialChange(tx, account, 'factor-reset')
}
