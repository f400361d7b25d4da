import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { problem } from '#kernel/errors.ts'
import type { Engine } from '#server/engine/types.ts'
import { MissingFile } from '#server/files/port.ts'
import { storeOf } from '#server/files/store.ts'

export interface KeptBytes {
  readonly fileKey: string
  /** SHA-256, hexadecimal. */
  readonly checksum: string
}

/** Stores a client's file under its checksum: equal bytes are stored once. */
export async function keepBytes(engine: Engine, clientId: number, what: string, bytes: Buffer): Promise<KeptBytes> {
  const checksum = hash('sha256', bytes, 'hex')
  const fileKey = `${clientId}/${what}-${checksum}`
  await (await storeOf(engine.config)).put(fileKey, Readable.from([bytes]), bytes.length)
  return { fileKey, checksum }
}

/** Reads stored bytes; `about` is for the log. Throws if they are missing or altered. */
export async function readKept(
  engine: Engine,
  about: Readonly<Record<string, unknown>>,
  { fileKey, checksum }: KeptBytes,
): Promise<Buffer> {
  const store = await storeOf(engine.config)
  const bytes = await store
    .get(fileKey)
    .then(buffer)
    .catch((e: unknown) => {
      if (e instanceof MissingFile) return undefined
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
