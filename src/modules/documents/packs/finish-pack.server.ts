import { close, createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { problem } from '#kernel/errors.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { Actor } from '#kernel/roles.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { BatchJob, BatchStepResult } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { digestSubject } from '#server/evidence/link.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { MissingFileError } from '#server/files/port.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { openUnnamedFile } from '#server/files/unnamed-file.ts'
import type { BatchJobKey } from '#server/jobs/batch-job-control.ts'
import { attachBatchJobFile, batchJobFileKey } from '#server/jobs/batch-job-control.ts'
import { joinPdfsToFile } from '#server/pdf/join-pdfs.ts'
import { type PackContentsEntry, renderPackFrontMatter } from '#server/pdf/pack.ts'
import {
  loadSealedRevisionState,
  readStoredBytes,
  type StoredBytes,
  storeClientBytes,
} from '../printing/draw.server.ts'
import { pdfFileName } from '../printing/file-name.ts'
import { readVisibleSignatureDrawings } from '../printing/print.server.ts'
import { assertDocumentAuthor } from '../rights.ts'
import type { DocumentKind, DocumentRecord } from '../types/kind.ts'
import type { ReferredFile } from '../types/reference.ts'
import { documentPack, packEvidence } from './document-pack.ts'
import type { ListedPackDocument, PrintedRevisionState } from './pack-contents.server.ts'
import {
  loadPackContents,
  type PackContents,
  type PackDocument,
  type PackTitleAndOwner,
  packCoverDetails,
  packCoverFiles,
  packOwnerId,
  packTitle,
  referencesWithHiddenTitle,
  renderPackPdf,
} from './pack-contents.server.ts'

/**
 * Renders a pack. If all its parts are sealed, the PDF is stored under its checksum and reused until a part changes,
 * and the checksum is added to the client's audit chain. A pack that contains a draft is rendered each time.
 */
export async function loadOrRenderPackPdf(
  engine: Engine,
  actor: Actor,
  contents: PackContents,
  order: PackTitleAndOwner,
): Promise<Buffer> {
  const parts = await standingParts(engine, contents)
  if (!parts) return renderPackPdf(engine, actor, contents, order)
  const { title, clientId } = order
  const madeOf = digestSubject({ title, parts })
  const kept = await findStoredPack(engine, { clientId, madeOf })
  for (const { record, clientId: of } of contents.documents)
    await readVisibleSignatureDrawings(engine, actor, { clientId: of, id: record.id })
  if (kept) return readStoredBytes(engine, { clientId, pack: title }, kept)
  const pdf = await renderPackPdf(engine, actor, contents, order)
  const { checksum, fileKey } = await storeClientBytes(engine, clientId, 'pack', pdf)
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

async function findStoredPack(engine: Engine, { clientId, madeOf }: Pick<PackOf, 'clientId' | 'madeOf'>) {
  const [kept] = await engine.readIn(clientId, 'read a stored pack', (reader) => reader.find(documentPack, { madeOf }))
  return kept && { checksum: kept.checksum ?? '', fileKey: kept.fileKey ?? '' }
}

async function recordStoredPack(
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

/** Returns a value that identifies a pack's contents; undefined if a part is not sealed. */
async function standingParts(engine: Engine, { documents, files }: PackContents) {
  const parts: object[] = []
  for (const { kind, record, clientId } of documents) {
    const standing = record.seal ? await loadSealedRevisionState(engine, { clientId, id: record.id }) : undefined
    if (!standing) return undefined
    const { documentNumber, revision, seal } = record
    parts.push({
      document: record.id,
      documentNumber,
      revision,
      seal,
      stands: standing.stands,
      ...referencesWithHiddenTitle(kind, record),
    })
  }
  return [...parts, ...files.map(({ id, name, checksum }) => ({ file: id, name, checksum }))]
}

/**
 * Throws 409 for documents that must not leave the company, because they belong to another company or are drafts,
 * rejected, withdrawn or deleted.
 */
export function assertDocumentShareable(
  me: Actor,
  { pack, readerGroup }: Pick<DocumentKind, 'pack' | 'readerGroup'>,
  { state, retired, client }: Pick<DocumentRecord, 'state' | 'retired' | 'client'>,
  called: string,
): void {
  assertDocumentAuthor(me, pack)
  const refuse = (why: string) => problem.conflict(`${called} ${why} It can’t be shared.`)
  if (readerGroup) throw refuse(`is for ${readerGroup} only.`)
  if (idFromAnyIri(client) !== me.clientId) throw refuse('belongs to another company. Start your own copy of it.')
  if (state === 'rejected') throw refuse('was rejected.')
  if (retired) throw refuse(`has been ${state === 'current' ? 'withdrawn' : 'deleted'}.`)
  if (state === 'draft') throw refuse('is still a draft.')
}

/**
 * Throws 409 if a pack contains a document that must not leave the company. Returns the pack's documents without the
 * provider's, which are included only because other documents refer to them.
 */
export function assertPackShareable(
  me: Actor,
  { documents }: PackContents,
  asked: readonly number[],
): readonly PackDocument[] {
  const own = documents.filter(({ clientId, record }) => clientId !== PROVIDER_CLIENT_ID || asked.includes(record.id))
  for (const { kind, record } of own)
    assertDocumentShareable(me, kind, record, `${record.documentNumber} revision ${record.revision}`)
  return own
}

/**
 * Builds a pack of one of the company's own documents in force, with all its references, as one named file. Throws 404
 * for other companies' documents, and 409 if the document is not in force or refers to something that the user may not
 * read.
 */
export async function buildCompanyDocumentPack(
  engine: Engine,
  kinds: readonly DocumentKind[],
  me: Actor,
  { kind, id }: { readonly kind: DocumentKind; readonly id: number },
) {
  const { client, current, retired, documentNumber } = await engine.one(kind.resource, me, id)
  if (idFromAnyIri(client) !== me.clientId) throw problem.notFound()
  if (!current || retired)
    throw problem.conflict(`${documentNumber} is not in force. Only documents in force can be shared.`)
  const contents = await loadPackContents(engine, kinds, me, { ids: [id], deep: true })
  assertPackShareable(me, contents, [id])
  const [first] = contents.documents
  if (!first) throw problem.notFound()
  const title = packTitle(first, contents.documents.length - 1)
  const bytes = await loadOrRenderPackPdf(engine, me, contents, { title, clientId: packOwnerId(contents.documents) })
  return { name: pdfFileName(`Pack ${title}`), bytes }
}

/**
 * Opens the workspace for the portions of a large pack. The portions stay in the file store until they are joined, so
 * that any process can continue the job.
 */
export async function openPackWorkspace(engine: Engine, run: BatchJobKey) {
  const store = await fileStoreFor(engine.config)
  const keyOf = (name: string) => `${batchJobFileKey(run)}-${name}`
  const put = (name: string, bytes: Buffer) => store.put(keyOf(name), Readable.from([bytes]), bytes.length)
  const get = async (name: string): Promise<Buffer> =>
    buffer(
      await store.get(keyOf(name)).catch((e: unknown) => {
        if (!(e instanceof MissingFileError)) throw e
        throw problem.conflict('The unfinished pack has been deleted. Please start it again.')
      }),
    )
  return {
    put,
    get,
    putJson: (name: string, value: unknown) => put(name, Buffer.from(JSON.stringify(value))),
    getJson: async <T>(name: string): Promise<T> => JSON.parse((await get(name)).toString()),
    remove: (name: string) => store.remove(keyOf(name)),
    /** Deletes all portions, including the one in progress. */
    clear: async (portions: number) => {
      await store.remove(keyOf('list'))
      for (let n = 0; n <= portions; n++)
        for (const name of [`portion-${n}`, `pdf-${n}`, `about-${n}`]) await store.remove(keyOf(name))
    },
  }
}

export type PackWorkspace = Awaited<ReturnType<typeof openPackWorkspace>>

/** Contents of a pack, determined when its job starts. */
export interface PackManifest {
  readonly title: string
  readonly clientId: number
  readonly documents: readonly ListedPackDocument[]
  readonly files: readonly ReferredFile[]
}

/**
 * Summary of a portion: the entries for the table of contents, the states of its documents, the captions of its printed
 * pictures, and its page count.
 */
export interface PackPortionSummary {
  readonly entries: readonly PackContentsEntry[]
  /** State of each document at printing; null for a draft. */
  readonly standing: readonly (PrintedRevisionState | null)[]
  readonly captions: readonly string[]
  readonly pages: number
}

const closeFile = promisify(close)

/**
 * Joins a pack's portions behind its cover and stores the file with the job for `BATCH_JOB_FILE_DAYS` days. If all
 * parts are sealed, also stores the file permanently, with a checksum in the audit chain. The returned function runs in
 * the job's last transaction.
 */
export async function assemblePackPdf(
  engine: Engine,
  run: BatchJob,
  actor: Actor,
  list: PackManifest,
  portions: number,
): Promise<(c: Context) => Promise<BatchStepResult>> {
  const { clientId } = run
  const shop = await openPackWorkspace(engine, run)
  const all: PackPortionSummary[] = []
  for (let n = 0; n < portions; n++) all.push(await shop.getJson<PackPortionSummary>(`about-${n}`))
  const about = await packCoverDetails(engine, actor, list)
  const files = packCoverFiles(list.files, new Set(all.flatMap(({ captions }) => captions)))
  const entries = all.flatMap((portion) => portion.entries)
  const front = await renderPackFrontMatter({ ...about, files, images: [] }, entries, clientId)
  const fd = await openUnnamedFile('pack')
  try {
    const { checksum, bytes } = await joinPdfsToFile(fd, async function* () {
      yield front
      for (let n = 0; n < portions; n++) yield await shop.get(`pdf-${n}`)
    })
    const store = await fileStoreFor(engine.config)
    const put = (key: string) => store.put(key, createReadStream('', { fd, start: 0, autoClose: false }), bytes)
    await put(batchJobFileKey(run))
    const standing = all.flatMap((portion) => portion.standing).flatMap((part) => part ?? [])
    const sealed = standing.length === list.documents.length && list.clientId === clientId
    const parts = [...standing, ...list.files.map(({ id, name, checksum: sum }) => ({ file: id, name, checksum: sum }))]
    const pack = { title: list.title, clientId, madeOf: digestSubject({ title: list.title, parts }), parts }
    const fileKey = `${clientId}/pack-${checksum}`
    const keeps = sealed && !(await findStoredPack(engine, pack))
    if (keeps) await put(fileKey)
    return async (c) => {
      if (keeps) await recordStoredPack(c, actor, pack, { checksum, fileKey, bytes })
      await attachBatchJobFile(c, run, {
        name: pdfFileName(`Pack ${list.title}`),
        type: 'application/pdf',
        bytes,
        list: documentPack.url,
      })
      return { done: 0 }
    }
  } finally {
    await closeFile(fd)
  }
}
