import { create as disposition } from 'content-disposition'
import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { integer } from '#kernel/fields.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import type { Actor } from '#kernel/roles.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { readUserNames } from '#modules/identity/people/accounts.server.ts'
import { readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { ANY_DOCUMENT_AUTHOR_ROLES, DOCUMENT_PACKS } from '../rights.ts'
import { readSignatureDrawings } from '../signing/signing.server.ts'
import { document, documentPrint } from '../types/document.ts'
import { type DocumentKind, type DocumentRecord, documentRecordTitle, uploadIri } from '../types/kind.ts'
import { routesOfKinds } from '../types/kinds.server.ts'
import { referenceIdsWithHiddenTitle, referencesIn } from '../types/reference.ts'
import type { DocumentPrintInput } from './draw.server.ts'
import {
  ensureStoredPrint,
  loadSealedPrintInput,
  loadSealedRevisionState,
  readStoredBytes,
  readStoredPrint,
  renderDocumentPdf,
  type SealedRevisionKey,
} from './draw.server.ts'
import { gatherPrintMaterial, readPrintedHistory, usernamesInHistory } from './evidence.server.ts'
import { pdfFileName, revisionPdfFileName } from './file-name.ts'

/** Event: the PDF of a sealed revision must be rendered and stored. */
export const printDueEvent = defineEvent({
  kind: 'document.print-due',
  version: 1,
  payload: z.object({ kind: z.string(), document: z.int() }),
})

/**
 * Loads the stored PDF of a sealed revision for a reader, with the record as the reader sees it. If the reader may not
 * see all drawn signatures or referenced titles, renders a PDF without them and does not store it.
 */
async function printForReader(
  engine: Engine,
  kind: DocumentKind,
  actor: Actor | undefined,
  record: DocumentRecord,
): Promise<Buffer> {
  const sealed = { clientId: idFromAnyIri(record.client) ?? PROVIDER_CLIENT_ID, id: record.id }
  const printed = await ensureStoredPrint(engine, kind, sealed)
  const { drawn, ink } = await readVisibleSignatureDrawings(engine, actor, sealed)
  if (ink.size >= drawn.length && !referenceIdsWithHiddenTitle(kind.references, record).length)
    return readStoredPrint(engine, sealed, printed)
  const paper = printInputForReader(kind, record, await loadSealedPrintInput(engine, kind, sealed, printed))
  const whose = actor?.clientId ?? sealed.clientId
  return renderDocumentPdf(engine, kind, { ...paper, evidence: { ...paper.evidence, ink }, whose })
}

/** Returns the print input with only the referenced titles that the reader may see. */
export const printInputForReader = (
  kind: DocumentKind,
  record: DocumentRecord,
  paper: DocumentPrintInput,
): DocumentPrintInput => {
  const lists = referencesIn(kind.references, record).map(({ field, rows }) => [field, rows])
  return { ...paper, record: { ...paper.record, ...Object.fromEntries(lists) } }
}

/**
 * Returns all drawn signatures of a revision (`drawn`), and the drawings that this user may see (`ink`). Logs each
 * access.
 */
export async function readVisibleSignatureDrawings(
  engine: Engine,
  actor: Actor | undefined,
  sealed: SealedRevisionKey,
) {
  const drawn = await drawingsOf(engine, sealed)
  const ink =
    actor && drawn.length
      ? await readSignatureDrawings(engine, actor, sealed.clientId, drawn)
      : new Map<number, unknown>()
  return { drawn, ink }
}

const drawingsOf = (engine: Engine, { clientId, id }: SealedRevisionKey) =>
  engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ id: number; method: 'finger' | 'on behalf' }>(
      'SELECT id, method FROM signature WHERE client_id = $1 AND document_id = $2 AND strokes IS NOT NULL ORDER BY id',
      [clientId, id],
    ),
  )

type Asker = Pick<RouteContext, 'actor' | 'query'>
type Beside = Readonly<Record<string, { readonly author: string }>>

/** Returns a document as a PDF file: the stored PDF if sealed, otherwise rendered for this user. */
export async function loadOrRenderDocumentPdf(engine: Engine, kind: DocumentKind, c: Asker, id: number) {
  const record = await engine.one(kind.resource, c.actor, id)
  const clientId = idFromAnyIri(record.client) ?? PROVIDER_CLIENT_ID
  const beside = await readBeside(engine, kind, c, id)
  const alone = Object.keys(beside).length === 0
  const pdf =
    record.seal && alone
      ? await printForReader(engine, kind, c.actor, record)
      : await printNow(engine, kind, c, { record, clientId, beside })
  const fileName = revisionPdfFileName(record, documentRecordTitle(kind, record))
  return { pdf, record, fileName }
}

