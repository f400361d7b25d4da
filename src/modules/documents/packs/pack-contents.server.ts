import { Problem, problem } from '#kernel/errors.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { type Actor, createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { findPictures, type PrintablePicture, readPictures } from '#modules/portal/files/versions.server.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { filterReadableIds } from '#server/data/access-sql.ts'
import type { Engine } from '#server/engine/types.ts'
import {
  createPackSizeLimit,
  measurePackPartSize,
  type PackCover,
  type PackPart,
  renderPackDocuments,
} from '#server/pdf/pack.ts'
import {
  buildPdfTemplateInput,
  ensureStoredPrint,
  loadSealedPrintInput,
  loadSealedRevisionState,
} from '../printing/draw.server.ts'
import { gatherPrintMaterial, readPrintedHistory, usernamesInHistory } from '../printing/evidence.server.ts'
import { printInputForReader, readVisibleSignatureDrawings } from '../printing/print.server.ts'
import { referencedDocument } from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentKind, DocumentRecord } from '../types/kind.ts'
import { documentRecordTitle } from '../types/kind.ts'
import type { ReferredFile } from '../types/reference.ts'
import { type ReferredDocument, referenceIdsWithHiddenTitle, referencesIn } from '../types/reference.ts'

export interface PackDocument {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly clientId: number
}

export interface PackContents {
  readonly documents: readonly PackDocument[]
  readonly files: readonly ReferredFile[]
}

/**
 * Maximum number of documents in a pack that is built during the request: about 400 pages of short documents.
 * `createPackSizeLimit` limits packs of longer documents.
 */
const MAX_DOCUMENTS = 120

/** A requested document, or a document to which a requested document refers. */
interface PackDocumentRequest {
  readonly id: number
  /** Position among the requested documents, starting at 1. */
  readonly place?: number
  readonly target?: ReferredDocument
  readonly by?: Pick<DocumentRecord, 'documentNumber' | 'seal'>
}

/** Requested documents. If `deep` is true, the pack also contains everything to which they refer. */
interface PackRequest {
  readonly ids: readonly number[]
  readonly deep: boolean
}

/** A document found for a pack, with its files and the actor with whose permissions it is read. */
interface GatheredDocument extends PackDocument {
  readonly reader: Actor
  readonly files: readonly ReferredFile[]
}

/**
 * Returns a document's type and the actor with whose permissions to read the document. Readers of a sealed document may
 * also read the revisions with which it was sealed, even if they have since been replaced, because they are part of the
 * sealed content: those of the provider, and the company's own in whose audience they are. Throws 409 with the document's
 * name for any other reference that the user may not read.
 */
async function readDocument(engine: Engine, actor: Actor, { id, place, target, by }: PackDocumentRequest) {
  const own = await lookFor(engine, actor, id)
  if (own) return { reader: actor, kind: own.kind }
  if (!target || !by) throw problem.notFound(chosenGone(place))
  const portal = createSystemActor(actor.clientId, 'read what a sealed document in a pack refers to')
  const sealed = by.seal && target.seal ? await lookFor(engine, portal, id) : undefined
  if (sealed && (idFromAnyIri(sealed.client) ?? PROVIDER_CLIENT_ID) === PROVIDER_CLIENT_ID)
    return { reader: portal, kind: sealed.kind }
  if (sealed && !sealed.retired && (await filterReadableIds(engine.db.read, actor, referencedDocument, [id])).has(id))
    return { reader: portal, kind: sealed.kind }
  throw problem.conflict(
    `${target.documentNumber} revision ${target.revision}, which ${by.documentNumber} refers to, has been replaced or is not available to you. To print the other documents, select them one by one.`,
  )
}

/**
 * Returns the error message for an inaccessible document, which identifies the document only by its position in the
 * request.
 */
const chosenGone = (place = 1) =>
  `Document ${place} of your selection no longer exists or is not available to you. Please remove it from the selection.`

const lookFor = (engine: Engine, actor: Actor, id: number) =>
  engine.one(document, actor, id).catch((e: unknown) => {
    if (e instanceof Problem && e.status === 404) return undefined
    throw e
  })

/**
 * Yields the requested documents in order, each as the user may read it. If `deep` is true, also yields everything to
 * which they refer, recursively and without duplicates. Keeps only one document in memory at a time.
 */
