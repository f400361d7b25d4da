import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { problem } from '#kernel/errors.ts'
import type { Engine } from '#server/engine/types.ts'
import { MissingFileError } from '#server/files/port.ts'
import { fileStoreFor } from '#server/files/store.ts'

export interface StoredBytes {
  readonly fileKey: string
  /** SHA-256, hexadecimal. */
  readonly checksum: string
}

/** Stores a client's file under its checksum: equal bytes are stored once. */
export async function storeBytes(engine: Engine, clientId: number, what: string, bytes: Buffer): Promise<StoredBytes> {
  const checksum = hash('sha256', bytes, 'hex')
  const fileKey = `${clientId}/${what}-${checksum}`
  await (await fileStoreFor(engine.config)).put(fileKey, Readable.from([bytes]), bytes.length)
  return { fileKey, checksum }
}

/** Reads stored bytes; `about` is for the log. Throws if they are missing or altered. */
export async function readStoredBytes(
  engine: Engine,
  about: Readonly<Record<string, unknown>>,
  { fileKey, checksum }: StoredBytes,
): Promise<Buffer> {
  const store = await fileStoreFor(engine.config)
  const bytes = await store
    .get(fileKey)
    .then(buffer)
    .catch((e: unknown) => {
      if (e instanceof MissingFileError) return undefined
      throw e
    })
  if (bytes && hash('sha256', bytes, 'hex') === checksum) return bytes
  engine.log.error(
    { ...about, fileKey },
    bytes ? 'A stored PDF has been altered' : 'A stored PDF is missing from the file store',
  )
  throw problem.notFound(
    `The stored PDF of this revision is ${bytes ? 'damaged' : 'missing'} in the file store. Please contact your provider, who can restore it from a backup.`,
  )
}
