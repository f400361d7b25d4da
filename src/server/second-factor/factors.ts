import type { Factors, Method } from '#kernel/second-factor.ts'
import type { Account } from '#server/auth/credentials.ts'
import { endWaysIn } from '#server/auth/ways-in.ts'
import type { Tx } from '#server/db/db.ts'
import { isoUtc } from '#server/db/iso.ts'

/** Reads the second factors of an account. */
export async function readFactors(tx: Tx, { clientId, userId }: Account): Promise<Factors> {
  const whose = [clientId, userId]
  const [app = null] = await tx.rows<NonNullable<Factors['app']>>(
    `SELECT ${isoUtc('created_at')} AS "createdAt", ${isoUtc('used_at')} AS "usedAt" FROM totp WHERE client_id = $1 AND user_id = $2`,
    whose,
  )
  const passkeys = await tx.rows<Factors['passkeys'][number]>(
    `SELECT id, name, ${isoUtc('created_at')} AS "createdAt", ${isoUtc('used_at')} AS "usedAt" FROM passkey
     WHERE client_id = $1 AND user_id = $2 ORDER BY id`,
    whose,
  )
  const [left] = await tx.rows<{ n: number }>(
    'SELECT count(*)::int AS n FROM recovery_code WHERE client_id = $1 AND user_id = $2 AND used_at IS NULL',
    whose,
  )
  return { app, passkeys, recoveryCodes: left?.n ?? 0 }
}

export const hasFactor = ({ app, passkeys }: Factors): boolean => app !== null || passkeys.length > 0

/** Second-factor methods that an account can use. */
export const methodsOf = ({ app, passkeys, recoveryCodes }: Factors): Method[] => [
  ...(passkeys.length ? (['passkey'] as const) : []),
  ...(app ? (['totp'] as const) : []),
  ...(recoveryCodes ? (['recovery'] as const) : []),
]

/** Deletes recovery codes, which are useless without a factor. */
export const dropRecoveryCodes = (tx: Tx, { clientId, userId }: Account): Promise<unknown> =>
  tx.rows('DELETE FROM recovery_code WHERE client_id = $1 AND user_id = $2', [clientId, userId])

/** Removes all second factors of an account, and ends the access that they gave. */
export async function removeAll(tx: Tx, account: Account): Promise<void> {
  for (const table of ['totp', 'passkey', 'recovery_code'])
    await tx.rows(`DELETE FROM ${table} WHERE client_id = $1 AND user_id = $2`, [account.clientId, account.userId])
  await endWaysIn(tx, account, 'factor-reset')
}
