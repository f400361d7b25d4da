import { join } from 'node:path'
import { create as disposition } from 'content-disposition'
import { problem } from '#kernel/errors.ts'
import { integer } from '#kernel/fields.ts'
import { idAtEnd, readId } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { printedInk } from '#kernel/signature.ts'
import { readNames } from '#rooms/identity/offers.server.ts'
import { letterheadOf, readPictures } from '#rooms/portal/offers.server.ts'
import type { Sent } from '#server/data/plan.ts'
import type { Engine } from '#server/engine/engine.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { type Furniture, renderDocument } from '#server/pdf/furniture.ts'
import { signature } from '../kinds/document.ts'
import { addressOf, type DocumentKind, type DocumentRecord, type Picture, titleIn } from '../kinds/kind.ts'
import { READERS } from '../kinds/rights.ts'
import { STATE_WORDS } from '../kinds/states.ts'
import { readInk } from '../signing/ink.server.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const ALL = { limit: 500, offset: 0 }
const MOST_PICTURES = 24

type Asker = Pick<RouteContext, 'actor' | 'query'>
type NameOf = (username: string | null) => string

/** A document of a kind as a PDF file, as this person may see it. */
export async function print(engine: Engine, kind: DocumentKind, c: Asker, id: number) {
  const r = kind.resource
  const record = await engine.one(r, c.actor, id)
  const { documentNumber, revision } = record
  const clientId = idAtEnd(record.client) ?? PROVIDER
  const [history, signatures, letterhead, images, more] = await Promise.all([
    engine.list(r, c.actor, { documentNumber, 'order[revision]': 'desc' }, ALL),
    engine.list(signature, c.actor, { document: `${id}` }, ALL),
    letterheadOf(engine, clientId),
    picturesOf(engine, clientId, record),
    readBeside(engine, kind, c),
  ])
  const own = history.members.filter((m) => m.client === record.client)
  const ink = c.actor ? await readInk(engine, c.actor, clientId, signatures.members) : new Map<number, unknown>()
  const names = await readNames(engine, clientId, usernamesOf([record, ...own]))
  const nameOf: NameOf = (username) => names.get(username ?? '') || (username ?? '')
  const pdf = await renderDocument({
    template: join(ROOT, kind.pdf.template),
    furniture: {
      ...letterhead,
      ...furnitureOf(kind, record, nameOf),
      ...evidenceOf(own, signatures.members, ink, nameOf),
    },
    client: c.actor?.clientId ?? clientId,
    body: kind.pdf.body(record, { ...more, images }),
  })
  return { pdf, record, fileName: fileNameOf(`${documentNumber} rev ${revision} ${titleIn(kind, record)}`) }
}

const fileNameOf = (called: string) =>
  `${called
    .replace(/[^\w .-]+/g, ' ')
    .slice(0, 100)
    .trim()}.pdf`

function furnitureOf(kind: DocumentKind, record: DocumentRecord, nameOf: NameOf) {
  const { noun } = kind
  const { completedAt, approvedAt, reviewDue, seal } = record
  return {
    number: record.documentNumber,
    revision: record.revision,
    state: record.retired && record.state !== 'rejected' ? ('retired' as const) : record.state,
    kindName: noun.charAt(0).toUpperCase() + noun.slice(1),
    title: titleIn(kind, record) || `Untitled ${noun}`,
    author: nameOf(record.author),
    createdOn: record.createdAt,
    ...(completedAt ? { completedOn: completedAt } : {}),
    ...(approvedAt ? { approvedBy: nameOf(record.authorUsername), approvedOn: approvedAt } : {}),
    ...(reviewDue ? { reviewDue } : {}),
    ...(seal ? { seal } : {}),
  }
}

/** What was done with the document: its revisions, and who signed. */
function evidenceOf(
  history: readonly DocumentRecord[],
  signatures: readonly RecordOf<typeof signature>[],
  ink: ReadonlyMap<number, unknown>,
  nameOf: NameOf,
): Pick<Furniture, 'signatures' | 'history'> {
  return {
    signatures: signatures.map((s) => printedSignature(s, ink.get(s.id))),
    history: history.map((h) => ({
      revision: h.revision,
      state: STATE_WORDS[h.retired ? 'retired' : h.state],
      on: h.completedAt ?? h.createdAt,
      by: nameOf(h.completedBy ?? h.author),
      ...(h.decisionNote ? { note: h.decisionNote } : {}),
    })),
  }
}

const printedSignature = (s: RecordOf<typeof signature>, ink: unknown): Furniture['signatures'][number] => ({
  name: s.name,
  at: s.signedAt,
  method: s.method,
  ...(s.byName ? { by: s.byName } : {}),
  ...(s.visitor ? { visitor: true } : {}),
  ...(s.statement ? { statement: s.statement } : {}),
  ...printedInk(ink),
})

const usernamesOf = (records: readonly DocumentRecord[]): string[] =>
  records.flatMap((r) => [r.author, r.completedBy, r.authorUsername].filter((name) => name !== null))

/** The pictures among a record's uploads, as they are shown. */
async function picturesOf(engine: Engine, clientId: number, record: Sent): Promise<Picture[]> {
  const { uploadedDocuments: uploads } = record
  const ids = (Array.isArray(uploads) ? uploads : []).flatMap((upload) => idAtEnd(addressOf(upload)) ?? [])
  const pictures = await readPictures(engine, clientId, ids, MOST_PICTURES)
  return pictures.map((picture) => ({ ...picture, alt: picture.caption }))
}

/** `GET {document}/pdf`: opens in the browser. */
export const pdfRoute = (kind: DocumentKind): Route => ({
  method: 'GET',
  path: `${kind.resource.url}/{id}/pdf`,
  title: `A ${kind.noun} as a PDF file`,
  allow: READERS,
  bytes: true,
  query: Object.fromEntries(
    Object.entries(kind.pdf.beside?.() ?? {}).map(([name, r]) => [
      name,
      integer({ help: `The id of a ${r.type} to print with it.` }),
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

/** The records that the query asks to be printed with the document. */
async function readBeside(engine: Engine, kind: DocumentKind, c: Asker): Promise<Record<string, Sent>> {
  const found: Record<string, Sent> = {}
  for (const [name, r] of Object.entries(kind.pdf.beside?.() ?? {})) {
    const id = readId(c.query[name])
    if (id !== undefined) found[name] = await engine.one(r, c.actor, id)
  }
  return found
}
