import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { Problem } from '#kernel/errors.ts'
import type { Config } from '#server/config.ts'
import { fileAge } from '#server/files/receive.ts'
import { removePartialFile } from '#server/files/take-away.ts'
import { EncodingProbe, type TextEncoding } from '#server/files/text.ts'
import { MAX_IMPORT_BYTES } from './inspect.server.ts'

type Where = Pick<Config, 'dataDir'>

/** Inside the portal's own data: a shared temporary folder could be prepared by others beforehand. */
const folder = (c: Where) => join(c.dataDir, 'uploads')

export const importUploadPath = (c: Where, key: string): string => join(folder(c), key)

/** Suffix of incomplete uploads. */
const PART = '.part'

export interface ImportUpload {
  readonly key: string
  readonly path: string
  readonly bytes: number
  readonly encoding: TextEncoding
  readonly sha256: string
}

/**
 * Streams an upload to disk. An oversized upload is read to its end and discarded, so that the sender gets the error.
 */
export async function saveImportUpload(c: Where, from: AsyncIterable<Buffer>): Promise<ImportUpload> {
  await mkdir(folder(c), { recursive: true, mode: 0o700 })
  await removeOldImportUploads(c)
  const key = `${randomUUID()}.csv`
  const path = importUploadPath(c, key)
  const part = `${path}${PART}`
  const to = createWriteStream(part, { mode: 0o600 })
  const written = finished(to)
  written.catch(() => {})
  const probe = new EncodingProbe()
  const sum = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of from) {
      bytes += chunk.length
      if (bytes > MAX_IMPORT_BYTES) continue
      probe.take(chunk)
      sum.update(chunk)
      if (!to.write(chunk)) await Promise.race([new Promise((done) => to.once('drain', done)), written])
    }
    to.end()
    await written
    if (bytes > MAX_IMPORT_BYTES)
      throw new Problem(413, 'The file is larger than 200 MB. Please split it into smaller files.')
    const encoding = probe.end()
    await rename(part, path)
    return { key, path, bytes, encoding, sha256: sum.digest('hex') }
  } catch (e) {
    await removePartialFile(to)
    throw e
  }
}

export const removeImportUpload = async (c: Where, key: string | null | undefined): Promise<void> => {
  if (key) await rm(importUploadPath(c, key), { force: true })
}

const HOUR = 60 * 60 * 1000
/** Milliseconds for which an unused file is stored. */
const KEPT = 7 * 24 * HOUR
/** Milliseconds after which an incomplete upload must come from a killed process. */
const COMING = HOUR

/** Removes unused files and abandoned partial uploads. */
export async function removeOldImportUploads(c: Where): Promise<void> {
  const names = await readdir(folder(c)).catch(() => [])
  for (const name of names) {
    const path = join(folder(c), name)
    if ((await fileAge(path)) > (name.endsWith(PART) ? COMING : KEPT)) await rm(path, { force: true })
  }
}
