import { systemActor } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/engine.ts'
import type { DocumentKind } from '../kinds/kind.ts'
import { kindsOf } from '../kinds/kinds.server.ts'
import { canonical, chain, chainedClients, firstBreak, firstUnsealed, type Link } from './chain.server.ts'
import { subjectOf } from './sealing.server.ts'

export interface Proof {
  readonly clients: number
  readonly links: number
  /** One sentence for the first break of each broken chain. */
  readonly broken: readonly string[]
}

/** The first link of a chain that proves nothing any more. */
interface Break {
  readonly link: Pick<Link, 'place' | 'event' | 'documentId'>
  readonly why: string
}

const PAGE = 500

/**
 * Proves the chain of every client, or of one: each entry follows the one before it, and each sealed revision still says what
 * it said when it was sealed.
 */
export async function verify(engine: Engine, clientId?: number): Promise<Proof> {
  const kinds = kindsOf(engine.rooms)
  const clients = await engine.db.tx('system', (tx) => chainedClients(tx, clientId))
  const broken: string[] = []
  let links = 0
  for (const c of clients) {
    const all = await readChain(engine, c.id)
    links += all.length
    const at =
      firstBreak(all) ?? (await firstChanged(engine, kinds, c.id, all)) ?? (await firstWithoutLink(engine, c.id))
    if (at)
      broken.push(
        `Client ${c.id} (${c.company}), entry ${at.link.place}, "${at.link.event}" of document ${at.link.documentId}: ${at.why}.`,
      )
  }
  return { clients: clients.length, links, broken }
}

async function readChain(engine: Engine, clientId: number): Promise<Link[]> {
  const all: Link[] = []
  for (;;) {
    const page = await engine.db.tx('system', (tx) => chain(tx, clientId, all.length, PAGE))
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

type Words = Readonly<Record<string, unknown>>

const isWords = (value: unknown): value is Words => value !== null && typeof value === 'object' && !Array.isArray(value)

/** A completed revision that no longer says what was sealed. */
async function firstChanged(engine: Engine, kinds: readonly DocumentKind[], clientId: number, links: readonly Link[]) {
  const change = { actor: systemActor(clientId, 'proof of the chain'), requestId: 'verify' }
  return engine.inTenant<Break | undefined>(clientId, change, async (c) => {
    for (const link of links) {
      const sealed = link.subject
      const kind = isWords(sealed) && kinds.find((k) => k.kind === sealed.kind)
      if (link.event !== 'completed' || !kind) continue
      const row = await c.get(kind.resource, link.documentId)
      const why = row ? changeOf(subjectOf(kind, row), sealed, row.seal === link.digest) : 'the document is gone'
      if (why) return () => ({ link, why })
    }
    return () => undefined
  })
}

/** What has been done to the words of a sealed revision. Fields that its kind has got since then are no part of what was sealed. */
function changeOf(now: Words, sealed: Words, sameSeal: boolean): string | undefined {
  if (Object.keys(sealed).some((k) => canonical(pick(now[k], sealed[k])) !== canonical(sealed[k])))
    return 'the document has been changed since it was sealed'
  return sameSeal ? undefined : 'the document carries another fingerprint'
}

/** The value with only those keys that the sealed one has, row by row. */
function pick(now: unknown, sealed: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(sealed))
    return now.length === sealed.length ? now.map((v, i) => pick(v, sealed[i])) : now
  if (isWords(now) && isWords(sealed)) return Object.fromEntries(Object.keys(sealed).map((k) => [k, now[k]]))
  return now
}

/** A revision that claims a seal which is not in the chain. */
async function firstWithoutLink(engine: Engine, clientId: number): Promise<Break | undefined> {
  const documentId = await engine.db.tx('system', (tx) => firstUnsealed(tx, clientId))
  if (documentId === undefined) return undefined
  return { link: { place: 0, event: 'completed', documentId }, why: 'the chain has no entry for it' }
}
