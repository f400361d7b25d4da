import { hash, randomBytes } from 'node:crypto'
import type { Tx } from '#server/db/db.ts'
import type { Account } from './credentials.ts'

/** Days after which a browser that nobody signed in with is forgotten. */
export const DEVICE_DAYS = 180

/** The secret that a browser is known by. */
export const newDevice = (): string => randomBytes(32).toString('base64url')

/** What is kept of it. */
export const deviceHash = (device: string): string => hash('sha256', device, 'base64url')

/** Writes down that somebody has signed in with this browser: from now on it has tries of its own. */
export const rememberDevice = (tx: Tx, { clientId, userId }: Account, device: string): Promise<unknown> =>
  tx.rows(
    `INSERT INTO known_device (client_id, user_id, hash) VALUES ($1, $2, $3)
     ON CONFLICT (client_id, user_id, hash) DO UPDATE SET used_at = now()`,
    [clientId, userId, deviceHash(device)],
  )
