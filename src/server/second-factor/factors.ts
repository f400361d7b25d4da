import type { SecondFactorMethod, SecondFactors } from '#kernel/second-factor.ts'
import type { Account } from '#server/auth/credentials.ts'
import { revokeFormerAccess } from '#server/auth/credentials.ts'
import type { Tx } from '#server/db/db.ts'
import { isoUtcSql } from '#server/db/iso.ts'

/** Reads the second factors of an account. */
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

/** Second-factor methods that an account can use. */
export const secondFactorMethods = ({ app, passkeys, recoveryCodes }: SecondFactors): SecondFactorMethod[] => [
  ...(passkeys.length ? (['passkey'] as const) : []),
  ...(app ? (['totp'] as const) : []),
  ...(recoveryCodes ? (['recovery'] as const) : []),
]

/** Deletes recovery codes, which are useless without a factor. */
export const deleteRecoveryCodes = (tx: Tx, { clientId, userId }: Account): Promise<unknown> =>
  tx.rows('DELETE FROM recovery_code WHERE client_id = $1 AND user_id = $2', [clientId, userId])

/** Removes all second factors of an account, and ends access granted with them. */
export async function removeSecondFactors(tx: Tx, account: Account): Promise<void> {
  for (const table of ['totp', 'passkey', 'recovery_code'])
    await tx.rows(`DELETE FROM ${table} WHERE client_id = $1 AND user_id = $2`, [account.clientId, account.userId])
  await revokeFormerAccess(tx, account, 'factor-reset')
}
