import { close, createReadStream } from 'node:fs'
import { promisify } from 'node:util'
import type { Actor } from '#kernel/roles.ts'
import type { BatchJob, StepResult } from '#server/engine/batch-job.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { digestOfSubject } from '#server/evidence/link.ts'
import { openUnnamedFile } from '#server/files/nameless.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { attachFile, fileKeyOf } from '#server/jobs/batch-job-file.ts'
import { joinPdfsToFile } from '#server/pdf/join-to-file.ts'
import { type PackContentsEntry, renderPackFrontMatter } from '#server/pdf/pack.ts'
import { pdfNameOf } from '../printing/file-name.ts'
import type { ReferredFile } from '../types/reference.ts'
import { documentPack } from './document-pack.ts'
import { findStoredPack, recordStoredPack } from './kept-pack.server.ts'
import { packCoverDetails, packCoverFiles } from './make-pack.server.ts'
import type { ListedPackDocument, PrintedPartState } from './portion.server.ts'
import { openPackWorkspace } from './workshop.server.ts'

/** Contents of a pack, determined at the start. */
export interface PackList {
  readonly title: string
  readonly clientId: number
  readonly documents: readonly ListedPackDocument[]
  readonly files: readonly ReferredFile[]
}

/** Contribution of a portion to the table of contents. */
export interface PackPortion {
  readonly entries: readonly PackContentsEntry[]
  /** State of each document when printed; null for a draft. */
  readonly standing: readonly (PrintedPartState | null)[]
  readonly captions: readonly string[]
  readonly pages: number
}

const closeFile = promisify(close)

/**
 * Joins the portions of a pack behind its cover and stores the file: with the job for some days, and permanently with a
 * checksum in the chain if all parts are sealed. The returned function runs in the job's last transaction.
 */
export async function finishPack(
  engine: Engine,
  run: BatchJob,
  actor: Actor,
  list: PackList,
  portions: number,
): Promise<(c: Context) => Promise<StepResult>> {
  const { clientId } = run
  const shop = await openPackWorkspace(engine, run)
  const all: PackPortion[] = []
  for (let n = 0; n < portions; n++) all.push(await shop.getJson<PackPortion>(`about-${n}`))
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
    await put(fileKeyOf(run))
    const standing = all.flatMap((portion) => portion.standing).flatMap((part) => part ?? [])
    const sealed = standing.length === list.documents.length && list.clientId === clientId
    const parts = [...standing, ...list.files.map(({ id, name, checksum: sum }) => ({ file: id, name, checksum: sum }))]
    const pack = { title: list.title, clientId, madeOf: digestOfSubject({ title: list.title, parts }), parts }
    const fileKey = `${clientId}/pack-${checksum}`
    const keeps = sealed && !(await findStoredPack(engine, pack))
    if (keeps) await put(fileKey)
    return async (c) => {
      if (keeps) await recordStoredPack(c, actor, pack, { checksum, fileKey, bytes })
      await attachFile(c, run, {
        name: pdfNameOf(`Pack ${list.title}`),
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
