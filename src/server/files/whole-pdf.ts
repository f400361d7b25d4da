import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { refusedFile } from './sniff.ts'

const unpack = promisify(inflate)

/** Where readers look for the beginning and the end: there may be a few bytes of something else before and after. */
const LOOKED = 1024
/** Streams of objects that are looked into, and what all of them may become: whoever sends a file needs no account. */
const MOST_STREAMS = 400
const MOST_BYTES = 32 * 1024 * 1024

const PAGE = /\/Type\s*\/Page(?![A-Za-z])/
const OBJECTS = '/ObjStm'
const BEGINS = /stream\r?\n/

/**
 * Throws 422 for what begins like a PDF and is none that anybody could open: cut off, or without a page. What is encrypted is not looked
 * into.
 */
export async function assertWholePdf(path: string, name: string): Promise<void> {
  const bytes = await readFile(path)
  const text = bytes.toString('latin1')
  const ends = text.slice(-LOOKED).includes('%%EOF') && /trailer|\/XRef|startxref/.test(text)
  if (!text.slice(0, LOOKED).includes('%PDF-') || !ends)
    throw refusedFile(`"${name}" is not a whole PDF: its end is missing. Please save it again, and send that.`)
  if (/\/Encrypt\b/.test(text) || PAGE.test(text) || (await hasPackedPage(bytes, text))) return
  throw refusedFile(`"${name}" has no page. Please check the file, and send the right one.`)
}

/** Is there a page among the objects that are kept packed together, as newer programs do? */
async function hasPackedPage(bytes: Buffer, text: string): Promise<boolean> {
  let left = MOST_BYTES
  let at = text.indexOf(OBJECTS)
  for (let n = 0; at >= 0 && n < MOST_STREAMS && left > 0; n++) {
    const begins = BEGINS.exec(text.slice(at, at + LOOKED))
    const start = begins ? at + begins.index + begins[0].length : undefined
    const end = start === undefined ? -1 : text.indexOf('endstream', start)
    if (start !== undefined && end >= 0) {
      const objects = await unpack(bytes.subarray(start, end), { maxOutputLength: left }).catch(() => undefined)
      if (objects && PAGE.test(objects.toString('latin1'))) return true
      // What is no stream, or becomes too much, has cost its share too.
      left -= objects?.length ?? MOST_BYTES / 8
    }
    at = text.indexOf(OBJECTS, Math.max(end, at + OBJECTS.length))
  }
  return false
}
