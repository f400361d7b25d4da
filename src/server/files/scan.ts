import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Problem } from '#kernel/errors.ts'
import type { Config, VirusScannerAddress } from '#server/config.ts'
import { rejectedFileProblem } from './sniff.ts'

/** Name of a file, and its path on this machine's disk. */
interface ScannedFile {
  readonly path: string
  readonly name: string
}

/** Milliseconds without a response after which the scanner is treated as unavailable. */
const SCANNER_TIMEOUT_MS = 60_000
/** Size of the length field before each chunk, in bytes. A length of zero marks the end. */
const LENGTH_BYTES = 4
/** Maximum length of the scanner's reply, which normally is one short line. */
const MAX_ANSWER_LENGTH = 4096

const NOT_SCANNED =
  'can’t be checked for viruses at the moment, so it was not saved. Please try again in a few minutes; if this continues, contact your provider.'

/**
 * Scans a file for viruses before it is stored, if a scanner is configured (`SCAN_URL`). Throws 422 for an infected
 * file, and 503 if the scanner does not confirm that the file is clean.
 */
export async function scanFile(
  { scanner }: Pick<Config, 'scanner'>,
  { path, name }: ScannedFile,
  patienceMs = SCANNER_TIMEOUT_MS,
) {
  if (!scanner) return
  const said = await ask(scanner, path, patienceMs).catch(() => '')
  const found = /^stream: (.+) FOUND$/.exec(said)?.[1]
  if (found)
    throw rejectedFileProblem(
      `"${name}" was not saved: the virus scanner found something harmful in it (${found}). Please don’t open the file, and contact your IT support.`,
    )
  if (said !== 'stream: OK') throw new Problem(503, `"${name}" ${NOT_SCANNED}`, { headers: { 'retry-after': '60' } })
}

/**
 * Sends a file to the ClamAV daemon (INSTREAM) and returns its reply, which is one line: `stream: OK` if the file is
 * clean.
 */
async function ask(scanner: VirusScannerAddress, path: string, patienceMs: number): Promise<string> {
  const socket = connect(scanner)
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('the scanner does not respond')))
  const answer = read(socket)
  // The scanner may reply and disconnect before it has received the complete file. In this case, its reply is used and
  // the failed write is ignored.
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
    else if (text.length > MAX_ANSWER_LENGTH) reject(new Error('the scanner’s response is too long'))
  })
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the scanner closed the connection')))
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
