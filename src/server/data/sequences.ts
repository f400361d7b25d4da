import { formatSequenceNumber, type NumberSequence } from '#kernel/sequence.ts'
import { type Instant, londonDate } from '#kernel/time.ts'
import type { SqlConn, Tx } from '#server/db/db.ts'
import { prepareSql } from './values.ts'

/**
 * Tenant and time for issuing a number, and the transaction that stores the numbered record. The time determines the
 * year.
 */
export interface NumberingContext {
  readonly work: { readonly tx: Tx; readonly clientId: number }
  readonly now: Instant
}

export interface IssuedNumber {
  readonly number: number
  /** Number as displayed, such as `RA-0012`. */
  readonly text: string
}

const NEXT = prepareSql(
  'INSERT INTO sequence_counter (client_id, name, year, last) VALUES ($1, $2, $3, $4::int + $5::int - 1) ON CONFLICT (client_id, name, year) DO UPDATE SET last = sequence_counter.last + $5::int RETURNING last',
)

/**
 * Issues the client's next number in the sequence. If the sequence is gapless, a rollback makes the number available
 * again.
 */
export async function issueSequenceNumber(drawing: NumberingContext, s: NumberSequence): Promise<IssuedNumber> {
  const [drawn] = await issueSequenceNumbers(drawing, s, 1)
  return drawn as IssuedNumber
}

/** Issues several consecutive numbers. */
export async function issueSequenceNumbers(
  { work: { tx, clientId }, now }: NumberingContext,
  s: NumberSequence,
  count: number,
): Promise<IssuedNumber[]> {
  if (count < 1) return []
  const { year } = londonDate(now)
  const draw = async (conn: SqlConn) => {
    const [row] = await conn.arrays(NEXT, [clientId, s.name, s.per === 'client' ? 0 : year, s.first ?? 1, count])
    return Number(row?.[0] ?? count)
  }
  const last = s.gapless ? await draw(tx) : await tx.apart(draw)
  return Array.from({ length: count }, (_, n) => {
    const number = last - count + 1 + n
    return { number, text: formatSequenceNumber(s, number, year) }
  })
}
