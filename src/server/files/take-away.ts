import type { WriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'

/** Ends the writing of a file and takes it away: it may be opened only now, and would come to stand there after it was removed. */
export async function takeAway(file: WriteStream): Promise<void> {
  file.destroy()
  if (!file.closed) await new Promise((closed) => file.once('close', closed))
  await rm(file.path, { force: true })
}
