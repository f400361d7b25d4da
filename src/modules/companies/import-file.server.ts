import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { type CsvFormat, detectDelimiter, readCsvRows } from '#server/files/csv.ts'
import { detectEncoding, readTextChunks } from '#server/files/text.ts'

const EDGE = 1024 * 1024

/** A file of the register: its fingerprint, format and headings. */
export interface RegisterFile {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly fingerprint: string
  readonly format: CsvFormat
  readonly header: readonly string[]
}

/** Fingerprint from the size, start and end: reading gigabytes twice would take minutes. */
async function fingerprintOf(path: string): Promise<{ bytes: number; fingerprint: string }> {
  const file = await open(path).catch(() => {
    throw new Error(`File not found: ${path}.`)
  })
  try {
    const { size } = await file.stat()
    const sum = createHash('sha256').update(`${size}\n`)
    for (const at of new Set([0, Math.max(0, size - EDGE)])) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(EDGE), 0, EDGE, at)
      sum.update(buffer.subarray(0, bytesRead))
    }
    return { bytes: size, fingerprint: sum.digest('hex') }
  } finally {
    await file.close()
  }
}

/** Opens a register file. Throws a message if it is not CSV in UTF-8. */
export async function openRegisterFile(path: string): Promise<RegisterFile> {
  const known = await fingerprintOf(path)
  const encoding = await detectEncoding(path).catch((e: Error) => {
    throw new Error(e.message.replace(/^file: /, ''))
  })
  if (encoding !== 'utf-8')
    throw new Error('This file is not in UTF-8. Choose the register’s own file, or save this one as “CSV UTF-8”.')
  let head = ''
  for await (const text of readTextChunks(path, encoding)) {
    head += text
    if (head.length >= 64 * 1024) break
  }
  const format = { encoding, ...detectDelimiter(head.slice(0, 64 * 1024)) }
  for await (const { cells } of readCsvRows(path, format))
    return { path, name: basename(path), ...known, format, header: cells }
  throw new Error('The file has no headings and no rows.')
}
