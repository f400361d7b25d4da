import { problem } from '#kernel/errors.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import { type Instant, LONDON, londonDate } from '#kernel/time.ts'
import type { Tx } from '#server/db/db.ts'
import type { Context } from '#server/engine/types.ts'
import { client } from '../clients/client.ts'

/**
 * Deducts recipients of free-text e-mails from the client's daily allowance. Throws 429 with Retry-After if too few are
 * left. Runs in the caller's transaction, so that concurrent ones of the client wait.
 */
export const takeRecipientAllowance = (c: Context, count: number): Promise<void> =>
  takeLetters(c.work.tx, c.clientId, c.now, count)

/**
 * Deducts account e-mails from the client's daily allowance, in any transaction. The provider's users have no limit.
 */
export async function takeAccountEmailAllowance(
  tx: Tx,
  by: Pick<Actor, 'clientId'>,
  clientId: number,
  now: Instant,
  count: number,
): Promise<void> {
  if (by.clientId !== PROVIDER) await takeLetters(tx, clientId, now, count)
}

async function takeLetters(tx: Tx, clientId: number, now: Instant, count: number): Promise<void> {
  const today = londonDate(now)
  const [row] = await tx.rows<{ recipients: number; most: number }>(
    `INSERT INTO letter_day (client_id, day, recipients) VALUES ($1, $2::date, $3)
     ON CONFLICT (client_id, day) DO UPDATE SET recipients = letter_day.recipients + $3
     RETURNING recipients, (SELECT ${client.columns.lettersPerDay} FROM client WHERE id = $1) AS most`,
    [clientId, today.toString(), count],
  )
  const most = row?.most ?? 0
  if ((row?.recipients ?? 0) <= most) return
  const tomorrow = today.add({ days: 1 }).toZonedDateTime({ timeZone: LONDON }).toInstant()
  const seconds = Math.ceil((tomorrow.epochMilliseconds - now.epochMilliseconds) / 1000)
  throw problem.busy(
    `Your company can e-mail ${most.toLocaleString('en-GB')} recipients a day, and this would be more. Please send it tomorrow, or ask your provider for a higher limit.`,
    Math.max(1, seconds),
  )
}