export async function* iteratePackDocuments(
  engine: Engine,
  kinds: readonly DocumentKind[],
  actor: Actor,
  asked: PackRequest,
): AsyncGenerator<GatheredDocument> {
  const seen = new Set<number>()
  const waiting: PackDocumentRequest[] = asked.ids.map((id, i) => ({ id, place: i + 1 }))
  for (const wanted of waiting) {
    const { id } = wanted
    if (seen.has(id)) continue
    seen.add(id)
    const { reader, kind: name } = await readDocument(engine, actor, wanted)
    const kind = kinds.find((k) => k.kind === name)
    if (!kind) throw problem.notFound()
    const record = await engine.one(kind.resource, reader, id)
    const rows = referencesIn(kind.references, record).flatMap((list) => list.rows)
    yield {
      kind,
      record,
      reader,
      clientId: idFromAnyIri(record.client) ?? PROVIDER_CLIENT_ID,
      files: rows.flatMap(({ file }) => file ?? []),
    }
    const { documentNumber, seal } = record
    if (asked.deep)
      for (const { target } of rows) if (target) waiting.push({ id: target.id, target, by: { documentNumber, seal } })
  }
}

/** Loads all documents of a pack that is built during the request. Throws 413 above the maximum. */
export async function loadPackContents(
  engine: Engine,
  kinds: readonly DocumentKind[],
  actor: Actor,
  asked: PackRequest,
): Promise<PackContents> {
  const documents: PackDocument[] = []
  const files = new Map<number, ReferredFile>()
  for await (const { kind, record, clientId, files: own } of iteratePackDocuments(engine, kinds, actor, asked)) {
    if (documents.length === MAX_DOCUMENTS)
      throw new Problem(
        413,
        `Packs of more than ${MAX_DOCUMENTS} documents are created in the background. Please start the pack as a background job.`,
      )
    documents.push({ kind, record, clientId })
    for (const file of own) files.set(file.id, file)
  }
  return { documents, files: [...files.values()] }
}

/** Returns the title of a pack, based on its first document. */
export function packTitle({ kind, record }: Pick<PackDocument, 'kind' | 'record'>, others: number): string {
  return `${record.documentNumber} ${documentRecordTitle(kind, record)}${others ? ` and ${others} more` : ''}`
}

/**
 * Returns the client that owns a pack's documents. Throws 409 if the documents belong to several clients. Provider
 * documents can be in any client's pack.
 */
export function packOwnerId(documents: Iterable<{ readonly clientId: number }>): number {
  const owners = new Set([...documents].map((d) => d.clientId).filter((id) => id !== PROVIDER_CLIENT_ID))
  if (owners.size > 1) throw problem.conflict('All documents in a pack must belong to the same client.')
  return [...owners][0] ?? PROVIDER_CLIENT_ID
}

export interface PackTitleAndOwner {
  readonly title: string
  readonly clientId: number
}

