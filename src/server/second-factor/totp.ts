import { Secret, TOTP } from 'otpauth'
import type { Account } from '#server/auth/credentials.ts'
import type { SecretSealer } from '#server/auth/sealing.ts'
import type { Tx } from '#server/db/db.ts'

/** Length of the secret in bytes. */
const SECRET_BYTES = 20
/** Clock drift that is allowed for an app, in steps of 30 seconds. */
const DRIFT = 1

const about = ({ clientId, userId }: Account) => `totp ${clientId}/${userId}`
/** Uses the settings that every authenticator app supports: SHA-1, six digits, 30 seconds. */
const appOf = (secret: string, issuer = '', label = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })

/** Creates the secret for an authenticator app. Returns it as the user would type it, and sealed for storage. */
export function createTotpSecret(
  sealer: SecretSealer,
  account: Account,
): { readonly secret: string; readonly sealed: string } {
  const secret = new Secret({ size: SECRET_BYTES }).base32
  return { secret, sealed: sealer.seal(secret, about(account)) }
}

/** Returns the key URI for the QR code. */
export const totpUri = (secret: string, issuer: string, label: string): string =>
  appOf(secret, issuer, label).toString()

/** Returns the number of the 30-second step that a code belongs to; `undefined` if the code is wrong. */
export function findTotpStep(sealer: SecretSealer, account: Account, sealed: string, code: string): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const app = appOf(sealer.open(sealed, about(account)))
  const off = app.validate({ token, window: DRIFT })
  return off === null ? undefined : app.counter() + off
}

/** Returns the sealed secret of the account's authenticator app; `undefined` if there is none. */
export async function findTotpSecret(tx: Tx, { clientId, userId }: Account): Promise<string | undefined> {
  const [row] = await tx.rows<{ secret: string }>('SELECT secret FROM totp WHERE client_id = $1 AND user_id = $2', [
    clientId,
    userId,
  ])
  return row?.secret
}

/** Marks a step as used. Returns false if this step or a later step has been used already. */
export async function consumeTotpStep(tx: Tx, { clientId, userId }: Account, step: number): Promise<boolean> {
  const taken = await tx.rows(
    'UPDATE totp SET step = $3, used_at = now() WHERE client_id = $1 AND user_id = $2 AND step < $3 RETURNING 1',
    [clientId, userId, step],
  )
  return taken.length === 1
}

/** Saves an authenticator app whose first code was correct. It replaces the account's previous app. */
export const saveAuthenticatorApp = (
  tx: Tx,
  { clientId, userId }: Account,
  sealed: string,
  step: number,
): Promise<unknown> =>
  tx.rows(
    `INSERT INTO totp (client_id, user_id, secret, step) VALUES ($1, $2, $3, $4)
     ON CONFLICT (client_id, user_id) DO UPDATE SET secret = EXCLUDED.secret, step = EXCLUDED.step, created_at = now(), used_at = NULL`,
    [clientId, userId, sealed, step],
  )

/** Deletes the authenticator app. Returns false if there was none. */
export async function deleteAuthenticatorApp(tx: Tx, { clientId, userId }: Account): Promise<boolean> {
  const gone = await tx.rows('DELETE FROM totp WHERE client_id = $1 AND user_id = $2 RETURNING 1', [clientId, userId])
  return gone.length === 1
}
