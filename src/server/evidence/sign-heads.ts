import { schedule } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import { readLinksAfter } from './chain.ts'
import { appendHeads } from './head-file.ts'
import { type EvidenceKeys, existingEvidenceKeys, type SignedHead, signingKeys } from './keys.ts'
import { CHAIN_START, type ChainEnd, findLinkError } from './link.ts'

const PAGE = 500

interface Grown {
  readonly clientId: number
  /** Place of the last signed head. */
  readonly entries: number | null
  readonly hash: string | null
}

/**
 * Signs the heads of all chains that have grown. Seals don't wait for it: entries newer than the last head are no
 * finding, so an interruption in between is harmless. Entries that don't follow from the last head are not signed.
 */
export const headSigningSchedule = schedule({
  name: 'evidence.heads',
  every: { minutes: 1 },
  run: async (engine) => {
    const grown = await grownChains(engine)
    if (!grown.length) return
    const keys = signingKeys(engine.config)
    const signed: SignedHead[] = []
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

/** Returns a head for the entries since the last one; `undefined` if they don't follow from it. */
async function signGrown(
  engine: Engine,
  keys: EvidenceKeys,
  { clientId, entries, hash }: Grown,
): Promise<SignedHead | undefined> {
  let end: ChainEnd = entries === null ? CHAIN_START : { place: entries, hash: hash ?? '' }
  for (;;) {
    const page = await readLinksAfter(engine.db.read, clientId, end.place, PAGE)
    for (const link of page) {
      if (findLinkError(link, end)) return undefined
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

/** Database first, then the file: an interruption in between leaves the file behind, which is no finding. */
async function keepHeads(engine: Engine, heads: readonly SignedHead[]): Promise<void> {
  await engine.db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO seal_head (client_id, entries, hash, at, key, signature)
       SELECT "clientId", entries, hash, at, key, signature
       FROM jsonb_to_recordset($1::jsonb) AS h ("clientId" int, entries int, hash text, at timestamptz, key text, signature text)`,
      [JSON.stringify(heads)],
    ),
  )
  await appendHeads(engine.config, heads)
}

/** Returns the public key that signs heads; `undefined` before there is one. */
export const evidencePublicKey = (engine: Engine): string | undefined => existingEvidenceKeys(engine.config).names[0]
