import { create as disposition } from 'content-disposition'
import { problem } from '#kernel/errors.ts'
import { integer } from '#kernel/fields.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import { idAtEnd, readId } from '#kernel/iri.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { textOf } from '#kernel/text.ts'
import { readNames } from '#modules/identity/people/names.server.ts'
import { letterheadOf } from '#modules/portal/letterhead/letterhead.server.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { READERS } from '../rights.ts'
import { addressOf, type DocumentKind, type DocumentRecord, titleIn } from '../types/kind.ts'
import { draw } from './draw.server.ts'
import { readEvidence, usernamesIn } from './evidence.server.ts'
import { paperName } from './file-name.ts'
import { gatherMaterial } from './material.server.ts'
import { printFor } from './reader-print.server.ts'

type Asker = Pick<RouteContext, 'actor' | 'query'>
type Beside = Readonly<Record<string, { readonly author: string }>>

/** A document as a PDF file: the stored PDF of a sealed revision, otherwise rendered for this user. */
export async function print(engine: Engine, kind: DocumentKind, c: Asker, id: number) {
  const record = await engine.one(kind.resource, c.actor, id)
  const clientId = idAtEnd(record.client) ?? PROVIDER
  const beside = await readBeside(engine, kind, c, id)
  const alone = Object.keys(beside).length === 0
  const pdf =
    record.seal && alone
      ? await printFor(engine, kind, c.actor, record)
      : await printNow(engine, kind, c, { record, clientId, beside })
  const fileName = paperName(record, titleIn(kind, record))
  return { pdf, record, fileName }
}

/** Renders a PDF that is not stored: of a draft, or of a document with a record of its use. */
async function printNow(
  engine: Engine,
  kind: DocumentKind,
  { actor }: Asker,
  { record, clientId, beside }: { record: DocumentRecord; clientId: number; beside: Beside },
): Promise<Buffer> {
  const evidence = await readEvidence(engine, actor, kind, record)
  const material = await gatherMaterial(engine, kind, clientId, record, usernamesIn(evidence))
  const whose = actor?.clientId ?? clientId
  // These are people of the printing company, even if the document is the provider's.
  const names = await readNames(
    engine,
    whose,
    Object.values(beside).flatMap((b) => [b, ...rowsIn(b)].flatMap(({ author }) => textOf(author) || [])),
  )
  const named = Object.entries(beside).map(
    ([name, b]) => [name, { ...withNames(b, names), recordedBy: names.get(b.author) ?? b.author }] as const,
  )
  // The company's own letterhead is printed, even if the document is the provider's.
  const letterhead = named.length ? await letterheadOf(engine, whose) : material.letterhead
  return draw(engine, kind, {
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
    if (idAtEnd(addressOf(record[by])) !== id) throw problem.notFound()
    found[name] = { ...record, author: textOf(record.author) }
  }
  return found
}

/** `GET {document}/pdf`: opens in the browser. */
export const pdfRoute = (kind: DocumentKind): Route => ({
  method: 'GET',
  path: `${kind.resource.url}/{id}/pdf`,
  title: `Get a ${kind.noun} as a PDF file`,
  allow: READERS,
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
    const { pdf, fileName } = await print(c.engine, kind, c, id)
    return new RouteAnswer(200, pdf, {
      'content-type': 'application/pdf',
      'content-disposition': disposition(fileName, { type: 'inline' }),
    })
  },
})
