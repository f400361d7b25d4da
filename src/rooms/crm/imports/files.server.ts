import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Problem } from '#kernel/errors.ts'
import type { Config } from '#server/config.ts'
import { type Encoding, EncodingProbe } from '#server/files/text.ts'
import { MOST_BYTES } from './inspect.server.ts'

type Where = Pick<Config, 'dataDir'>

/** Among the portal's own data: a folder of everybody's could be laid out by anybody beforehand. */
const folder = (c: Where) => join(c.dataDir, 'uploads')

export const uploadPath = (c: Where, key: string): string => join(folder(c), key)

export interface Upload {
  readonly key: string
  readonly path: string
  readonly bytes: number
  readonly encoding: Encoding
  readonly sha256: string
}

/** Streams an upload to disk. What is too long is read to its end and thrown away, so that the sender hears why. */
export async function saveUpload(c: Where, from: Readable): Promise<Upload> {
  await mkdir(folder(c), { recursive: true, mode: 0o700 })
  const key = `${randomUUID()}.csv`
  const path = uploadPath(c, key)
  const to = createWriteStream(path, { mode: 0o600 })
  const written = finished(to)
  written.catch(() => {})
  const probe = new EncodingProbe()
  const sum = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MOST_BYTES) continue
      probe.take(chunk)
      sum.update(chunk)
      if (!to.write(chunk)) await Promise.race([new Promise((done) => to.once('drain', done)), written])
    }
    to.end()
    await written
    if (bytes > MOST_BYTES)
      throw new Problem(413, 'The file is larger than 200 MB. Please split it into smaller files.')
    return { key, path, bytes, encoding: probe.end(), sha256: sum.digest('hex') }
  } catch (e) {
    to.destroy()
    await rm(path, { force: true })
    throw e
  }
}

export const removeUpload = async (c: Where, key: string | null | undefined): Promise<void> => {
  if (key) await rm(uploadPath(c, key), { force: true })
}

const KEPT_DAYS = 7

/** Files that nobody came back for. */
export async function sweepUploads(c: Where): Promise<void> {
  const names = await readdir(folder(c)).catch(() => [])
  for (const name of names) {
    const path = join(folder(c), name)
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now())
    if (age > KEPT_DAYS * 24 * 60 * 60 * 1000) await rm(path, { force: true })
  }
}
