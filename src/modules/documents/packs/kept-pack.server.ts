import type { Actor } from '#kernel/roles.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { digestOf } from '#server/evidence/link.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { type KeptBytes, keepBytes, readKept } from '../printing/kept-bytes.server.ts'
import { readStanding } from '../printing/kept-print.server.ts'
import { lookAtInk } from '../printing/reader-print.server.ts'
import { documentPack, packEvidence } from './document-pack.ts'
import type { Contents } from './gather.server.ts'
import { makePack, type PackOrder } from './make-pack.server.ts'
import { untitled } from './portion.server.ts'

/**
 * Renders a pack. If all parts are sealed, it is rendered once until one of them changes, and stored under its
 * checksum, which is in the client's chain. With a draft in it, it is rendered each time.
 */
export async function packOf(engine: Engine, actor: Actor, contents: Contents, order: PackOrder): Promise<Buffer> {
  const parts = await standingParts(engine, contents)
  if (!parts) return makePack(engine, actor, contents, order)
  const { title, clientId } = order
  const madeOf = digestOf({ title, parts })
  const kept = await packKept(engine, { clientId, madeOf })
  for (const { record, clientId: of } of contents.documents)
    await lookAtInk(engine, actor, { clientId: of, id: record.id })
  if (kept) return readKept(engine, { clientId, pack: title }, kept)
  const pdf = await makePack(engine, actor, contents, order)
  const { checksum, fileKey } = await keepBytes(engine, clientId, 'pack', pdf)
  await engine.inTenant(clientId, { actor, requestId: `pack ${madeOf.slice(0, 8)}` }, async (c) => {
    await keepPack(c, actor, { title, clientId, madeOf, parts }, { checksum, fileKey, bytes: pdf.length })
    return () => undefined
  })
  return pdf
}

/** Title, owner and contents of a pack of sealed revisions. */
interface PackOf {
  readonly title: string
  readonly clientId: number
  readonly madeOf: string
  readonly parts: readonly object[]
}

/** The stored pack with the same contents. */
export async function packKept(engine: Engine, { clientId, madeOf }: Pick<PackOf, 'clientId' | 'madeOf'>) {
  const [kept] = await engine.readIn(clientId, 'read a stored pack', (reader) => reader.find(documentPack, { madeOf }))
  return kept && { checksum: kept.checksum ?? '', fileKey: kept.fileKey ?? '' }
}

export async function keepPack(
  c: Context,
  actor: Actor,
  { title, clientId, madeOf, parts }: PackOf,
  { checksum, fileKey, bytes }: KeptBytes & { readonly bytes: number },
): Promise<void> {
  const author = (actor.original ?? actor).username
  const [added] = await c.work.tx.rows<{ id: number }>(
    `INSERT INTO document_pack (client_id, title, made_of, parts, checksum, bytes, file_key, author, at)
     VALUES ($1, $2, $3, $4::jsonb, $5, $6, $7, $8, $9::timestamptz) ON CONFLICT DO NOTHING RETURNING id`,
    [clientId, title, madeOf, JSON.stringify(parts), checksum, bytes, fileKey, author, c.now.toString()],
  )
  if (added) await sealEvent(c, packEvidence, { event: 'made', id: added.id })
}

/** Identifies a pack's contents; undefined if a part is not sealed. */
async function standingParts(engine: Engine, { documents, files }: Contents) {
  const parts: object[] = []
  for (const { kind, record, clientId } of documents) {
    const standing = record.seal ? await readStanding(engine, { clientId, id: record.id }) : undefined
    if (!standing) return undefined
    const { documentNumber, revision, seal } = record
    parts.push({
      document: record.id,
      documentNumber,
      revision,
      seal,
      stands: standing.stands,
      ...untitled(kind, record),
    })
  }
  return [...parts, ...files.map(({ id, name, checksum }) => ({ file: id, name, checksum }))]
}
