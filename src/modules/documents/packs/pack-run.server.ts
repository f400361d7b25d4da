import { create as disposition } from 'content-disposition'
import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { areAllIds, idFromIriOrNumber, parseId } from '#kernel/iri.ts'
import type { Actor } from '#kernel/roles.ts'
import { findPictures, readPictures } from '#modules/portal/files/versions.server.ts'
import { batchJob } from '#modules/portal/runs/run.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { BatchJob, BatchStep } from '#server/engine/schedule.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { fileStoreFor } from '#server/files/store.ts'
import {
  BATCH_JOB_FILE_DAYS,
  type BatchJobKey,
  batchJobFileKey,
  defineBatchJob,
  setBatchJobTotal,
  startBatchJob,
} from '#server/jobs/batch-job-control.ts'
import {
  type PackContentsEntry,
  type PackCover,
  type PackPart,
  type PackPdfPortion,
  renderPackPortion,
} from '#server/pdf/pack.ts'
import { parseTypstPdf } from '#server/pdf/typst-file.ts'
import { pdfFileName } from '../printing/file-name.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { ReferredFile } from '../types/reference.ts'
import { documentPack, packEvidence } from './document-pack.ts'
import {
  assemblePackPdf,
  loadOrRenderPackPdf,
  openPackWorkspace,
  type PackManifest,
  type PackPortionSummary,
  type PackWorkspace,
} from './finish-pack.server.ts'
import {
  iteratePackDocuments,
  type ListedPackDocument,
  loadPackContents,
  loadPackPortion,
  type PackContents,
  type PackPortionDocument,
  packCoverImages,
  packOwnerId,
  packTitle,
} from './pack-contents.server.ts'

const MAX_PACK_DOCUMENTS = 10_000
const PICTURES = 8

const INPUT = z.object({ ids: z.array(z.int()).min(1).max(MAX_PACK_DOCUMENTS), deep: z.boolean() })
/**
 * Progress of the job: the number of items typeset so far (documents first, then pictures), the number of portions and
 * pages typeset, and the number of portions printed with the total page count.
 */
const CURSOR = z.object({ at: z.int(), portions: z.int(), pages: z.int(), printed: z.int().default(0) })
type Input = z.output<typeof INPUT>
type PackCursor = z.output<typeof CURSOR>
type Cover = Pick<PackCover, 'title' | 'author'>

/**
 * Defines the job that creates a pack of any size. It typesets the pack in portions, counts the pages, prints each
 * portion with the total page count, and joins the portions. An interrupted job continues after the last finished
 * portion. Only one portion is in memory at a time.
 */
const packJob = (kinds: readonly DocumentKind[]) =>
  defineBatchJob<Input, PackCursor>({
    kind: 'documents.pack',
    title: 'Document pack',
    queue: 'bulk',
    as: 'starter',
    whileImpersonating: true,
    input: INPUT,
    cursor: CURSOR,
    steps: (engine, run, from, actor) => makePortions(engine, kinds, run, from, actor),
  })

async function* makePortions(
  engine: Engine,
  kinds: readonly DocumentKind[],
  run: BatchJob<Input>,
  from: PackCursor | null,
  actor: Actor,
): AsyncGenerator<BatchStep<PackCursor>> {
  const shop = await openPackWorkspace(engine, run)
  let place = from ?? { at: 0, portions: 0, pages: 0, printed: 0 }
  if (!from) {
    const found = await findAll(engine, kinds, actor, run.input)
    await shop.putJson('list', found)
    const take = async (c: Context) => {
      await setBatchJobTotal(c, run, found.documents.length)
      return { done: 0 }
    }
    yield { cursor: place, execute: take }
  }
  const list = await shop.getJson<PackManifest>('list')
  const cover = { title: list.title, author: (actor.original ?? actor).name }
  const set = async (parts: readonly PackPortionDocument[], images: PackPdfPortion['images'], took: number) => {
    const portion = {
      from: place.pages + 1,
      first: place.at + 1,
      of: null,
      parts: parts.map(({ part }) => part),
      images,
    }
    const pdf = await renderPackPortion(cover, portion, run.clientId)
    const pages = await keepPortion(shop, place, { pdf, portion, parts })
    place = { ...place, at: place.at + took, portions: place.portions + 1, pages: place.pages + pages }
    return { cursor: place, execute: async () => ({ done: parts.length }) }
  }
  while (place.at < list.documents.length) {
    const parts = await loadPackPortion(engine, kinds, actor, list.documents.slice(place.at))
    yield await set(parts, [], parts.length)
  }
  const pictures = await findPictures(
    engine,
    list.clientId,
    list.files.map(({ id }) => ({ id })),
  )
  for (let n = place.at - list.documents.length; n < pictures.length; n += PICTURES)
    yield await set([], packCoverImages(await readPictures(engine, pictures.slice(n, n + PICTURES))), PICTURES)
  while (place.printed < place.portions) {
    await printPortion(shop, cover, run.clientId, place)
    place = { ...place, printed: place.printed + 1 }
    yield { cursor: place, execute: async () => ({ done: 0 }) }
  }
  const done = await assemblePackPdf(engine, run, actor, list, place.portions)
  yield { cursor: place, execute: done }
  await shop.clear(place.portions)
}

