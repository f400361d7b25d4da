import { create as disposition } from 'content-disposition'
import { problem, violation } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { areAllIds, idFromIriOrNumber, readId } from '#kernel/iri.ts'
import { run } from '#modules/portal/runs/run.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { pdfNameOf } from '../printing/file-name.ts'
import { DOCUMENT_AUTHORS } from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { documentPack, packEvidence } from './document-pack.ts'
import { gatherPack, type PackContents, packOwner, packTitle } from './gather.server.ts'
import { renderOrLoadPack } from './kept-pack.server.ts'
import { MAX_PACK_DOCUMENTS, packJob } from './pack-run.server.ts'
import { packTidying } from './tidy-packs.server.ts'

const packRoutes = (kinds: readonly DocumentKind[], making: ReturnType<typeof packJob>): Route[] => [
  {
    method: 'GET',
    path: `${document.url}/{id}/pack`,
    title: 'Get a document with everything it refers to as one PDF file',
    allow: DOCUMENT_AUTHORS,
    file: ['application/pdf'],
    refuses: [409, 413, 422],
    handle: async (c) => {
      const id = readId(c.params.id)
      if (id === undefined) throw problem.notFound()
      return answerPack(c, await gatherPack(c.engine, kinds, c.me, { ids: [id], deep: true }))
    },
  },
  {
    method: 'GET',
    path: `${document.url}/pack`,
    title: 'Get selected documents as one PDF file',
    allow: DOCUMENT_AUTHORS,
    file: ['application/pdf'],
    refuses: [409, 413, 422],
    query: { documents: text({ help: 'Document IDs in order, separated by commas.' }) },
    handle: async (c) => {
      const ids = String(c.query.documents ?? '')
        .split(',')
        .map((id) => readId(id.trim()))
      if (!areAllIds(ids)) throw problem.invalid([violation('documents', 'Please select the documents to combine')])
      return answerPack(c, await gatherPack(c.engine, kinds, c.me, { ids, deep: false }))
    },
  },
  {
    method: 'POST',
    path: `${document.url}/packs`,
    title:
      'Combine documents into one PDF file of any size: `documents` are their IDs, `deep` includes what they refer to',
    allow: DOCUMENT_AUTHORS,
    refuses: [422],
    handle: (c) => {
      const input = { ids: readDocumentIds(c.body.documents), deep: c.body.deep === true }
      return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const id = await startBatchJob(unit, making, input)
        return async () => {
          const made = await c.engine.one(run, c.me, id)
          return new RouteAnswer(202, made, { location: made['@id'] })
        }
      })
    },
  },
]

/** Reads document IDs or addresses from a body. Throws 422 if invalid or too many. */
export function readDocumentIds(given: unknown): number[] {
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

async function answerPack(c: RouteContext, contents: PackContents): Promise<RouteAnswer> {
  const [first] = contents.documents
  if (!first) throw problem.notFound()
  const title = packTitle(first, contents.documents.length - 1)
  const pdf = await renderOrLoadPack(c.engine, c.me, contents, { title, clientId: packOwner(contents.documents) })
  return new RouteAnswer(200, pdf, {
    'content-type': 'application/pdf',
    'content-disposition': disposition(pdfNameOf(`Pack ${title}`), { type: 'inline' }),
  })
}

export function packs(kinds: readonly DocumentKind[]) {
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
