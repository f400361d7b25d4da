import { settleAll } from '#kernel/settle-all.ts'
import type { Instant } from '#kernel/time.ts'
import { prepareSql } from '#server/data/values.ts'
import type { TransactionWrites } from '#server/data/writing/work.ts'
import type { SqlConn } from '#server/db/db.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import { type EvidenceKeys, loadEvidenceKeys, loadOrCreateEvidenceKeys, type SignedChainHead } from './keys.ts'
import {
  CHAIN_START,
  type ChainEnd,
  type ChainLink,
  canonicalJson,
  chainLinkHashSuffix,
  digestCanonicalText,
  findChainLinkError,
} from './link.ts'
import { appendChainHeads } from './verify-heads.ts'

/** A new entry for a chain: the event, its record, and the values to seal. */
export interface NewChainEntry {
  readonly event: string
  readonly subjectType: string
  readonly subjectId: number
  readonly subject: unknown
  readonly at: Instant
  readonly by: string
}

const HOLD = prepareSql('SELECT chain_hold($1)')
const ADD = prepareSql('SELECT chain_add($1, $2, $3, $4, $5::jsonb, $6, $7::timestamptz, $8, $9)')

/** Runs a read query while the client's chain is locked. The query is sent together with the collected writes. */
export async function readWithChainLocked<T>(
  work: TransactionWrites,
  clientId: number,
  look: () => Promise<T>,
): Promise<T> {
  const [, found] = await work.flushWith(() => settleAll(work.tx.arrays(HOLD, [clientId]), look()))
  return found
}

/**
 * Appends a link to the client's chain, after any link that is added concurrently. The write is collected and sent with
 * the next flush, or with the commit at the latest. The link's position and predecessor are known only then. Returns
 * the digest of the subject.
 */
export function appendToChain(work: TransactionWrites, clientId: number, entry: NewChainEntry): string {
  const { event, subjectType, subjectId, by } = entry
  // Rounded to microseconds, because the database returns the time with this precision.
  const at = entry.at.round('microsecond').toString()
  const subject = canonicalJson(entry.subject)
  const digest = digestCanonicalText(subject)
  const rest = chainLinkHashSuffix({ event, subjectType, subjectId, digest, at, by })
  work.follow('seal', ADD, [clientId, event, subjectType, subjectId, subject, digest, at, by, rest])
  return digest
}

const COLUMNS = `form, place, event, subject_type AS "subjectType", subject_id AS "subjectId", digest, previous, hash, by,
  to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`

const asWritten = <L extends { readonly at: string }>(link: L): L => ({
  ...link,
  at: Temporal.Instant.from(link.at).toString(),
})

/** Reads a client's links after a position, in order, without the sealed values. */
export const readChainLinksAfter = async (
  db: SqlConn,
  clientId: number,
  after: number,
  limit: number,
): Promise<Omit<ChainLink, 'subject'>[]> => {
  const sql = `SELECT ${COLUMNS} FROM seal WHERE client_id = $1 AND place > $2 ORDER BY place LIMIT $3`
  return (await db.rows<Omit<ChainLink, 'subject'>>(sql, [clientId, after, limit])).map(asWritten)
}

/** Reads a client's links after a given link, grouped by record and in order within each record. */
export const readChainLinksByRecord = async (
  db: SqlConn,
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

const PAGE = 500

interface Grown {
  readonly clientId: number
  /** Position of the last signed head. */
  readonly entries: number | null
  readonly hash: string | null
}

/**
 * Signs the heads of all chains that have grown. Events are sealed without waiting for a signature. An interruption is
 * harmless, because verification accepts entries that are newer than the last signed head. A chain whose new entries
 * don't follow from the last head is not signed.
 */
export const chainHeadSigningSchedule = schedule({
  name: 'evidence.heads',
  every: { minutes: 1 },
  run: async (engine) => {
    const grown = await grownChains(engine)
    if (!grown.length) return
    const keys = loadOrCreateEvidenceKeys(engine.config)
    const signed: SignedChainHead[] = []
    for (const one of grown) {
      const head = await signGrown(engine, keys, one)
      if (head) signed.push(head)
    }
    if (signed.length) await keepHeads(engine, signed)
  },
})

const grownChains = (engine: Engine): Promise<Grown[]> =>
  engine.db.read.rows<Grown>(
    `SELECT c.id AS "clientId", h.entries, h.hash FROM client c
     CROSS JOIN LATERAL (SELECT s.place FROM seal s WHERE s.client_id = c.id ORDER BY s.place DESC LIMIT 1) s
     LEFT JOIN LATERAL (SELECT h.entries, h.hash FROM seal_head h WHERE h.client_id = c.id ORDER BY h.entries DESC, h.id DESC LIMIT 1) h ON true
     WHERE h.entries IS NULL OR s.place > h.entries ORDER BY c.id`,
  )

/**
 * Returns a signed head that includes the entries since the last head; `undefined` if these entries don't follow from
 * the last head.
 */
async function signGrown(
  engine: Engine,
  keys: EvidenceKeys,
  { clientId, entries, hash }: Grown,
): Promise<SignedChainHead | undefined> {
  let end: ChainEnd = entries === null ? CHAIN_START : { place: entries, hash: hash ?? '' }
  for (;;) {
    const page = await readChainLinksAfter(engine.db.read, clientId, end.place, PAGE)
    for (const link of page) {
      if (findChainLinkError(link, end)) return undefined
      end = link
    }
    if (page.length < PAGE) break
  }
  return keys.sign({
    clientId,
    entries: end.place,
    hash: end.hash,
    at: engine.clock.now().round('microsecond').toString(),
  })
}

/**
 * Writes heads to the database first, then to the file. After an interruption in between, the file lacks these heads,
 * which is not reported as a mismatch.
 */
async function keepHeads(engine: Engine, heads: readonly SignedChainHead[]): Promise<void> {
  await engine.db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO seal_head (client_id, entries, hash, at, key, signature)
       SELECT "clientId", entries, hash, at, key, signature
       FROM jsonb_to_recordset($1::jsonb) AS h ("clientId" int, entries int, hash text, at timestamptz, key text, signature text)`,
      [JSON.stringify(heads)],
    ),
  )
  await appendChainHeads(engine.config, heads)
}

/** Returns the public key that signs heads; `undefined` if no key has been created yet. */
export const evidencePublicKey = (engine: Engine): string | undefined => loadEvidenceKeys(engine.config).names[0]
