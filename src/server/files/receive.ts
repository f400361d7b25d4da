import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A file that has come in and is not yet kept: on this machine's disk, for passing. */
export interface Received {
  readonly path: string
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** More came than is accepted. */
export class TooLong extends Error {}

const FOLDER = join(tmpdir(), 'stanchion-received')

/** Streams to disk, at the most `limit` bytes: what goes on beyond is thrown away as it comes, and nothing is left behind. */
export async function receive(from: Readable, limit: number): Promise<Received> {
  await mkdir(FOLDER, { recursive: true, mode: 0o700 })
  const path = join(FOLDER, randomUUID())
  const sum = createHash('sha256')
  let bytes = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > limit) return done(new TooLong())
      sum.update(chunk)
      done(null, chunk)
    },
  })
  // A wrapper: its end must not be the end of the request, or the sender would never hear why.
  const source = Readable.from(from.iterator({ destroyOnReturn: false }))
  try {
    await pipeline(source, measure, createWriteStream(path, { mode: 0o600 }))
    return { path, bytes, sha256: sum.digest('hex') }
  } catch (e) {
    from.resume()
    await rm(path, { force: true })
    throw e
  }
}

export const discard = (file: Pick<Received, 'path'>): Promise<void> => rm(file.path, { force: true })