/** Renders a PDF that is not stored: for a draft, or for a document printed with a record of its use. */
async function printNow(
  engine: Engine,
  kind: DocumentKind,
  { actor }: Asker,
  { record, clientId, beside }: { record: DocumentRecord; clientId: number; beside: Beside },
): Promise<Buffer> {
  const evidence = await readPrintedHistory(engine, actor, kind, record)
  const material = await gatherPrintMaterial(engine, kind, clientId, record, usernamesInHistory(evidence))
  const whose = actor?.clientId ?? clientId
  // Uses the printing company's names, even if the document is the provider's.
  const names = await readUserNames(
    engine,
    whose,
    Object.values(beside).flatMap((b) => [b, ...rowsIn(b)].flatMap(({ author }) => toText(author) || [])),
  )
  const named = Object.entries(beside).map(
    ([name, b]) => [name, { ...withNames(b, names), recordedBy: names.get(b.author) ?? b.author }] as const,
  )
  // Prints the company's own letterhead, even if the document is the provider's.
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

const rowsIn = (record: object): Values[] => Object.values(record).flatMap((value) => toRowObjects(value))

/** Returns a record whose rows include their authors' names. */
const withNames = (record: object, names: ReadonlyMap<string, string>): Values =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      Array.isArray(value) && toRowObjects(value).some(({ author }) => author)
        ? toRowObjects(value).map((row) => ({ ...row, recordedBy: names.get(toText(row.author)) ?? row.author }))
        : value,
    ]),
  )

/**
 * Loads the records that the query asks to print with the document. Throws 404 if one of them belongs to another
 * document.
 */
async function readBeside(engine: Engine, kind: DocumentKind, c: Asker, id: number): Promise<Beside> {
  const found: Record<string, { readonly author: string }> = {}
  for (const [name, { of, by }] of Object.entries(kind.pdf.beside?.() ?? {})) {
    const asked = parseId(c.query[name])
    if (asked === undefined) continue
    const record = await engine.one(of, c.actor, asked)
    if (idFromAnyIri(uploadIri(record[by])) !== id) throw problem.notFound()
    found[name] = { ...record, author: toText(record.author) }
  }
  return found
}

/** Creates the route `GET {document}/pdf`, which returns a document's PDF to open in the browser. */
const documentPdfRoute = (kind: DocumentKind): Route => ({
  method: 'GET',
  path: `${kind.resource.url}/{id}/pdf`,
  title: `Get a ${kind.noun} as a PDF file`,
  allow: kind.roles.readers,
  file: ['application/pdf'],
  query: Object.fromEntries(
    Object.entries(kind.pdf.beside?.() ?? {}).map(([name, { of }]) => [
      name,
      integer({ help: `ID of a ${of.type} to print with the document.` }),
    ]),
  ),
  handle: async (c) => {
    const id = parseId(c.params.id)
    if (id === undefined) throw problem.notFound()
    const { pdf, fileName } = await loadOrRenderDocumentPdf(c.engine, kind, c, id)
    return new RouteResponse(200, pdf, {
      'content-type': 'application/pdf',
      'content-disposition': disposition(fileName, { type: 'inline' }),
    })
  },
})

/**
 * Creates the route `GET {print}/pdf`, which returns a stored PDF byte for byte, regardless of later events. Throws 403
 * if the PDF shows drawn signatures or document titles that the user may not see.
 */
const storedPrintRoute = (kinds: readonly DocumentKind[]): Route => ({
  method: 'GET',
  path: `${documentPrint.url}/{id}/pdf`,
  title: 'Get a stored PDF of a sealed revision',
  allow: ANY_DOCUMENT_AUTHOR_ROLES,
  file: ['application/pdf'],
  handle: async (c) => {
    const id = parseId(c.params.id)
    if (id === undefined) throw problem.notFound()
    const { record, pdf, of } = await keptPrint(c, kinds, id)
    const day = londonDate(Temporal.Instant.from(record.createdAt ?? ''))
    const { documentNumber, revision, title } = of
    const fileName = pdfFileName(`${documentNumber} rev ${revision} as of ${day.toString()} ${title ?? ''}`)
    return new RouteResponse(200, pdf, {
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
  if (
    kind?.references &&
    referenceIdsWithHiddenTitle(kind.references, await engine.one(kind.resource, me, of.id)).length
  )
    throw problem.forbidden('This PDF contains the title of a document that is not available to you.')
  const { drawn, ink } = await readVisibleSignatureDrawings(engine, me, { clientId, id: kept.document })
  if (ink.size < drawn.length)
    throw problem.forbidden('This PDF contains drawn signatures that are not available to you.')
  const { fileKey, checksum } = kept
  return { record, of, pdf: await readStoredBytes(engine, { clientId, print: id }, { fileKey, checksum }) }
}

/** Creates the event handler that renders and stores the PDF of a sealed revision after each event. */
const storePrintOnEvent = (kinds: readonly DocumentKind[]) =>
  eventHandler(printDueEvent, {
    name: 'document.keep-print',
    queue: 'events',
    send: async ({ engine, clientId }, { kind: name, document: id }) => {
      const kind = kinds.find((k) => k.kind === name)
      // A deleted draft was never sealed, so no PDF is stored for it.
      if (kind && (await loadSealedRevisionState(engine, { clientId, id })))
        await ensureStoredPrint(engine, kind, { clientId, id })
    },
  })

export const documentPrinting = (kinds: readonly DocumentKind[]) =>
  feature({
    pack: DOCUMENT_PACKS,
    routes: [...routesOfKinds(kinds, (kind) => [documentPdfRoute(kind)]), storedPrintRoute(kinds)],
    handlers: [storePrintOnEvent(kinds)],
  })
