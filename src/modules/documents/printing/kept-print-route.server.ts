import { create as disposition } from 'content-disposition'
import { problem } from '#kernel/errors.ts'
import { readId } from '#kernel/iri.ts'
import { londonDate } from '#kernel/time.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { DOCUMENT_AUTHORS } from '../rights.ts'
import { document } from '../types/document.ts'
import { documentPrint } from '../types/document-print.ts'
import type { DocumentKind } from '../types/kind.ts'
import { untitledReferences } from '../types/reference.ts'
import { pdfNameOf } from './file-name.ts'
import { readStoredBytes } from './kept-bytes.server.ts'
import { readVisibleDrawings } from './reader-print.server.ts'

/**
 * `GET {print}/pdf`: a stored PDF, byte for byte, whatever has happened to its revision since. Throws 403 if it shows
 * drawn signatures or document titles that the user may not see.
 */
export const storedPrintRoute = (kinds: readonly DocumentKind[]): Route => ({
  method: 'GET',
  path: `${documentPrint.url}/{id}/pdf`,
  title: 'Get a stored PDF of a sealed revision',
  allow: DOCUMENT_AUTHORS,
  file: ['application/pdf'],
  handle: async (c) => {
    const id = readId(c.params.id)
    if (id === undefined) throw problem.notFound()
    const { record, pdf, of } = await keptPrint(c, kinds, id)
    const day = londonDate(Temporal.Instant.from(record.createdAt ?? ''))
    const { documentNumber, revision, title } = of
    const fileName = pdfNameOf(`${documentNumber} rev ${revision} as of ${day.toString()} ${title ?? ''}`)
    return new RouteAnswer(200, pdf, {
      'content-type': 'application/pdf',
      'content-disposition': disposition(fileName, { type: 'inline' }),
    })
  },
})

async function keptPrint({ engine, me }: RouteContext, kinds: readonly DocumentKind[], id: number) {
  const record = await engine.one(documentPrint, me, id)
  const { clientId } = me
  const kept = await engine.readIn(clientId, 'locate a stored PDF', (c) => c.get(documentPrint, id))
  if (!kept?.fileKey || !kept.checksum || !kept.document) throw problem.notFound()
  const of = await engine.one(document, me, kept.document)
  const kind = kinds.find((k) => k.kind === of.kind)
  if (kind?.references && untitledReferences(kind.references, await engine.one(kind.resource, me, of.id)).length)
    throw problem.forbidden('This PDF contains the title of a document that is not available to you.')
  const { drawn, ink } = await readVisibleDrawings(engine, me, { clientId, id: kept.document })
  if (ink.size < drawn.length)
    throw problem.forbidden('This PDF contains drawn signatures that are not available to you.')
  const { fileKey, checksum } = kept
  return { record, of, pdf: await readStoredBytes(engine, { clientId, print: id }, { fileKey, checksum }) }
}
