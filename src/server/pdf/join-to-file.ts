import { createHash } from 'node:crypto'
import { write } from 'node:fs'
import { promisify } from 'node:util'
import { joinPdfs } from './join-pdfs.ts'

const writeFile = promisify(write)

/** Bytes per write. */
const PIECE = 2 ** 20

/**
 * Writes joined parts to a file in chunks; returns its checksum and size. `front: false`: the first part is no front
 * matter.
 */
export async function joinPdfsToFile(
  fd: number,
  parts: () => AsyncIterable<Buffer>,
  { front = true } = {},
): Promise<{ readonly checksum: string; readonly bytes: number }> {
  const sum = createHash('sha256')
  let waiting: Buffer[] = []
  let [held, bytes] = [0, 0]
  const send = async () => {
    const piece = Buffer.concat(waiting)
    waiting = []
    held = 0
    sum.update(piece)
    for (let from = 0; from < piece.length; ) {
      const { bytesWritten } = await writeFile(fd, piece, from, piece.length - from, bytes + from)
      from += bytesWritten
    }
    bytes += piece.length
  }
  const take = async (more: Buffer) => {
    waiting.push(more)
    held += more.length
    if (held >= PIECE) await send()
  }
  await joinPdfs(parts(), take, { front })
  await send()
  return { checksum: sum.digest('hex'), bytes }
}
