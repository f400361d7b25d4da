import { open } from 'node:fs/promises'
import type { ViolationCode } from '#kernel/error-codes.ts'
import { Problem, violation } from '#kernel/errors.ts'
import { describeFileType, type FileKind, fileExtensionOf, fileKindForMimeType, fileKindForName } from './kinds.ts'

const TAKEN = 'Photos, PDF, Word, Excel, PowerPoint, OpenDocument, CSV and plain text are accepted.'
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
  // This large library is loaded only with the first upload.
  const { fileTypeFromFile } = await import('file-type')
  const found = (await fileTypeFromFile(path))?.mime as string | undefined
  const type = found === 'application/x-cfb' ? olderOffice(named) : (found ?? (await textType(path, name)))
  const kind = type && fileKindForMimeType(type)
  if (!type) throw rejectedFileProblem(`"${name}" is an unknown type of file. ${TAKEN}`)
  const said = named && fileKindForMimeType(type)?.family !== named.family
  if (said)
    throw rejectedFileProblem(
      `"${name}" has the file extension of ${named.words}, but its content is ${describeFileType(type)}. Please check the file and upload the right one.`,
    )
  if (!kind) throw rejectedFileProblem(`"${name}" is ${describeFileType(type)}, which can’t be uploaded. ${TAKEN}`)
  return kind
}

/**
 * Returns the type for an Office file from before 2007. Such files have the same container format as installers, so the
 * name decides.
 */
const olderOffice = (named: FileKind | undefined): string =>
  named && /^application\/(msword|vnd\.ms-)/.test(named.type) ? named.type : 'application/x-msi'

/** True for a control character other than white space and escape. */
const isSign = (byte: number): boolean => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b

/**
 * Returns the type of a file without a magic number, based on its extension and its first bytes. Web pages and scripts
 * have the type `text/html`, and a file with control bytes is not text. Returns `undefined` if the extension is not
 * accepted.
 */
async function textType(path: string, name: string): Promise<string | undefined> {
  const named = fileKindForName(name)
  if (/^(svg|x?html?|xml|js|mjs|css|bat|cmd|ps1|sh|vbs)$/.test(fileExtensionOf(name))) return 'text/html'
  const file = await open(path)
  try {
    const head = Buffer.alloc(HEAD)
    const { bytesRead } = await file.read(head, 0, HEAD, 0)
    if (head.subarray(0, bytesRead).some(isSign)) return named ? 'application/octet-stream' : undefined
    return named?.family === 'text' ? named.type : named ? 'text/plain' : undefined
  } finally {
    await file.close()
  }
}
