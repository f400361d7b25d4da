import { createReadStream } from 'node:fs'
import { problem, violation } from '#kernel/errors.ts'

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Returns problem 422 for a file that can't be imported, with the reason. */
export const importFileProblem = (message: string) => problem.invalid([violation('file', message)])

const HEAD = 64 * 1024
/** Signatures of workbooks, documents and images that users choose by mistake instead of a CSV file. */
const OTHERS: readonly (readonly [string, string])[] = [
  [
    'PK\u0003\u0004',
    'This is a spreadsheet workbook or a zip file. Open the file, save it as CSV, and choose the CSV file.',
  ],
  [
    '\u00d0\u00cf\u0011\u00e0',
    'This is an old Excel workbook. Open the workbook, save it as CSV, and choose the CSV file.',
  ],
  ['%PDF', 'This is a PDF. Export the list as CSV, and choose the CSV file.'],
  ['\u001f\u008b', 'This is a compressed file. Unpack the file, and choose the CSV file inside it.'],
]

/**
 * Detects the encoding of a streamed file from its first bytes. If these don't reveal the encoding, it is UTF-8 if all
 * bytes are valid, otherwise Windows-1252.
 */
export class EncodingDetector {
  private readonly head: Buffer[] = []
  private seen = 0
  private utf8 = true
  private readonly strict = new TextDecoder('utf-8', { fatal: true })

  take(chunk: Buffer): void {
    if (this.seen < HEAD) this.head.push(chunk.subarray(0, HEAD - this.seen))
    this.seen += chunk.length
    if (this.utf8) this.decodes(chunk, true)
  }

  /** Returns the encoding. Throws a Problem if the bytes are not text. */
  end(): TextEncoding {
    const head = Buffer.concat(this.head)
    if (this.seen === 0) throw importFileProblem('The file is empty. Please choose another file.')
    const other = OTHERS.find(([magic]) => head.toString('latin1', 0, magic.length) === magic)
    if (other) throw importFileProblem(other[1])
    if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
    if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
    const zeros = [0, 0]
    const signs = head.filter((b, i) => {
      if (b === 0) zeros[i % 2] = (zeros[i % 2] as number) + 1
      return b < 9 || (b > 13 && b < 32)
    }).length
    // If every other byte is zero, the text is UTF-16 without a byte order mark.
    if ((zeros[1] as number) > head.length * 0.4) return 'utf-16le'
    if ((zeros[0] as number) > head.length * 0.4) return 'utf-16be'
    if (signs > head.length * 0.1) throw importFileProblem('This file is not a text file. Please choose a CSV file.')
    if (this.utf8) this.decodes(new Uint8Array(), false)
    return this.utf8 ? 'utf-8' : 'windows-1252'
  }

  private decodes(chunk: Uint8Array, stream: boolean): void {
    try {
      this.strict.decode(chunk, { stream })
    } catch {
      this.utf8 = false
    }
  }
}

/** Detects the encoding of a file on disk. */
export async function detectEncoding(path: string): Promise<TextEncoding> {
  const probe = new EncodingDetector()
  for await (const chunk of createReadStream(path)) probe.take(chunk as Buffer)
  return probe.end()
}

/** Characters with which DOS programs end a text and fill its last block. */
const END_OF_TEXT = '\u001a\u0000'
/** Maximum number of these characters. A longer run is not padding. */
const MAX_PADDING = 4096

/**
 * Yields a file's text in chunks, starting at a byte offset, without the byte order mark and without an end-of-file
 * character of DOS.
 */
export async function* readTextChunks(
  path: string,
  encoding: TextEncoding,
  onBytes?: (n: number) => void,
  start = 0,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  let held = ''
  const textBefore = (more: string): string => {
    const text = held + more
    let end = text.length
    const start = Math.max(0, end - MAX_PADDING)
    while (end > start && END_OF_TEXT.includes(text[end - 1] as string)) end--
    held = text.slice(end)
    return text.slice(0, end)
  }
  for await (const chunk of createReadStream(path, { start, highWaterMark: 256 * 1024 })) {
    onBytes?.((chunk as Buffer).length)
    const text = textBefore(decoder.decode(chunk as Buffer, { stream: true }))
    if (text) yield text
  }
  const rest = textBefore(decoder.decode())
  if (rest) yield rest
}
