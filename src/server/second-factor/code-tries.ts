import type { Pace, Tried } from '#server/auth/attempts.ts'
import type { Account } from '#server/auth/credentials.ts'
import { isKnownDevice } from '#server/auth/devices.ts'
import { networkOf } from '#server/auth/network.ts'
import { digest } from '#server/auth/secret.ts'
import type { Tx } from '#server/db/db.ts'

/** Where somebody gives the code of their app. */
export interface Place {
  readonly address: string
  /** The secret of a browser that somebody has signed in with before. */
  readonly device?: string | undefined
  /** The session that they prove themselves in. */
  readonly session?: number | undefined
}

/** Codes of one account from one place. */
const OWN: Pace = { free: 8, most: 8, minutes: 15 }
/** Codes of one account by all together who have shown no more than its password: a right guess takes 8,000 days on average. */
const STRANGERS: Pace = { free: 20, most: 40, minutes: 24 * 60 }

/** What a code counts for: its own place, and all those together that have proved nothing before. */
export interface CodeTries {
  readonly own: Tried
  readonly shared?: Tried
}

/**
 * What the code of an app counts for. A session that has proved a second factor before, and a browser that somebody has signed in
 * with, have counts of their own: whoever knows the password keeps nobody from these. A passkey and a recovery code can't be
 * guessed, and count for nothing.
 */
export async function codeTries(tx: Tx, account: Account, { address, device, session }: Place): Promise<CodeTries> {
  const key = `factor:${account.clientId}/${account.userId}`
  const shared = { key, pace: STRANGERS }
  if (session !== undefined)
    return (await hasProved(tx, account, session))
      ? { own: { key: `${key} in ${session}`, pace: OWN } }
      : { own: { key: `${key} by sessions without it`, pace: OWN }, shared }
  if (device !== undefined && (await isKnownDevice(tx, account, device)))
    return { own: { key: `${key} by ${digest(device)}`, pace: OWN } }
  return { own: { key: `${key} from ${networkOf(address)}`, pace: OWN }, shared }
}

async function hasProved(tx: Tx, { clientId, userId }: Account, session: number): Promise<boolean> {
  const found = await tx.rows(
    "SELECT 1 FROM session WHERE client_id = $1 AND user_id = $2 AND id = $3 AND proved_by = 'factor'",
    [clientId, userId, session],
  )
  return found.length > 0
}
