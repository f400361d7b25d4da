import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { isAlive } from '#server/db/embedded/lock.ts'
import { takeAway } from './take-away.ts'

/** A file that has come in and is not yet kept: on this machine's disk, for passing. */
export interface Received {
  readonly path: string
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** More came than is accepted. */
export class TooLong extends Error {}

let folder: Promise<string> | undefined

const PREFIX = 'stanchion-received-'

/** Milliseconds after which nothing is still coming into a folder: the process may be one that is not seen from here. */
const COMING = 60 * 60 * 1000

/** Milliseconds since something was last written to; 0 for what is not there. */
export const ageOf = async (path: string): Promise<number> =>
  Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now())

/** Removes the folders of processes that were killed, and could remove nothing themselves. What is another user's stays. */
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? /^(\d+)-/.exec(name.slice(PREFIX.length))?.[1] : undefined
    if (!pid || isAlive(Number(pid))) continue
    const path = join(tmpdir(), name)
    if ((await ageOf(path)) > COMING) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/** A folder that nobody else can have made, name or read: this process's own, gone with it. */
export function receivedIn(): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`)).then(async (made) => {
    await removeOrphans()
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    return made
  })
  return folder
}

/** Streams to disk, at the most `limit` bytes: what goes on beyond is thrown away as it comes, and nothing is left behind. */
export async function receive(from: Readable, limit: number): Promise<Received> {
  const path = join(await receivedIn(), randomUUID())
  const sum = createHash('sha256')
  let bytes = 0
  const to = createWriteStream(path, { mode: 0o600 })
  const written = finished(to)
  written.catch(() => {})
  try {
    // Read to its end whatever comes: a request that is left half read holds up the next one on its connection.
    for await (const chunk of from as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > limit) continue
      sum.update(chunk)
      if (!to.write(chunk)) await Promise.race([once(to, 'drain'), written])
    }
    to.end()
    await written
    if (bytes > limit) throw new TooLong()
    return { path, bytes, sha256: sum.digest('hex') }
  } catch (e) {
    await takeAway(to)
    throw e
  }
}

export const discard = (file: Pick<Received, 'path'>): Promise<void> => rm(file.path, { force: true })
