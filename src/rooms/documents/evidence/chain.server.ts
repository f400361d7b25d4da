import type { Instant } from '#kernel/time.ts'
import type { Conn, Tx } from '#server/db/db.ts'
import { canonical, digestOf, type End, type Link, linkHash, START } from './link.server.ts'

/** What is added to a chain: what has happened to which record, and what stands from here on. */
export interface Entry {
  readonly event: string
  readonly subjectType: string
  readonly subjectId: number
  readonly subject: unknown
  readonly at: Instant
  readonly by: string
}

/**
 * Adds a link to the client's chain, after whoever is adding one just now; `read` says what it seals. Answers the digest of the
 * subject.
 */
export async function append(tx: Tx, clientId: number, read: () => Promise<Entry>): Promise<string> {
  // Sent together; the second and the third see what was committed while the first waited.
  const [, [last = START], entry] = await Promise.all([
    tx.rows("SELECT pg_advisory_xact_lock(hashtext('seal'), $1)", [clientId]),
    tx.rows<End>('SELECT place, hash FROM seal WHERE client_id = $1 ORDER BY place DESC LIMIT 1', [clientId]),
    read(),
  ])
  // As the database gives it back.
  const at = entry.at.round('microsecond').toString()
  const subject: unknown = JSON.parse(canonical(entry.subject))
  const { event, subjectType, subjectId, by } = entry
  const about = { form: 2 as const, event, subjectType, subjectId, at, by }
  const link = { ...about, place: last.place + 1, digest: digestOf(subject), previous: last.hash }
  await tx.rows(
    `INSERT INTO seal (client_id, form, place, event, subject_type, subject_id, subject, digest, previous, hash, at, by)
     VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11::timestamptz, $12)`,
    [
      clientId,
      link.form,
      link.place,
      event,
      subjectType,
      subjectId,
      JSON.stringify(subject),
      link.digest,
      link.previous,
      linkHash(link),
      at,
      by,
    ],
  )
  return link.digest
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
