import type { WriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'

/** Stops writing a file and removes it, after waiting for a pending open that would recreate it. */
export async function removePartialFile(file: WriteStream): Promise<void> {
  file.destroy()
  if (!file.closed) await new Promise((closed) => file.once('close', closed))
  await rm(file.path, { force: true })
}
