import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { rejectedFileProblem } from './sniff.ts'

const unpack = promisify(inflate)

/** Number of bytes at the beginning and at the end in which PDF readers search for the markers. */
const LOOKED = 1024
/**
 * Maximum number of object streams that are decompressed. Their total size is limited too, because uploads need no
 * account.
 */
const MAX_STREAMS = 400
const MAX_BYTES = 32 * 1024 * 1024

const PAGE = /\/Type\s*\/Page(?![A-Za-z])/
const OBJECTS = '/ObjStm'
const BEGINS = /stream\r?\n/

/**
 * Throws 422 for a PDF that can't be opened because it is truncated or has no page. Returns whether the file is
 * encrypted; the pages of such a file are not checked.
 */
export async function assertCompletePdf(path: string, name: string): Promise<{ readonly isEncrypted: boolean }> {
  const bytes = await readFile(path)
  const text = bytes.toString('latin1')
  const ends = text.slice(-LOOKED).includes('%%EOF') && /trailer|\/XRef|startxref/.test(text)
  if (!text.slice(0, LOOKED).includes('%PDF-') || !ends)
    throw rejectedFileProblem(
      `"${name}" is not a complete PDF: its end is missing. Please save the PDF again and upload it.`,
    )
  const isEncrypted = /\/Encrypt\b/.test(text)
  if (isEncrypted || PAGE.test(text) || (await hasPackedPage(bytes, text))) return { isEncrypted }
  throw rejectedFileProblem(`"${name}" has no pages. Please check the file and upload the right one.`)
}

/** True if a compressed object stream contains a page. Newer programs write such streams. */
async function hasPackedPage(bytes: Buffer, text: string): Promise<boolean> {
  let left = MAX_BYTES
  let at = text.indexOf(OBJECTS)
  for (let n = 0; at >= 0 && n < MAX_STREAMS && left > 0; n++) {
    const begins = BEGINS.exec(text.slice(at, at + LOOKED))
    const start = begins ? at + begins.index + begins[0].length : undefined
    const end = start === undefined ? -1 : text.indexOf('endstream', start)
    if (start !== undefined && end >= 0) {
      const objects = await unpack(bytes.subarray(start, end), { maxOutputLength: left }).catch(() => undefined)
      if (objects && PAGE.test(objects.toString('latin1'))) return true
      // A stream that is invalid or too large also counts towards the limit.
      left -= objects?.length ?? MAX_BYTES / 8
    }
    at = text.indexOf(OBJECTS, Math.max(end, at + OBJECTS.length))
  }
  return false
}
