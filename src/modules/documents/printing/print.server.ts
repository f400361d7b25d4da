import { create as disposition } from 'content-disposition'
import { problem } from '#kernel/errors.ts'
import { integer } from '#kernel/fields.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import { idAtEnd, readId } from '#kernel/iri.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { textOf } from '#kernel/text.ts'
import { readUserNames } from '#modules/identity/people/names.server.ts'
import { readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { DOCUMENT_READERS } from '../rights.ts'
import { type DocumentKind, type DocumentRecord, documentRecordTitle, uploadAddress } from '../types/kind.ts'
import { renderDocumentPdf } from './draw.server.ts'
import { readPrintedHistory, usernamesIn } from './evidence.server.ts'
import { pdfNameOfRevision } from './file-name.ts'
import { gatherMaterial } from './material.server.ts'
import { printForReader } from './reader-print.server.ts'

type Asker = Pick<RouteContext, 'actor' | 'query'>
type Beside = Readonly<Record<string, { readonly author: string }>>

/** A document as a PDF file: the stored PDF of a sealed revision, otherwise rendered for this user. */
export async function printDocument(engine: Engine, kind: DocumentKind, c: Asker, id: number) {
  const record = await engine.one(kind.resource, c.actor, id)
  const clientId = idAtEnd(record.client) ?? PROVIDER
  const beside = await readBeside(engine, kind, c, id)
  const alone = Object.keys(beside).length === 0
  const pdf =
    record.seal && alone
      ? await printForReader(engine, kind, c.actor, record)
      : await printNow(engine, kind, c, { record, clientId, beside })
  const fileName = pdfNameOfRevision(record, documentRecordTitle(kind, record))
  return { pdf, record, fileName }
}

/** Renders a PDF that is not stored: of a draft, or of a document with a record of its use. */
async function printNow(
  engine: Engine,
  kind: DocumentKind,
  { actor }: Asker,
  { record, clientId, beside }: { record: DocumentRecord; clientId: number; beside: Beside },
): Promise<Buffer> {
  const evidence = await readPrintedHistory(engine, actor, kind, record)
  const material = await gatherMaterial(engine, kind, clientId, record, usernamesIn(evidence))
  const whose = actor?.clientId ?? clientId
  // These are people of the printing company, even if the document is the provider's.
  const names = await readUserNames(
    engine,
    whose,
    Object.values(beside).flatMap((b) => [b, ...rowsIn(b)].flatMap(({ author }) => textOf(author) || [])),
  )
  const named = Object.entries(beside).map(
    ([name, b]) => [name, { ...withNames(b, names), recordedBy: names.get(b.author) ?? b.author }] as const,
  )
  // The company's own letterhead is printed, even if the document is the provider's.
  const letterhead = named.length ? await readLetterhead(engine, whose) : material.letterhead
  return renderDocumentPdf(engine, kind, {
    record,
    evidence,
    material: { ...material, letterhead },
    beside: Object.fromEntries(named),
    whose,
  })
}

type Values = Readonly<Record<string, unknown>>

const rowsIn = (record: object): Values[] => Object.values(record).flatMap((value) => rowsOf(value))

/** A record whose rows include their authors' names. */
const withNames = (record: object, names: ReadonlyMap<string, string>): Values =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      Array.isArray(value) && rowsOf(value).some(({ author }) => author)
        ? rowsOf(value).map((row) => ({ ...row, recordedBy: names.get(textOf(row.author)) ?? row.author }))
        : value,
    ]),
  )

/** Records in the query to print with the document. Throws 404 for one of another document. */
async function readBeside(engine: Engine, kind: DocumentKind, c: Asker, id: number): Promise<Beside> {
  const found: Record<string, { readonly author: string }> = {}
  for (const [name, { of, by }] of Object.entries(kind.pdf.beside?.() ?? {})) {
    const asked = readId(c.query[name])
    if (asked === undefined) continue
    const record = await engine.one(of, c.actor, asked)
    if (idAtEnd(uploadAddress(record[by])) !== id) throw problem.notFound()
    found[name] = { ...record, author: textOf(record.author) }
  }
  return found
}

/** `GET {document}/pdf`: opens in the browser. */
export const documentPdfRoute = (kind: DocumentKind): Route => ({
  method: 'GET',
  path: `${kind.resource.url}/{id}/pdf`,
  title: `Get a ${kind.noun} as a PDF file`,
  allow: DOCUMENT_READERS,
  file: ['application/pdf'],
  query: Object.fromEntries(
    Object.entries(kind.pdf.beside?.() ?? {}).map(([name, { of }]) => [
      name,
      integer({ help: `ID of a ${of.type} to print with it.` }),
    ]),
  ),
  handle: async (c) => {
    const id = readId(c.params.id)
    if (id === undefined) throw problem.notFound()
    const { pdf, fileName } = await printDocument(c.engine, kind, c, id)
    return new RouteAnswer(200, pdf, {
      'content-type': 'application/pdf',
      'content-disposition': disposition(fileName, { type: 'inline' }),
    })
  },
})
