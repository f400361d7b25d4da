import type { Actor } from '#kernel/roles.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { digestOfSubject } from '#server/evidence/link.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { readStoredBytes, type StoredBytes, storeBytes } from '../printing/kept-bytes.server.ts'
import { readPrintState } from '../printing/kept-print.server.ts'
import { readVisibleDrawings } from '../printing/reader-print.server.ts'
import { documentPack, packEvidence } from './document-pack.ts'
import type { PackContents } from './gather.server.ts'
import { type PackOrder, renderPackPdf } from './make-pack.server.ts'
import { hiddenTitles } from './portion.server.ts'

/**
 * Renders a pack. If all parts are sealed, it is rendered once until one of them changes, and stored under its
 * checksum, which is in the client's chain. With a draft in it, it is rendered each time.
 */
export async function renderOrLoadPack(
  engine: Engine,
  actor: Actor,
  contents: PackContents,
  order: PackOrder,
): Promise<Buffer> {
  const parts = await standingParts(engine, contents)
  if (!parts) return renderPackPdf(engine, actor, contents, order)
  const { title, clientId } = order
  const madeOf = digestOfSubject({ title, parts })
  const kept = await findStoredPack(engine, { clientId, madeOf })
  for (const { record, clientId: of } of contents.documents)
    await readVisibleDrawings(engine, actor, { clientId: of, id: record.id })
  if (kept) return readStoredBytes(engine, { clientId, pack: title }, kept)
  const pdf = await renderPackPdf(engine, actor, contents, order)
  const { checksum, fileKey } = await storeBytes(engine, clientId, 'pack', pdf)
  await engine.inTenant(clientId, { actor, requestId: `pack ${madeOf.slice(0, 8)}` }, async (c) => {
    await recordStoredPack(c, actor, { title, clientId, madeOf, parts }, { checksum, fileKey, bytes: pdf.length })
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
export async function findStoredPack(engine: Engine, { clientId, madeOf }: Pick<PackOf, 'clientId' | 'madeOf'>) {
  const [kept] = await engine.readIn(clientId, 'read a stored pack', (reader) => reader.find(documentPack, { madeOf }))
  return kept && { checksum: kept.checksum ?? '', fileKey: kept.fileKey ?? '' }
}

export async function recordStoredPack(
  c: Context,
  actor: Actor,
  { title, clientId, madeOf, parts }: PackOf,
  { checksum, fileKey, bytes }: StoredBytes & { readonly bytes: number },
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
async function standingParts(engine: Engine, { documents, files }: PackContents) {
  const parts: object[] = []
  for (const { kind, record, clientId } of documents) {
    const standing = record.seal ? await readPrintState(engine, { clientId, id: record.id }) : undefined
    if (!standing) return undefined
    const { documentNumber, revision, seal } = record
    parts.push({
      document: record.id,
      documentNumber,
      revision,
      seal,
      stands: standing.stands,
      ...hiddenTitles(kind, record),
    })
  }
  return [...parts, ...files.map(({ id, name, checksum }) => ({ file: id, name, checksum }))]
}
