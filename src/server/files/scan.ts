import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Problem } from '#kernel/errors.ts'
import type { Config, Scanner } from '#server/config.ts'
import { refusedFile } from './sniff.ts'

/** A file on this machine's disk, and what it is called. */
interface Sent {
  readonly path: string
  readonly name: string
}

/** Silence after which the scanner counts as away. */
const PATIENCE_MS = 60_000
/** A chunk is announced by its length in four bytes; one of no length is the end. */
const LENGTH_BYTES = 4
/** An answer is one short line. */
const LONGEST_ANSWER = 4096

const NOT_SCANNED =
  "can't be checked for viruses just now, so it was not kept. Please try again in a few minutes; if it goes on, tell your provider."

/**
 * Has a file looked at before it is kept, where a scanner is set (`SCAN_URL`). Throws 422 for one that it finds something in, and 503
 * where it does not say that there is nothing: what nobody has looked at is not kept.
 */
export async function scan({ scanner }: Pick<Config, 'scanner'>, { path, name }: Sent, patienceMs = PATIENCE_MS) {
  if (!scanner) return
  const said = await ask(scanner, path, patienceMs).catch(() => '')
  const found = /^stream: (.+) FOUND$/.exec(said)?.[1]
  if (found)
    throw refusedFile(
      `"${name}" was not kept: the virus scanner found something harmful in it (${found}). Please don't open it, and tell whoever looks after your computer.`,
    )
  if (said !== 'stream: OK') throw new Problem(503, `"${name}" ${NOT_SCANNED}`, { headers: { 'retry-after': '60' } })
}

/** What ClamAV's daemon says of a file that is sent to it (INSTREAM): one line, `stream: OK` where it finds nothing. */
async function ask(scanner: Scanner, path: string, patienceMs: number): Promise<string> {
  const socket = connect(scanner)
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('the scanner is silent')))
  const answer = read(socket)
  // It may answer before all has come, and then hangs up: its answer counts, not that the rest could not be sent.
  answer.catch(() => {})
  try {
    await send(socket, path).catch(() => {})
    return await answer
  } finally {
    socket.destroy()
  }
}

function read(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
    const end = text.indexOf('\0')
    if (end >= 0) resolve(text.slice(0, end).trim())
    else if (text.length > LONGEST_ANSWER) reject(new Error('the scanner says more than an answer'))
  })
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the scanner hung up')))
  return promise
}

async function send(socket: Socket, path: string): Promise<void> {
  const write = (bytes: Buffer | string) =>
    new Promise<void>((resolve, reject) => {
      socket.write(bytes, (e) => (e ? reject(e) : resolve()))
    })
  const announce = (bytes: number) => {
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(bytes)
    return write(length)
  }
  await write('zINSTREAM\0')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    await announce(chunk.length)
    await write(chunk)
  }
  await announce(0)
}
