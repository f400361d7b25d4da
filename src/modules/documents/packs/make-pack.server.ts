import type { Actor } from '#kernel/roles.ts'
import { findPictures, type PrintablePicture, readPictures } from '#modules/portal/files/pictures.server.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import type { Engine } from '#server/engine/types.ts'
import { createPackSizeLimit, type PackCover, type PackPart, renderPackDocuments } from '#server/pdf/pack.ts'
import { pdfTemplateInput } from '../printing/draw.server.ts'
import { readPrintedHistory, usernamesIn } from '../printing/evidence.server.ts'
import { ensureStoredPrint, readPrintInput } from '../printing/kept-print.server.ts'
import { gatherMaterial } from '../printing/material.server.ts'
import { printInputForReader } from '../printing/reader-print.server.ts'
import type { ReferredFile } from '../types/reference.ts'
import type { PackContents, PackDocument } from './gather.server.ts'

/** Title and owner of a pack. */
export interface PackOrder {
  readonly title: string
  readonly clientId: number
}

/** Renders the PDF of a pack, each sealed document with the text and pictures of its own stored PDF. */
export async function renderPackPdf(
  engine: Engine,
  actor: Actor,
  { documents, files }: PackContents,
  { title, clientId }: PackOrder,
): Promise<Buffer> {
  const parts: PackPart[] = []
  const take = createPackSizeLimit()
  for (const one of documents) {
    const part = await readPackPart(engine, actor, one)
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
  const about = await packCoverDetails(engine, actor, { title, clientId })
  return renderPackDocuments(
    { ...about, files: packCoverFiles(files, printed), images: packCoverImages(pictures) },
    parts,
    clientId,
  )
}

export async function packCoverDetails(engine: Engine, actor: Actor, { title, clientId }: PackOrder) {
  const head = await readLetterhead(engine, clientId)
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
export const packCoverFiles = (files: readonly ReferredFile[], printed: ReadonlySet<string>): PackCover['files'] =>
  files.map((file) => ({
    name: file.name,
    checksum: file.checksum ?? '',
    printed: printed.has(file.label || file.name),
  }))

export const packCoverImages = (pictures: readonly PrintablePicture[]): PackCover['images'] =>
  pictures.map((p) => ({ ...p, alt: p.caption }))

/** Reads a document for a pack; if sealed, with the text and pictures of its own stored PDF. */
export async function readPackPart(
  engine: Engine,
  actor: Actor,
  { kind, record, clientId }: PackDocument,
): Promise<PackPart> {
  const sealed = { clientId, id: record.id }
  // The stored PDF keeps its external material; the pack uses the same.
  if (record.seal)
    return pdfTemplateInput(
      engine,
      kind,
      printInputForReader(
        kind,
        record,
        await readPrintInput(engine, kind, sealed, await ensureStoredPrint(engine, kind, sealed)),
      ),
    )
  const evidence = await readPrintedHistory(engine, actor, kind, record)
  const material = await gatherMaterial(engine, kind, clientId, record, usernamesIn(evidence))
  return pdfTemplateInput(engine, kind, { record, evidence, material, beside: {}, whose: actor.clientId })
}
