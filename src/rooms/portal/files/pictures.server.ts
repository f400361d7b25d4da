import { buffer } from 'node:stream/consumers'
import type { Engine } from '#server/engine/engine.ts'
import { storeOf } from '#server/files/store.ts'
import { uploadedDocument } from './uploaded-document.ts'

/** An uploaded picture as it is shown. */
export interface ShownPicture {
  readonly base64: string
  readonly caption: string
}

/** The pictures among uploads of a client, by their ids, at most so many. One whose bytes are gone is left out. */
export async function readPictures(
  engine: Engine,
  clientId: number,
  ids: readonly number[],
  most: number,
): Promise<ShownPicture[]> {
  if (!ids.length) return []
  const found = await engine.readIn(clientId, 'pictures of a document', (c) =>
    c.find(uploadedDocument, { id: ids, retired: false }),
  )
  const files = found.flatMap(({ viewKey, label, name }) =>
    viewKey ? [{ key: viewKey, caption: label || name || '' }] : [],
  )
  const store = await storeOf(engine.config)
  const read = await Promise.all(
    files.slice(0, most).map(async ({ key, caption }) => {
      const bytes = await store
        .get(key)
        .then(buffer)
        .catch(() => undefined)
      return bytes ? [{ base64: bytes.toString('base64'), caption }] : []
    }),
  )
  return read.flat()
}
