import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { isProcessAlive } from '#server/db/embedded/data-folder.ts'
import { removePartialFile } from './unnamed-file.ts'

/** A received file that is not stored yet. It is temporarily on this machine's disk. */
export interface ReceivedFile {
  readonly path: string
  readonly bytes: number
  /** SHA-256 in hexadecimal. */
  readonly sha256: string
}

/** Error thrown when more bytes were received than are allowed. */
export class FileTooLargeError extends Error {}

let folder: Promise<string> | undefined

const PREFIX = 'stanchion-received-'

/**
 * Milliseconds after which a temporary folder is treated as abandoned. The folder's age is checked, because the process
 * that owns it may not be visible to this process.
 */
const COMING = 60 * 60 * 1000

/** Returns the milliseconds since a file was last changed; 0 if it does not exist. */
export const fileAgeMs = async (path: string): Promise<number> =>
  Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now())

/** Removes temporary folders that killed processes have left behind, except those of other operating-system users. */
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? /^(\d+)-/.exec(name.slice(PREFIX.length))?.[1] : undefined
    if (!pid || isProcessAlive(Number(pid))) continue
    const path = join(tmpdir(), name)
    if ((await fileAgeMs(path)) > COMING) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Returns this process's private temporary folder, creating it if necessary. The folder is removed when the process
 * ends.
 */
export function ensureTemporaryUploadFolder(): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`)).then(async (made) => {
    await removeOrphans()
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    return made
  })
  return folder
}

/**
 * Streams a file to disk. Throws `FileTooLargeError` for a file of more than `limit` bytes. If receiving fails, no
 * partial file is left behind.
 */
export async function receiveToDisk(from: Readable, limit: number): Promise<ReceivedFile> {
  const path = join(await ensureTemporaryUploadFolder(), randomUUID())
  const sum = createHash('sha256')
  let bytes = 0
  const to = createWriteStream(path, { mode: 0o600 })
  const written = finished(to)
  written.catch(() => {})
  try {
    // The upload is always read to the end, because an unread request blocks the next request on its connection.
    for await (const chunk of from as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > limit) continue
      sum.update(chunk)
      if (!to.write(chunk)) await Promise.race([once(to, 'drain'), written])
    }
    to.end()
    await written
    if (bytes > limit) throw new FileTooLargeError()
    return { path, bytes, sha256: sum.digest('hex') }
  } catch (e) {
    await removePartialFile(to)
    throw e
  }
}

export const discardReceivedFile = (file: Pick<ReceivedFile, 'path'>): Promise<void> => rm(file.path, { force: true })
