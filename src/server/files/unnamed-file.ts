import { randomUUID } from 'node:crypto'
import type { WriteStream } from 'node:fs'
import { open } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Stops writing a file and removes it. Waits for a pending open operation, because that would create the file again.
 */
export async function removePartialFile(file: WriteStream): Promise<void> {
  file.destroy()
  if (!file.closed) await new Promise((closed) => file.once('close', closed))
  await rm(file.path, { force: true })
}

// Plain file descriptors are used, because a stream on a `FileHandle` can't be read after writing.
const openFile = promisify(open)

/** Opens an unnamed file for reading and writing. The file disappears even if the process is killed. */
export async function openUnnamedFile(what: string): Promise<number> {
  const path = join(tmpdir(), `stanchion-${what}-${randomUUID()}`)
  const fd = await openFile(path, 'wx+', 0o600)
  await rm(path)
  return fd
}
