import { randomUUID } from 'node:crypto'
import { open } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

// Streams on a `FileHandle` that was written to can't be read: plain descriptors can.
const openFile = promisify(open)

/** Opens a file without a name on the disk, for reading and writing: nothing is left of it where its process is killed. */
export async function openNameless(what: string): Promise<number> {
  const path = join(tmpdir(), `stanchion-${what}-${randomUUID()}`)
  const fd = await openFile(path, 'wx+', 0o600)
  await rm(path)
  return fd
}
