import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { refusedFile } from './sniff.ts'

const unpack = promisify(inflate)

/** Where readers look for the beginning and the end: there may be a few bytes of something else before and after. */
const LOOKED = 1024
/** Streams of objects that are opened, and how long one may become. */
const MOST_STREAMS = 400
const LONGEST = 8 * 1024 * 1024

const PAGE = /\/Type\s*\/Page(?![A-Za-z])/
const OBJECTS = /\/Type\s*\/ObjStm(?![A-Za-z])/
const STREAM = /stream\r?\n/g

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
  let opened = 0
  for (const { index, 0: word } of text.matchAll(STREAM)) {
    const head = text.slice(text.lastIndexOf('obj', index), index)
    if (!OBJECTS.test(head)) continue
    if (++opened > MOST_STREAMS) return false
    const start = index + word.length
    const end = text.indexOf('endstream', start)
    const packed = bytes.subarray(start, end < 0 ? undefined : end)
    const objects = await unpack(packed, { maxOutputLength: LONGEST, finishFlush: 2 }).catch(() => undefined)
    if (objects && PAGE.test(objects.toString('latin1'))) return true
  }
  return false
}
