import type { Actor } from '#kernel/roles.ts'
import { findPictures, readPictures, type ShownPicture } from '#modules/portal/files/pictures.server.ts'
import { letterheadOf, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import type { Engine } from '#server/engine/types.ts'
import { limitPackSize, type PackCover, type PackPart, renderPack } from '#server/pdf/pack.ts'
import { partOf } from '../printing/draw.server.ts'
import { readEvidence, usernamesIn } from '../printing/evidence.server.ts'
import { ensurePrint, paperOf } from '../printing/kept-print.server.ts'
import { gatherMaterial } from '../printing/material.server.ts'
import { readBy } from '../printing/reader-print.server.ts'
import type { ReferredFile } from '../types/reference.ts'
import type { Contents, Gathered } from './gather.server.ts'

/** Title and owner of a pack. */
export interface PackOrder {
  readonly title: string
  readonly clientId: number
}

/** Renders the PDF of a pack, each sealed document with the text and pictures of its own stored PDF. */
export async function makePack(
  engine: Engine,
  actor: Actor,
  { documents, files }: Contents,
  { title, clientId }: PackOrder,
): Promise<Buffer> {
  const parts: PackPart[] = []
  const take = limitPackSize()
  for (const one of documents) {
    const part = await readPart(engine, actor, one)
    take(part)
    parts.push(part)
  }
  const pictures = await readPictures(
    engine,
    await findPictures(
      engine,
      clientId,
      files.map(({ id }) => ({ id })),
    ),
  )
  const printed = new Set(pictures.map((p) => p.caption))
  const about = await aboutPack(engine, actor, { title, clientId })
  return renderPack({ ...about, files: filesOf(files, printed), images: imagesOf(pictures) }, parts, clientId)
}

export async function aboutPack(engine: Engine, actor: Actor, { title, clientId }: PackOrder) {
  const head = await letterheadOf(engine, clientId)
  const logo = await readLogo(engine, head)
  return {
    title,
    client: head.client.name,
    ...(logo ? { logo } : {}),
    author: (actor.original ?? actor).name,
    on: engine.clock.now().toString(),
  }
}

/** Files that the documents of a pack refer to. Pictures are printed, identified by caption. */
export const filesOf = (files: readonly ReferredFile[], printed: ReadonlySet<string>): PackCover['files'] =>
  files.map((file) => ({
    name: file.name,
    checksum: file.checksum ?? '',
    printed: printed.has(file.label || file.name),
  }))

export const imagesOf = (pictures: readonly ShownPicture[]): PackCover['images'] =>
  pictures.map((p) => ({ ...p, alt: p.caption }))

/** Reads a document for a pack; if sealed, with the text and pictures of its own stored PDF. */
export async function readPart(engine: Engine, actor: Actor, { kind, record, clientId }: Gathered): Promise<PackPart> {
  const sealed = { clientId, id: record.id }
  // The stored PDF keeps its external material; the pack uses the same.
  if (record.seal)
    return partOf(
      engine,
      kind,
      readBy(kind, record, await paperOf(engine, kind, sealed, await ensurePrint(engine, kind, sealed))),
    )
  const evidence = await readEvidence(engine, actor, kind, record)
  const material = await gatherMaterial(engine, kind, clientId, record, usernamesIn(evidence))
  return partOf(engine, kind, { record, evidence, material, beside: {}, whose: actor.clientId })
}