/** Renders the PDF of a pack, using the text and pictures of each sealed document's stored PDF. */
export async function renderPackPdf(
  engine: Engine,
  actor: Actor,
  { documents, files }: PackContents,
  { title, clientId }: PackTitleAndOwner,
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

export async function packCoverDetails(engine: Engine, actor: Actor, { title, clientId }: PackTitleAndOwner) {
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

/** Returns the files to which a pack's documents refer. `printed` contains the captions of the printed pictures. */
export const packCoverFiles = (files: readonly ReferredFile[], printed: ReadonlySet<string>): PackCover['files'] =>
  files.map((file) => ({
    name: file.name,
    checksum: file.checksum ?? '',
    printed: printed.has(file.label || file.name),
  }))

export const packCoverImages = (pictures: readonly PrintablePicture[]): PackCover['images'] =>
  pictures.map((p) => ({ ...p, alt: p.caption }))

/** Loads a document for a pack. A sealed document is loaded with the text and pictures of its stored PDF. */
async function readPackPart(engine: Engine, actor: Actor, { kind, record, clientId }: PackDocument): Promise<PackPart> {
  const sealed = { clientId, id: record.id }
  // Uses the external material that was stored with the first PDF.
  if (record.seal)
    return buildPdfTemplateInput(
      engine,
      kind,
      printInputForReader(
        kind,
        record,
        await loadSealedPrintInput(engine, kind, sealed, await ensureStoredPrint(engine, kind, sealed)),
      ),
    )
  const evidence = await readPrintedHistory(engine, actor, kind, record)
  const material = await gatherPrintMaterial(engine, kind, clientId, record, usernamesInHistory(evidence))
  return buildPdfTemplateInput(engine, kind, { record, evidence, material, beside: {}, whose: actor.clientId })
}

/** A document in a large pack, which is loaded when its portion is typeset. */
export interface ListedPackDocument {
  readonly id: number
  readonly kind: string
  readonly clientId: number
  /**
   * True if the portal reads the document for a user who has no access to it, because a sealed document refers to it.
   */
  readonly byPortal: boolean
}

/** State of a sealed revision at printing. */
export interface PrintedRevisionState {
  readonly document: number
  readonly documentNumber: string
  readonly revision: number
  readonly seal: string
  readonly stands: number
  /** IDs of references whose titles the author of the pack may not see. */
  readonly untitled?: readonly number[]
}

/** A document in a portion; `standing` is absent for a draft. */
export interface PackPortionDocument {
  readonly part: PackPart
  readonly standing: PrintedRevisionState | undefined
}

/**
 * Returns `untitled` with the IDs of the record's references whose titles are hidden, or an empty object if there are
 * none.
 */
export function referencesWithHiddenTitle(
  { references }: DocumentKind,
  record: DocumentRecord,
): Pick<PrintedRevisionState, 'untitled'> {
  const ids = referenceIdsWithHiddenTitle(references, record)
  return ids.length ? { untitled: ids } : {}
}

/**
 * Limits of a portion: documents, characters of text and bytes of pictures. They ensure that one process needs only a
 * few seconds and little memory.
 */
const PORTION_LIMITS = { documents: 40, words: 120_000, pictures: 12_000_000 }
/** Higher limits for a portion with a single document. */
const BEYOND = { words: 800_000, pictures: 40_000_000 }

/**
 * Loads as many listed documents as fit in a portion, but at least one. Throws 409 if a single document is too large.
 */
export async function loadPackPortion(
  engine: Engine,
  kinds: readonly DocumentKind[],
  actor: Actor,
  listed: readonly ListedPackDocument[],
): Promise<PackPortionDocument[]> {
  const parts: PackPortionDocument[] = []
  let [words, pictures] = [0, 0]
  for (const one of listed.slice(0, PORTION_LIMITS.documents)) {
    const part = await readListed(engine, kinds, actor, one)
    const weight = measurePackPartSize(part.part)
    if (weight.words > BEYOND.words || weight.pictures > BEYOND.pictures)
      throw problem.conflict(
        `${part.part.furniture.number} is too large for this file. Please remove it and print the others.`,
      )
    words += weight.words
    pictures += weight.pictures
    if (parts.length && (words > PORTION_LIMITS.words || pictures > PORTION_LIMITS.pictures)) break
    parts.push(part)
  }
  return parts
}

/** Returns an error that explains why a document that was listed at the start can no longer be printed. */
async function gone(engine: Engine, clientId: number, id: number): Promise<Problem> {
  const portal = createSystemActor(clientId, 'explain why a document in a pack is missing')
  const { documentNumber, revision, state, retired, current } = await engine.one(document, portal, id)
  const why = current
    ? 'is no longer available to you'
    : state === 'replaced'
      ? 'has been replaced since the pack was started'
      : retired
        ? 'has been withdrawn or deleted since the pack was started'
        : 'is no longer available to you'
  return problem.conflict(
    `${documentNumber} revision ${revision} ${why} and can’t be printed. Please start the pack again without it.`,
  )
}

/** Loads a document for printing, in its current state. */
async function readListed(
  engine: Engine,
  kinds: readonly DocumentKind[],
  actor: Actor,
  { id, kind: name, clientId, byPortal }: ListedPackDocument,
): Promise<PackPortionDocument> {
  const kind = kinds.find((k) => k.kind === name)
  if (!kind) throw problem.notFound()
  const reader = byPortal ? createSystemActor(actor.clientId, 'read what a sealed document in a pack refers to') : actor
  for (;;) {
    const record = await engine.one(kind.resource, reader, id).catch(async (e: unknown) => {
      throw e instanceof Problem && e.status === 404 ? await gone(engine, clientId, id) : e
    })
    const { seal, documentNumber, revision } = record
    if (!seal) return { part: await readPackPart(engine, actor, { kind, record, clientId }), standing: undefined }
    const before = await loadSealedRevisionState(engine, { clientId, id })
    const part = await readPackPart(engine, actor, { kind, record, clientId })
    const stands = (await loadSealedRevisionState(engine, { clientId, id }))?.stands
    if (!stands || stands !== before?.stands) continue
    await readVisibleSignatureDrawings(engine, actor, { clientId, id })
    return {
      part,
      standing: { document: id, documentNumber, revision, seal, stands, ...referencesWithHiddenTitle(kind, record) },
    }
  }
}
