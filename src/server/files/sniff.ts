import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ViolationCode } from '#kernel/error-codes.ts'
import { Problem, violation } from '#kernel/errors.ts'
import { describeFileType, type FileKind, fileExtensionOf, fileKindForMimeType, fileKindForName } from './kinds.ts'

const TAKEN = 'Photos, PDF, Word, Excel, PowerPoint, OpenDocument, CSV, plain text and e-mails are accepted.'
const HEAD = 64 * 1024

/** Returns problem 422 for an unacceptable file, with a complete sentence for the property `file`. */
export const rejectedFileProblem = (sentence: string, code?: ViolationCode): Problem =>
  new Problem(422, sentence, { violations: [violation('file', sentence, code)] })

/**
 * Detects a file's kind from its content. Its name only decides between kinds with similar content. Throws a Problem if
 * the file is not acceptable.
 */
export async function detectFileKind(path: string, name: string): Promise<FileKind> {
  const named = fileKindForName(name)
  const found = await signatureType(path)
  const type =
    found === 'application/x-cfb' ? await typeOfCompound(path, named) : (found ?? (await textType(path, name)))
  if (!type) throw rejectedFileProblem(`"${name}" is an unknown type of file. ${TAKEN}`)
  const isCutOff = named && type === 'application/zip' && !(await hasZipEnd(path))
  if (isCutOff || (type === BROKEN_OFF && named?.family !== 'text'))
    throw rejectedFileProblem(`"${name}" is damaged or incomplete. Please check the file and upload it again.`)
  const kind = fileKindForMimeType(type)
  const isMisnamed = named && kind?.family !== named.family
  if (isMisnamed)
    throw rejectedFileProblem(
      `"${name}" has the file extension of ${named.words}, but its content is ${describeFileType(type)}. Please check the file and upload the right one.`,
    )
  if (!kind) throw rejectedFileProblem(`"${name}" is ${describeFileType(type)}, which can’t be uploaded. ${TAKEN}`)
  return kind
}

/** Type of bytes that are neither text nor have the structure of a known type. */
const BROKEN_OFF = 'application/octet-stream'

/** Maximum length of the end record of a ZIP archive, with its comment. */
const ZIP_END_BYTES = 22 + 0xffff

/** True if a ZIP archive has its end record, and is therefore not truncated. */
async function hasZipEnd(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - ZIP_END_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    return buffer.subarray(0, bytesRead).includes('PK\u0005\u0006')
  } finally {
    await file.close()
  }
}

/** Returns the type that a file's signature and structure state; `undefined` if there is no known signature. */
async function signatureType(path: string): Promise<string | undefined> {
  // This large library is loaded only with the first upload.
  const { fileTypeFromFile } = await import('file-type')
  try {
    return (await fileTypeFromFile(path))?.mime
  } catch (e) {
    // Errors of the operating system have a system call. Others mean that the structure is broken or ends too early.
    if (typeof (e as NodeJS.ErrnoException).syscall === 'string') throw e
    return BROKEN_OFF
  }
}

/**
 * Names of streams in a compound file (MS-CFB), with the type of the file that has them. Office files from before 2007,
 * Outlook e-mails and installers have the same container.
 */
const COMPOUND_STREAMS = (
  [
    ['__properties_version1.0', 'application/vnd.ms-outlook'],
    ['WordDocument', 'application/msword'],
    ['Workbook', 'application/vnd.ms-excel'],
    ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
  ] as const
).map(([stream, type]) => ({ type, bytes: Buffer.from(stream, 'utf16le') }))
/** Bytes that are searched again with the next piece, because a name may cross the boundary. */
const OVERLAP = 64

/**
 * Returns the type of a compound file by the names of its streams. For an Office file whose names are unclear, the name
 * of the file decides. Other compound files have the type of an installer.
 */
async function typeOfCompound(path: string, named: FileKind | undefined): Promise<string> {
  const types = new Set<string>()
  let rest = Buffer.alloc(0)
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, piece])
    for (const { type, bytes: name } of COMPOUND_STREAMS) if (bytes.includes(name)) types.add(type)
    rest = bytes.subarray(-OVERLAP)
  }
  const isOffice = named !== undefined && /^application\/(msword|vnd\.ms-(?!outlook))/.test(named.type)
  if (isOffice && (types.has(named.type) || !types.has('application/vnd.ms-outlook'))) return named.type
  return COMPOUND_STREAMS.find(({ type }) => types.has(type))?.type ?? 'application/x-msi'
}

/** True for a control character other than white space and escape. */
const isSign = (byte: number): boolean => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b

/** Bytes at the beginning in which PDF readers search for the header. */
const PDF_HEADER_BYTES = 1024

/** Returns the text of bytes in UTF-16 with a byte order mark; `undefined` for other bytes. */
function decodeUtf16(bytes: Buffer): string | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be').decode(bytes) : undefined
}

/** True if a text begins with the header of an e-mail (RFC 5322). */
const isMail = (text: string): boolean =>
  /^(?:From |[!-9;-~]{1,100}:[ \t])/.test(text) && /^(?:from|date|received|message-id|subject):/im.test(text)

/**
 * Returns the type of a file without a magic number, based on its extension and its first bytes. Web pages and scripts
 * have the type `text/html`, and a file with control bytes is not text, unless it is in UTF-16. Returns `undefined` if
 * the extension is not accepted.
 */
async function textType(path: string, name: string): Promise<string | undefined> {
  const named = fileKindForName(name)
  if (/^(svg|x?html?|xml|js|mjs|css|bat|cmd|ps1|sh|vbs)$/.test(fileExtensionOf(name))) return 'text/html'
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    const head = buffer.subarray(0, bytesRead)
    if (named?.family === 'pdf' && head.subarray(0, PDF_HEADER_BYTES).includes('%PDF-')) return named.type
    const text = decodeUtf16(head)
    const isBinary =
      text === undefined ? head.some(isSign) : Array.from(text).some((c) => isSign(c.codePointAt(0) ?? 0))
    if (isBinary) return named ? BROKEN_OFF : undefined
    if (named?.type === 'message/rfc822') return isMail(head.toString('latin1')) ? named.type : 'text/plain'
    return named?.family === 'text' ? named.type : named ? 'text/plain' : undefined
  } finally {
    await file.close()
  }
}
