import { recordsOf } from '#server/data/held.ts'
import type { Engine } from '#server/engine.ts'
import type { DocumentKind } from '../kinds/kind.ts'
import { canonical, chain, firstBreak, type Link } from './chain.server.ts'
import { subjectOf } from './sealing.server.ts'

export interface Proof {
  readonly clients: number
  readonly links: number
  /** One sentence for the first break of each broken chain. */
  readonly broken: readonly string[]
}

const PAGE = 500

/**
 * Proves the chain of every client, or of one: each entry follows the one before it, and each sealed revision still says what
 * it said when it was sealed.
 */
export async function verify(engine: Engine, kinds: readonly DocumentKind[], clientId?: number): Promise<Proof> {
  const clients = await engine.db.tx('system', (tx) =>
    tx.rows<{ id: number; company: string }>(
      'SELECT id, company FROM client WHERE ($1::int IS NULL OR id = $1) AND EXISTS (SELECT 1 FROM seal WHERE client_id = client.id) ORDER BY id',
      [clientId ?? null],
    ),
  )
  const broken: string[] = []
  let links = 0
  for (const c of clients) {
    const all = await readAll(engine, c.id)
    links += all.length
    const at = firstBreak(all) ?? (await firstChanged(engine, kinds, c.id, all)) ?? (await firstUnsealed(engine, c.id))
    if (at)
      broken.push(
        `Client ${c.id} (${c.company}), entry ${at.link.place}, "${at.link.event}" of document ${at.link.documentId}: ${at.why}.`,
      )
  }
  return { clients: clients.length, links, broken }
}

async function readAll(engine: Engine, clientId: number): Promise<Link[]> {
  const all: Link[] = []
  for (;;) {
    const page = await engine.db.tx('system', (tx) => chain(tx, clientId, all.length, PAGE))
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

/** A completed revision that no longer says what was sealed. */
async function firstChanged(engine: Engine, kinds: readonly DocumentKind[], clientId: number, links: readonly Link[]) {
  for (const link of links) {
    if (link.event !== 'completed') continue
    const sealed = link.subject as Record<string, unknown>
    const kind = kinds.find((k) => k.kind === sealed.kind)
    if (!kind) continue
    const [row] = await recordsOf(
      engine.db.read,
      kind.resource,
      clientId,
      (next) => `t.id = ${next(link.documentId)}::bigint`,
    )
    const now = row && subjectOf(kind, row)
    // Fields that a kind has got since then are no part of what was sealed.
    const differs = !now || Object.keys(sealed).some((k) => canonical(pick(now[k], sealed[k])) !== canonical(sealed[k]))
    if (differs)
      return { link, why: row ? 'the document has been changed since it was sealed' : 'the document is gone' }
    if (row.seal !== link.digest) return { link, why: 'the document carries another fingerprint' }
  }
  return undefined
}

/** The value with only those keys that the sealed one has, row by row. */
function pick(now: unknown, sealed: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(sealed))
    return now.length === sealed.length ? now.map((v, i) => pick(v, sealed[i])) : now
  if (now && typeof now === 'object' && sealed && typeof sealed === 'object' && !Array.isArray(sealed))
    return Object.fromEntries(Object.keys(sealed).map((k) => [k, (now as Record<string, unknown>)[k]]))
  return now
}

/** A revision that claims a seal which is not in the chain. */
async function firstUnsealed(engine: Engine, clientId: number) {
  const [row] = await engine.db.tx('system', (tx) =>
    tx.rows<{ id: number }>(
      "SELECT d.id FROM document d WHERE d.client_id = $1 AND d.complete AND NOT EXISTS (SELECT 1 FROM seal s WHERE s.client_id = d.client_id AND s.document_id = d.id AND s.event = 'completed' AND s.digest = d.seal) ORDER BY d.id LIMIT 1",
      [clientId],
    ),
  )
  return row && { link: { place: 0, event: 'completed', documentId: row.id }, why: 'the chain has no entry for it' }
}
