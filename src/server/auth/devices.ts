import type { Tx } from '#server/db/db.ts'
import type { Account } from './credentials.ts'
import { digest } from './secret.ts'

/** Days after which a browser that nobody signed in with is forgotten. */
export const DEVICE_DAYS = 180

/** Browsers that one account is known in at the most: each has tries of its own. */
const DEVICES_MOST = 20

/** Writes down that somebody has signed in with this browser: from now on it has tries of its own. Of many, the last ones are known. */
export async function rememberDevice(tx: Tx, { clientId, userId }: Account, device: string): Promise<void> {
  await tx.rows(
    `INSERT INTO known_device (client_id, user_id, hash) VALUES ($1, $2, $3)
     ON CONFLICT (client_id, user_id, hash) DO UPDATE SET used_at = now()`,
    [clientId, userId, digest(device)],
  )
  await tx.rows(
    `DELETE FROM known_device WHERE client_id = $1 AND user_id = $2 AND hash IN
       (SELECT hash FROM known_device WHERE client_id = $1 AND user_id = $2 ORDER BY used_at DESC OFFSET $3)`,
    [clientId, userId, DEVICES_MOST],
  )
}

/** Has the account signed in with this browser before? */
export async function isKnownDevice(tx: Tx, { clientId, userId }: Account, device: string): Promise<boolean> {
  const found = await tx.rows('SELECT 1 FROM known_device WHERE client_id = $1 AND user_id = $2 AND hash = $3', [
    clientId,
    userId,
    digest(device),
  ])
  return found.length > 0
}
