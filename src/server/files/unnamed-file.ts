import { randomUUID } from 'node:crypto'
import type { WriteStream } from 'node:fs'
import { open } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Stops writing a file and removes it, after waiting for a pending open that would recreate it. */
export async function removePartialFile(file: WriteStream): Promise<void> {
  file.destroy()
  if (!file.closed) await new Promise((closed) => file.once('close', closed))
  await rm(file.path, { force: true })
}

// Streams on a `FileHandle` can't be read after writing; plain descriptors can.
const openFile = promisify(open)

/** Opens an unnamed file for reading and writing, which disappears even if its process is killed. */
export async function openUnnamedFile(what: string): Promise<number> {
  const path = join(tmpdir(), `stanchion-${what}-${randomUUID()}`)
  const fd = await openFile(path, 'wx+', 0o600)
  await rm(path)
  return fd
}
