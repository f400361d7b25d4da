import { buffer } from 'node:stream/consumers'
import { problem } from '#kernel/errors.ts'
import type { Engine } from '#server/engine/types.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { uploadedDocument } from './uploaded-document.ts'

/** Storage key and name of a picture's display version. */
export interface StoredPicture {
  /** ID of its file record; undefined for old data without one. */
  readonly id?: number
  readonly key: string
  readonly caption: string
}

/** A picture with its bytes, ready to print. */
export interface PrintablePicture {
  readonly id?: number
  readonly base64: string
  readonly caption: string
}

/** Reference to an uploaded file in a document, with its caption there or the file's own label. */
export interface PictureReference {
  readonly id: number
  readonly label?: string | undefined
}

/** Finds pictures among a client's uploads, in the given order, without retired ones. */
export async function findPictures(
  engine: Engine,
  clientId: number,
  shown: readonly PictureReference[],
): Promise<StoredPicture[]> {
  if (!shown.length) return []
  const found = await engine.readIn(clientId, 'find the pictures of a document', (c) =>
    c.find(uploadedDocument, { id: shown.map(({ id }) => id), retired: false }),
  )
  const files = new Map(found.map((file) => [file.id, file]))
  return shown.flatMap(({ id, label }) => {
    const file = files.get(id)
    return file?.viewKey ? [{ id, key: file.viewKey, caption: label || file.label || file.name || 'Picture' }] : []
  })
}

/** Reads the bytes of pictures. Omits missing ones, or throws if all are required. */
export async function readPictures(
  engine: Engine,
  pictures: readonly StoredPicture[],
  all = false,
): Promise<PrintablePicture[]> {
  const store = await fileStoreFor(engine.config)
  const read = await Promise.all(
    pictures.map(async ({ id, key, caption }) => {
      const bytes = await store
        .get(key)
        .then(buffer)
        .catch(() => undefined)
      if (!bytes && all)
        throw problem.notFound(`The picture “${caption}” is missing from the file store. Please contact your provider.`)
      return bytes ? [{ ...(id === undefined ? {} : { id }), base64: bytes.toString('base64'), caption }] : []
    }),
  )
  return read.flat()
}
