import { hash } from 'node:crypto'
import type { Instant } from '#kernel/time.ts'
import type { Conn, Tx } from '#server/db/db.ts'

/** One link of a client's chain, as it is kept. Hashes are SHA-256 in hexadecimal; `at` is an ISO 8601 instant in UTC. */
export interface Link {
  readonly place: number
  readonly event: string
  readonly documentId: number
  readonly subject: unknown
  readonly digest: string
  readonly previous: string
  readonly hash: string
  readonly at: string
  readonly by: string
}

/** What the first link of every chain follows. */
export const BEGINNING = '0'.repeat(64)

/** JSON with its keys in order and without empty values: the same thing always has the same text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((v) => canonical(v ?? null)).join(',')}]`
  if (value && typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, v]) => v !== undefined && v !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`)
      .join(',')}}`
  return JSON.stringify(value ?? null)
}

export const digestOf = (subject: unknown): string => hash('sha256', canonical(subject), 'hex')

/** The fingerprint of a link: of what it seals, its place, and the link before it. */
export const linkHash = (l: Omit<Link, 'hash' | 'subject'>): string =>
  hash('sha256', canonical([l.previous, l.place, l.event, l.documentId, l.digest, l.at, l.by]), 'hex')

/** What is wrong with the first broken link, or `undefined`. `links` are in their order, from the beginning. */
export function firstBreak(links: readonly Link[]): { readonly link: Link; readonly why: string } | undefined {
  let previous = BEGINNING
  for (const [i, link] of links.entries()) {
    const why =
      link.place !== i + 1
        ? `place ${i + 1} is missing`
        : link.previous !== previous
          ? 'it does not follow the entry before it'
          : digestOf(link.subject) !== link.digest
            ? 'what it sealed has been changed'
            : linkHash(link) !== link.hash
              ? 'its own entry has been changed'
              : undefined
    if (why) return { link, why }
    previous = link.hash
  }
  return undefined
}

/** Adds a link to the client's chain, after whoever is adding one just now. Answers the digest of the subject. */
export async function append(
  tx: Tx,
  clientId: number,
  entry: { event: string; documentId: number; subject: unknown; at: Instant; by: string },
): Promise<string> {
  await tx.rows("SELECT pg_advisory_xact_lock(hashtext('seal'), $1)", [clientId])
  const [last] = await tx.rows<{ place: number; hash: string }>(
    'SELECT place, hash FROM seal WHERE client_id = $1 ORDER BY place DESC LIMIT 1',
    [clientId],
  )
  // As the database gives it back.
  const at = entry.at.round('microsecond').toString()
  const subject: unknown = JSON.parse(canonical(entry.subject))
  const link = {
    place: (last?.place ?? 0) + 1,
    event: entry.event,
    documentId: entry.documentId,
    digest: digestOf(subject),
    previous: last?.hash ?? BEGINNING,
    at,
    by: entry.by,
  }
  await tx.rows(
    'INSERT INTO seal (client_id, place, event, document_id, subject, digest, previous, hash, at, by) VALUES ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $9::timestamptz, $10)',
    [
      clientId,
      link.place,
      link.event,
      link.documentId,
      JSON.stringify(subject),
      link.digest,
      link.previous,
      linkHash(link),
      at,
      link.by,
    ],
  )
  return link.digest
}

/** A client's chain from a place on. */
export const chain = (db: Conn, clientId: number, after = 0, limit = 500): Promise<Link[]> =>
  db
    .rows<Link & { at: string }>(
      `SELECT place, event, document_id AS "documentId", subject, digest, previous, hash, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, by FROM seal WHERE client_id = $1 AND place > $2 ORDER BY place LIMIT $3`,
      [clientId, after, limit],
    )
    .then((links) => links.map((l) => ({ ...l, at: Temporal.Instant.from(l.at).toString() })))

/** The clients that have a chain; of these, the one asked for. */
export const chainedClients = (db: Conn, clientId?: number) =>
  db.rows<{ id: number; company: string }>(
    'SELECT id, company FROM client WHERE ($1::int IS NULL OR id = $1) AND EXISTS (SELECT 1 FROM seal WHERE client_id = client.id) ORDER BY id',
    [clientId ?? null],
  )

/** The first document that is complete though the chain does not say so. */
export const firstUnsealed = (db: Conn, clientId: number): Promise<number | undefined> =>
  db
    .rows<{ id: number }>(
      "SELECT d.id FROM document d WHERE d.client_id = $1 AND d.complete AND NOT EXISTS (SELECT 1 FROM seal s WHERE s.client_id = d.client_id AND s.document_id = d.id AND s.event = 'completed' AND s.digest = d.seal) ORDER BY d.id LIMIT 1",
      [clientId],
    )
    .then(([row]) => row?.id)