/** Lists everything in a pack, in order. Reports inaccessible documents before anything is typeset. */
async function findAll(
  engine: Engine,
  kinds: readonly DocumentKind[],
  actor: Actor,
  asked: Input,
): Promise<PackManifest> {
  const documents: ListedPackDocument[] = []
  const files = new Map<number, ReferredFile>()
  let title = ''
  for await (const found of iteratePackDocuments(engine, kinds, actor, asked)) {
    const { kind, record, clientId, reader } = found
    title ||= packTitle(found, 0)
    documents.push({ id: record.id, kind: kind.kind, clientId, byPortal: reader !== actor })
    for (const file of found.files) files.set(file.id, file)
  }
  const others = documents.length - 1
  const clientId = packOwnerId(documents)
  return { title: `${title}${others ? ` and ${others} more` : ''}`, clientId, documents, files: [...files.values()] }
}

interface TypesetPortion {
  readonly pdf: Buffer
  readonly portion: PackPdfPortion
  readonly parts: readonly PackPortionDocument[]
}

/** Stores a typeset portion and its entries for the table of contents. Returns the portion's page count. */
async function keepPortion(
  shop: PackWorkspace,
  { at, portions, pages }: PackCursor,
  { pdf, portion, parts }: TypesetPortion,
) {
  const file = parseTypstPdf(pdf)
  const about: PackPortionSummary = {
    entries: parts.map(({ part }, i) => entryOf(part, at + i + 1, pages + 1 + (file.bookmarks[i]?.page ?? 0))),
    standing: parts.map(({ standing }) => standing ?? null),
    captions: portion.images.map(({ caption }) => caption),
    pages: file.pages.length,
  }
  await shop.putJson(`portion-${portions}`, portion)
  await shop.putJson(`about-${portions}`, about)
  return file.pages.length
}

/** Prints the next typeset portion with the total page count. */
async function printPortion(
  shop: PackWorkspace,
  cover: Cover,
  clientId: number,
  { printed, pages }: PackCursor,
): Promise<void> {
  const portion = await shop.getJson<PackPdfPortion>(`portion-${printed}`)
  const about = await shop.getJson<PackPortionSummary>(`about-${printed}`)
  const pdf = await renderPackPortion(cover, { ...portion, of: pages }, clientId)
  if (parseTypstPdf(pdf).pages.length !== about.pages) throw new Error('The page count of part of the pack has changed')
  await shop.put(`pdf-${printed}`, pdf)
  await shop.remove(`portion-${printed}`)
}

function entryOf({ furniture }: PackPart, part: number, page: number): PackContentsEntry {
  const { number, title, revision, state, seal } = furniture
  return { number, title, revision, state, part, page, ...(seal ? { seal } : {}) }
}

/**
 * Deletes what ended jobs without a recorded file have left behind: the stored portions and any stored file. Each job's
 * leftovers are deleted once its retention period of `BATCH_JOB_FILE_DAYS` days has passed.
 */
