import { problem, violation } from '#kernel/errors.ts'
import { idByIri } from '#kernel/iri.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { gatherPack, packOwner, packTitle } from '../packs/gather.server.ts'
import { assertPackShareable, assertShareable } from '../packs/handed-over.server.ts'
import { renderOrLoadPack } from '../packs/kept-pack.server.ts'
import { readDocumentIds } from '../packs/pack-routes.server.ts'
import { pdfNameOf } from '../printing/file-name.ts'
import { printDocument } from '../printing/print.server.ts'
import { type DocumentKind, documentRecordTitle } from '../types/kind.ts'
import { PACK_NOUN } from './letter-words.ts'

/** Contents of one e-mail. */
export interface EmailAttachment {
  readonly pdf: Buffer
  readonly fileName: string
  /** Noun and title in the e-mail. */
  readonly noun: string
  readonly title: string
  /** The company's own documents in it. */
  readonly documents: readonly number[]
}

/**
 * Reads what a request asks to send: one document or a pack. Throws 422 if neither, 409 if it must not leave the
 * company.
 */
export async function readEmailAttachment(c: RouteContext, kinds: readonly DocumentKind[]): Promise<EmailAttachment> {
  const { document: iri, documents, deep } = c.body
  if (documents !== undefined) return packParcel(c, kinds, { ids: readDocumentIds(documents), deep: deep === true })
  const kind = kinds.find((k) => idByIri(k.resource, iri) !== undefined)
  const id = kind && idByIri(kind.resource, iri)
  if (!kind || id === undefined) throw problem.invalid([violation('document', 'Please choose the document to send')])
  return deep === true ? packParcel(c, kinds, { ids: [id], deep }) : paperParcel(c, kind, id)
}

async function paperParcel(c: RouteContext, kind: DocumentKind, id: number): Promise<EmailAttachment> {
  assertShareable(c.me, await c.engine.one(kind.resource, c.actor, id), `This ${kind.noun}`)
  const { pdf, record, fileName } = await printDocument(c.engine, kind, c, id)
  const title = `${record.documentNumber} ${documentRecordTitle(kind, record)}`
  return { pdf, fileName, noun: kind.noun, title, documents: [id] }
}

/** A pack: directly selected documents must be the company's own; provider documents accompany them. */
async function packParcel(
  c: RouteContext,
  kinds: readonly DocumentKind[],
  asked: { readonly ids: readonly number[]; readonly deep: boolean },
): Promise<EmailAttachment> {
  const contents = await gatherPack(c.engine, kinds, c.me, asked)
  const { documents } = contents
  const [first] = documents
  if (!first) throw problem.notFound()
  const own = assertPackShareable(c.me, contents, asked.ids)
  const title = packTitle(first, documents.length - 1)
  const pdf = await renderOrLoadPack(c.engine, c.me, contents, { title, clientId: packOwner(documents) })
  return {
    pdf,
    fileName: pdfNameOf(`Pack ${title}`),
    noun: PACK_NOUN,
    title,
    documents: own.map(({ record }) => record.id),
  }
}
