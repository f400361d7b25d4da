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
 * A pack of what was gathered. One of sealed revisions only is made once for as long as nothing is done with any of them: kept in
 * the file store under its checksum, which is in the client's chain. One with a draft in it is made anew each time.
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

/** A pack of sealed revisions: what it is called, whose it is, and what it is made of. */
interface PackOf {
  readonly title: string
  readonly clientId: number
  readonly madeOf: string
  readonly parts: readonly object[]
}

/** The pack that was made of the same before. */
export async function packKept(engine: Engine, { clientId, madeOf }: Pick<PackOf, 'clientId' | 'madeOf'>) {
  const [kept] = await engine.readIn(clientId, 'a pack that was made before', (reader) =>
    reader.find(documentPack, { madeOf }),
  )
  return kept && { checksum: kept.checksum ?? '', fileKey: kept.fileKey ?? '' }
}

/** Writes down that a pack is kept, and seals it. */
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

/** What a pack is made of, as it stands; nothing where a part of it is not sealed. */
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