async function removeLeft(engine: Engine): Promise<void> {
  const left = await engine.db.tx('system', (tx) =>
    tx.rows<BatchJobKey & { portions: number }>(
      `SELECT client_id AS "clientId", id, coalesce((place ->> 'portions')::int, 0) AS portions FROM run
       WHERE kind = 'documents.pack' AND file IS NULL AND state IN ('done', 'failed', 'stopped')
         AND finished_at BETWEEN portal_now() - interval '${BATCH_JOB_FILE_DAYS + 2} days' AND portal_now() - interval '${BATCH_JOB_FILE_DAYS} days'`,
    ),
  )
  const store = await fileStoreFor(engine.config)
  for (const run of left) {
    await (await openPackWorkspace(engine, run)).clear(run.portions)
    await store.remove(batchJobFileKey(run))
  }
}

const packTidying = schedule({ name: 'packs.tidy', every: { minutes: 60 }, run: removeLeft })

const packRoutes = (kinds: readonly DocumentKind[], making: ReturnType<typeof packJob>): Route[] => [
  {
    method: 'GET',
    path: `${document.url}/{id}/pack`,
    title: 'Get a document with everything it refers to as one PDF file',
    allow: DOCUMENT_READER_ROLES,
    file: ['application/pdf'],
    refuses: [409, 413, 422],
    handle: async (c) => {
      const id = parseId(c.params.id)
      if (id === undefined) throw problem.notFound()
      return answerPack(c, await loadPackContents(c.engine, kinds, c.me, { ids: [id], deep: true }))
    },
  },
  {
    method: 'GET',
    path: `${document.url}/pack`,
    title: 'Get selected documents as one PDF file',
    allow: DOCUMENT_AUTHOR_ROLES,
    file: ['application/pdf'],
    refuses: [409, 413, 422],
    query: { documents: text({ help: 'Document IDs in order, separated by commas.' }) },
    handle: async (c) => {
      const ids = String(c.query.documents ?? '')
        .split(',')
        .map((id) => parseId(id.trim()))
      if (!areAllIds(ids)) throw problem.invalid([violation('documents', 'Please select the documents to combine')])
      return answerPack(c, await loadPackContents(c.engine, kinds, c.me, { ids, deep: false }))
    },
  },
  {
    method: 'POST',
    path: `${document.url}/packs`,
    title:
      'Combine documents into one PDF file of any size: `documents` lists their IDs, and `deep` includes the documents they refer to',
    allow: DOCUMENT_AUTHOR_ROLES,
    whileImpersonating: true,
    refuses: [422],
    handle: (c) => {
      const input = { ids: parseDocumentIds(c.body.documents), deep: c.body.deep === true }
      return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const id = await startBatchJob(unit, making, input)
        return async () => {
          const made = await c.engine.one(batchJob, c.me, id)
          return new RouteResponse(202, made, { location: made['@id'] })
        }
      })
    },
  },
]

/** Parses document IDs or IRIs from a request body. Throws 422 if any of them is invalid or if there are too many. */
export function parseDocumentIds(given: unknown): number[] {
  const all: readonly unknown[] = Array.isArray(given) ? given.slice(0, MAX_PACK_DOCUMENTS + 1) : []
  const ids = all.map((one) => idFromIriOrNumber(document, one))
  if (!ids.length || ids.length > MAX_PACK_DOCUMENTS || !areAllIds(ids))
    throw problem.invalid([
      violation(
        'documents',
        `Please select the documents to combine, at most ${MAX_PACK_DOCUMENTS.toLocaleString('en-GB')}`,
      ),
    ])
  return ids
}

async function answerPack(c: RouteContext, contents: PackContents): Promise<RouteResponse> {
  const [first] = contents.documents
  if (!first) throw problem.notFound()
  const title = packTitle(first, contents.documents.length - 1)
  const pdf = await loadOrRenderPackPdf(c.engine, c.me, contents, { title, clientId: packOwnerId(contents.documents) })
  return new RouteResponse(200, pdf, {
    'content-type': 'application/pdf',
    'content-disposition': disposition(pdfFileName(`Pack ${title}`), { type: 'inline' }),
  })
}

export function documentPacks(kinds: readonly DocumentKind[]) {
  const making = packJob(kinds)
  return feature({
    pack: 'safety',
    resources: [documentPack],
    routes: packRoutes(kinds, making),
    batchJobs: [making],
    schedules: [packTidying],
    evidence: [packEvidence],
  })
}
