import { settleAll } from '#kernel/settle-all.ts'
import type { Instant } from '#kernel/time.ts'
import { prepare } from '#server/data/values.ts'
import type { Work } from '#server/data/writing/work.ts'
import type { Conn } from '#server/db/db.ts'
import { canonical, digestOfText, type Link, restOfLink } from './link.ts'

/** What is added to a chain: what has happened to which record, and what stands from here on. */
export interface Entry {
  readonly event: string
  readonly subjectType: string
  readonly subjectId: number
  readonly subject: unknown
  readonly at: Instant
  readonly by: string
}

const HOLD = prepare('SELECT chain_hold($1)')
const ADD = prepare('SELECT chain_add($1, $2, $3, $4, $5::jsonb, $6, $7::timestamptz, $8, $9)')

/** What `look` reads while nobody else adds to the client's chain; sent with what was collected. */
export async function lookHeld<T>(work: Work, clientId: number, look: () => Promise<T>): Promise<T> {
  const [, found] = await work.flushWith(() => settleAll(work.tx.arrays(HOLD, [clientId]), look()))
  return found
}

/**
 * Adds a link to the client's chain, after whoever is adding one just now. It is collected, and goes with what comes next, the commit
 * at the latest: its place and the link before it are known once it is sent. Answers the digest of the subject.
 */
export function append(work: Work, clientId: number, entry: Entry): string {
  const { event, subjectType, subjectId, by } = entry
  // As the database gives it back.
  const at = entry.at.round('microsecond').toString()
  const subject = canonical(entry.subject)
  const digest = digestOfText(subject)
  const rest = restOfLink({ event, subjectType, subjectId, digest, at, by })
  work.follow('seal', ADD, [clientId, event, subjectType, subjectId, subject, digest, at, by, rest])
  return digest
}

const COLUMNS = `form, place, event, subject_type AS "subjectType", subject_id AS "subjectId", digest, previous, hash, by,
  to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`

const asWritten = <L extends { readonly at: string }>(link: L): L => ({
  ...link,
  at: Temporal.Instant.from(link.at).toString(),
})

/** A client's chain from a place on, in its order, without what was sealed. */
export const linksAfter = async (
  db: Conn,
  clientId: number,
  after: number,
  limit: number,
): Promise<Omit<Link, 'subject'>[]> => {
  const sql = `SELECT ${COLUMNS} FROM seal WHERE client_id = $1 AND place > $2 ORDER BY place LIMIT $3`
  return (await db.rows<Omit<Link, 'subject'>>(sql, [clientId, after, limit])).map(asWritten)
}

/** A client's chain record by record, each in the order of its links, from after a link on. */
export const linksByRecord = async (
  db: Conn,
  clientId: number,
  after: Pick<Link, 'subjectType' | 'subjectId' | 'place'> | undefined,
  limit: number,
): Promise<Link[]> => {
  const { subjectType = '', subjectId = 0, place = 0 } = after ?? {}
  const sql = `SELECT ${COLUMNS}, subject FROM seal
    WHERE client_id = $1 AND (subject_type, subject_id, place) > ($2::text, $3::bigint, $4::int)
    ORDER BY subject_type, subject_id, place LIMIT $5`
  return (await db.rows<Link>(sql, [clientId, subjectType, subjectId, place, limit])).map(asWritten)
}
