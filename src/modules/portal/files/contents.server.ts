import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import type { RowOf } from '#kernel/resource.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Engine } from '#server/engine/types.ts'
import { MissingFileError } from '#server/files/port.ts'
import { discardReceivedFile, FileTooLargeError, receiveToDisk } from '#server/files/receive.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { MemoryLimitError, ProcessEndedError, TimeLimitError } from '#server/processes/failures.ts'
import { lazyPool } from '#server/processes/pool.ts'
import type { FileText, FileTextJob } from './text-worker.server.ts'
import { uploadedDocument } from './uploaded-document.ts'

/**
 * Two processes, of which each client can use at most one, so that nobody waits for another client's slow file. They
 * parse untrusted files, so they have no environment and can be killed.
 */
const pool = lazyPool<FileTextJob, FileText>(() => ({
  program: new URL('./text-worker.server.ts', import.meta.url),
  workers: 2,
  each: 1,
  queue: 50,
  queueEach: 10,
  timeoutMs: 20_000,
  idleMs: 10_000,
  keeps: 300 * 2 ** 20,
  memory: 2 ** 30,
}))

/** Event: a file or a new version of one was uploaded. */
export const fileUploadedEvent = defineEvent({
  kind: 'file.uploaded',
  version: 1,
  payload: z.object({ file: z.int() }),
})

/**
 * Returns true if a second attempt to read the file would fail as well. If the process ended for another reason, a
 * second attempt may succeed.
 */
const isTooComplex = (e: unknown) =>
  e instanceof TimeLimitError ||
  e instanceof MemoryLimitError ||
  (e instanceof ProcessEndedError && e.signal === 'SIGABRT')

/** Types of files without text, or with text that can't be read. */
const WITHOUT_TEXT = /^image\/|^message\/|^application\/(?:msword|vnd\.ms-)/

/** Returns true if the search can find files of a MIME type by their text. */
export const hasSearchableText = (type: string): boolean => !WITHOUT_TEXT.test(type)

const NO_TEXT: FileText = { parts: [], isLocked: false }

/** True if a PDF opens only with a password. False if the file can't be checked at the moment. */
export const isLockedPdf = (path: string, clientId: number): Promise<boolean> =>
  pool()
    .ask({ path, type: 'application/pdf' }, String(clientId))
    .then(
      ({ isLocked }) => isLocked,
      () => false,
    )

/** Reads the text of a stored file. A file that is missing, damaged or too complex has no text. */
export async function readStoredFileText(
  engine: Engine,
  clientId: number,
  { type, size, fileKey }: Pick<RowOf<typeof uploadedDocument>, 'type' | 'size' | 'fileKey'>,
): Promise<FileText> {
  if (!hasSearchableText(type)) return NO_TEXT
  const store = await fileStoreFor(engine.config)
  const received = await store
    .get(fileKey)
    .then((stream) => receiveToDisk(stream, size))
    .catch((e: unknown) => {
      if (e instanceof MissingFileError || e instanceof FileTooLargeError) return undefined
      throw e
    })
  if (!received) return NO_TEXT
  try {
    return await pool().ask({ path: received.path, type }, String(clientId))
  } catch (e) {
    if (isTooComplex(e)) return NO_TEXT
    throw e
  } finally {
    await discardReceivedFile(received)
  }
}

async function readDocumentText(engine: Engine, clientId: number, id: number): Promise<FileText> {
  const file = await engine.readIn(clientId, 'read the text of a file', (c) => c.get(uploadedDocument, id))
  return file && !file.retired ? readStoredFileText(engine, clientId, file) : NO_TEXT
}

/**
 * Event handler that adds the text of an uploaded file to the search index, and stores whether the file opens only with
 * a password.
 */
export const enterFileText = eventHandler(fileUploadedEvent, {
  name: 'file.enter-text',
  queue: 'files',
  send: async ({ engine, clientId, id }, { file }) => {
    const { parts, isLocked } = await readDocumentText(engine, clientId, file)
    if (!parts.length && !isLocked) return
    const change = { actor: createSystemActor(clientId, 'enter the text of a file'), requestId: `file text ${id}` }
    await engine.inTenant(clientId, change, async (c) => {
      await c.work.tx.rows(
        `UPDATE uploaded_document_words w SET parts = $3::text[], words = file_words(f.name, f.label, $3::text[])
         FROM uploaded_document f WHERE f.client_id = $1 AND f.id = $2 AND w.client_id = f.client_id AND w.uploaded_document_id = f.id`,
        [clientId, file, parts],
      )
      if (isLocked) {
        await c.work.tx.rows('UPDATE uploaded_document SET locked = true WHERE client_id = $1 AND id = $2', [
          clientId,
          file,
        ])
        c.work.touched.add('uploaded_document')
      }
      return () => undefined
    })
  },
})
