import { buffer } from 'node:stream/consumers'
import { problem } from '#kernel/errors.ts'
import type { Engine } from '#server/engine/types.ts'
import { storeOf } from '#server/files/store.ts'
import { uploadedDocument } from './uploaded-document.ts'

/** Where a picture is kept as it is shown, and what it is called. */
export interface StoredPicture {
  /** Its file; unknown of what was kept before files were told apart. */
  readonly id?: number
  readonly key: string
  readonly caption: string
}

/** A picture as it is printed. */
export interface ShownPicture {
  readonly id?: number
  readonly base64: string
  readonly caption: string
}

/** An uploaded file that a paper shows, and what it is called there; as the file itself, where nothing is said. */
export interface Shown {
  readonly id: number
  readonly label?: string | undefined
}

/** The pictures among uploads of a client, in their order; those put away are left out. */
export async function findPictures(
  engine: Engine,
  clientId: number,
  shown: readonly Shown[],
): Promise<StoredPicture[]> {
  if (!shown.length) return []
  const found = await engine.readIn(clientId, 'pictures of a document', (c) =>
    c.find(uploadedDocument, { id: shown.map(({ id }) => id), retired: false }),
  )
  const files = new Map(found.map((file) => [file.id, file]))
  return shown.flatMap(({ id, label }) => {
    const file = files.get(id)
    return file?.viewKey ? [{ id, key: file.viewKey, caption: label || file.label || file.name || 'Picture' }] : []
  })
}

/** The bytes of pictures. One whose bytes are gone is left out; throws for it where all are needed. */
export async function readPictures(
  engine: Engine,
  pictures: readonly StoredPicture[],
  all = false,
): Promise<ShownPicture[]> {
  const store = await storeOf(engine.config)
  const read = await Promise.all(
    pictures.map(async ({ id, key, caption }) => {
      const bytes = await store
        .get(key)
        .then(buffer)
        .catch(() => undefined)
      if (!bytes && all)
        throw problem.notFound(`The picture "${caption}" is missing from the file store. Please tell your provider.`)
      return bytes ? [{ ...(id === undefined ? {} : { id }), base64: bytes.toString('base64'), caption }] : []
    }),
  )
  return read.flat()
}
