import type { Tx } from '#server/db/db.ts'
import type { Account } from './credentials.ts'
import { hashSecret } from './secret.ts'

/** Days without a sign-in after which a browser is forgotten. */
export const DEVICE_RETENTION_DAYS = 180

/** Most known browsers per account, as each has its own attempts. */
const DEVICES_MOST = 20

/** Records a sign-in with this browser, which from now on has its own attempts. Keeps only the most recent browsers. */
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
