import { settleAll } from '#kernel/settle-all.ts'
import type { Instant } from '#kernel/time.ts'
import { prepare } from '#server/data/values.ts'
import type { Work } from '#server/data/writing/work.ts'
import type { Conn } from '#server/db/db.ts'
import { type ChainLink, canonicalJson, digestOfCanonicalText, linkHashSuffix } from './link.ts'

/** A new entry of a chain: the event, its record, and the sealed values. */
export interface NewChainEntry {
  readonly event: string
  readonly subjectType: string
  readonly subjectId: number
  readonly subject: unknown
  readonly at: Instant
  readonly by: string
}

const HOLD = prepare('SELECT chain_hold($1)')
const ADD = prepare('SELECT chain_add($1, $2, $3, $4, $5::jsonb, $6, $7::timestamptz, $8, $9)')

/** Runs `look` while the client's chain is locked; sent together with the collected writes. */
export async function readWithChainLocked<T>(work: Work, clientId: number, look: () => Promise<T>): Promise<T> {
  const [, found] = await work.flushWith(() => settleAll(work.tx.arrays(HOLD, [clientId]), look()))
  return found
}

/**
 * Appends a link to the client's chain, after any concurrent one. The write is collected and sent with the next flush,
 * at the latest with the commit; its place and predecessor are known only then. Returns the digest of the subject.
 */
export function appendToChain(work: Work, clientId: number, entry: NewChainEntry): string {
  const { event, subjectType, subjectId, by } = entry
  // Rounded as the database returns it.
  const at = entry.at.round('microsecond').toString()
  const subject = canonicalJson(entry.subject)
  const digest = digestOfCanonicalText(subject)
  const rest = linkHashSuffix({ event, subjectType, subjectId, digest, at, by })
  work.follow('seal', ADD, [clientId, event, subjectType, subjectId, subject, digest, at, by, rest])
  return digest
}

const COLUMNS = `form, place, event, subject_type AS "subjectType", subject_id AS "subjectId", digest, previous, hash, by,
  to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`

const asWritten = <L extends { readonly at: string }>(link: L): L => ({
  ...link,
  at: Temporal.Instant.from(link.at).toString(),
})

/** A client's links after a place, in order, without the sealed values. */
export const readLinksAfter = async (
  db: Conn,
  clientId: number,
  after: number,
  limit: number,
): Promise<Omit<ChainLink, 'subject'>[]> => {
  const sql = `SELECT ${COLUMNS} FROM seal WHERE client_id = $1 AND place > $2 ORDER BY place LIMIT $3`
  return (await db.rows<Omit<ChainLink, 'subject'>>(sql, [clientId, after, limit])).map(asWritten)
}

/** A client's links record by record, in order, after a given link. */
export const readLinksByRecord = async (
  db: Conn,
  clientId: number,
  after: Pick<ChainLink, 'subjectType' | 'subjectId' | 'place'> | undefined,
  limit: number,
): Promise<ChainLink[]> => {
  const { subjectType = '', subjectId = 0, place = 0 } = after ?? {}
  const sql = `SELECT ${COLUMNS}, subject FROM seal
    WHERE client_id = $1 AND (subject_type, subject_id, place) > ($2::text, $3::bigint, $4::int)
    ORDER BY subject_type, subject_id, place LIMIT $5`
  return (await db.rows<ChainLink>(sql, [clientId, subjectType, subjectId, place, limit])).map(asWritten)
}
