import { hash, randomInt } from 'node:crypto'
import type { Account } from '#server/auth/credentials.ts'
import type { Tx } from '#server/db/db.ts'

const HOW_MANY = 10
/**
 * Letters and digits that can't be confused with each other. Each represents five bits, and a code contains 120 bits.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 4
const GROUP = 6

const group = () => Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Creates a set of codes such as `K7QM4T-ZX9HPD-2WVN6R-BC8YFJ`. */
export const createRecoveryCodes = (): string[] =>
  Array.from({ length: HOW_MANY }, () => Array.from({ length: GROUPS }, group).join('-'))

/** Hashes a code as typed. Ignores case, spaces and hyphens, and treats letters that look like digits as digits. */
const digest = (typed: string) =>
  hash(
    'sha256',
    typed
      .toUpperCase()
      .replace(/[^0-9A-Z]/g, '')
      .replaceAll('O', '0')
      .replace(/[IL]/g, '1'),
    'base64url',
  )

/** Replaces the account's recovery codes. */
export async function saveRecoveryCodes(
  tx: Tx,
  { clientId, userId }: Account,
  codes: readonly string[],
): Promise<void> {
  await tx.rows('DELETE FROM recovery_code WHERE client_id = $1 AND user_id = $2', [clientId, userId])
  await tx.rows('INSERT INTO recovery_code (client_id, user_id, hash) SELECT $1, $2, unnest($3::text[])', [
    clientId,
    userId,
    codes.map(digest),
  ])
}

/** Marks a code as used. Returns false if the code is unknown or has been used already. */
export async function consumeRecoveryCode(tx: Tx, { clientId, userId }: Account, typed: string): Promise<boolean> {
  const taken = await tx.rows(
    `UPDATE recovery_code SET used_at = now()
     WHERE client_id = $1 AND user_id = $2 AND hash = $3 AND used_at IS NULL RETURNING 1`,
    [clientId, userId, digest(typed)],
  )
  return taken.length === 1
}
