import { Secret, TOTP } from 'otpauth'
import type { Account } from '#server/auth/credentials.ts'
import type { Sealer } from '#server/auth/sealing.ts'
import type { Tx } from '#server/db/db.ts'

/** What every authenticator app understands: six digits of SHA-1, another each half minute. */
const SECRET_BYTES = 20
/** Half minutes that an app's clock may be wrong by. */
const DRIFT = 1

const about = ({ clientId, userId }: Account) => `totp ${clientId}/${userId}`
const appOf = (secret: string, issuer = '', label = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })

/** A secret for an app, as it is typed by hand, and sealed for keeping. */
export function newSecret(sealer: Sealer, account: Account): { readonly secret: string; readonly sealed: string } {
  const secret = new Secret({ size: SECRET_BYTES }).base32
  return { secret, sealed: sealer.seal(secret, about(account)) }
}

/** What an app reads from the QR code. */
export const appAddress = (secret: string, issuer: string, label: string): string =>
  appOf(secret, issuer, label).toString()

/** The half minute that a code is for; `undefined` for a wrong one. */
export function stepOf(sealer: Sealer, account: Account, sealed: string, code: string): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const app = appOf(sealer.open(sealed, about(account)))
  const off = app.validate({ token, window: DRIFT })
  return off === null ? undefined : app.counter() + off
}

/** The sealed secret of the account's app. */
export async function findApp(tx: Tx, { clientId, userId }: Account): Promise<string | undefined> {
  const [row] = await tx.rows<{ secret: string }>('SELECT secret FROM totp WHERE client_id = $1 AND user_id = $2', [
    clientId,
    userId,
  ])
  return row?.secret
}

/** Takes the code of a half minute. False where it, or a later one, has been taken before. */
export async function takeStep(tx: Tx, { clientId, userId }: Account, step: number): Promise<boolean> {
  const taken = await tx.rows(
    'UPDATE totp SET step = $3, used_at = now() WHERE client_id = $1 AND user_id = $2 AND step < $3 RETURNING 1',
    [clientId, userId, step],
  )
  return taken.length === 1
}

/** Keeps an app whose first code was right, in the place of the one before. */
export const keepApp = (tx: Tx, { clientId, userId }: Account, sealed: string, step: number): Promise<unknown> =>
  tx.rows(
    `INSERT INTO totp (client_id, user_id, secret, step) VALUES ($1, $2, $3, $4)
     ON CONFLICT (client_id, user_id) DO UPDATE SET secret = EXCLUDED.secret, step = EXCLUDED.step, created_at = now(), used_at = NULL`,
    [clientId, userId, sealed, step],
  )

/** False where there was none. */
export async function dropApp(tx: Tx, { clientId, userId }: Account): Promise<boolean> {
  const gone = await tx.rows('DELETE FROM totp WHERE client_id = $1 AND user_id = $2 RETURNING 1', [clientId, userId])
  return gone.length === 1
}
