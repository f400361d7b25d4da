import type { Readable } from 'node:stream'

/** First and last byte of the requested range, both inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Storage for the contents of uploaded files. Keys such as `12/f3a…` reveal neither owner nor name. */
export interface FileStore {
  /** Stores exactly `bytes` bytes, completely or not at all. */
  put(key: string, from: Readable, bytes: number): Promise<void>
  /** Returns the bytes, or a range of them. Throws `MissingFileError` if the file does not exist. */
  get(key: string, range?: ByteRange): Promise<Readable>
  exists(key: string): Promise<boolean>
  /** Removes a file; does nothing if it does not exist. */
  remove(key: string): Promise<void>
}

/**
 * Error thrown when a record exists but its file is missing, for example after restoring a database backup without the
 * files.
 */
export class MissingFileError extends Error {
  constructor(key: string) {
    super(`The file store has no file with the key ${key}`)
  }
}

/**
 * Throws for a key that could lead out of the store, and returns any other key. Keys are generated, so such a key
 * indicates a programming error.
 */
export function assertFileKey(key: string): string {
  if (!/^\d+\/[\w-]+$/.test(key)) throw new Error(`"${key}" is not a valid key for the file store`)
  return key
}

/**
 * Parses a `Range` header with a single range (RFC 9110, section 14). `undefined`: the complete file is sent, because
 * there is no header, it has another unit or several ranges, or it is invalid. `none`: the range begins beyond the end
 * of the file.
 */
export function parseRangeHeader(header: string | undefined, total: number): ByteRange | 'none' | undefined {
  const m = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header ?? '')
  if (!m || (m[1] === '' && m[2] === '')) return undefined
  if (m[1] === '') {
    const last = Number(m[2])
    return last === 0 || total === 0 ? 'none' : { start: Math.max(0, total - last), end: total - 1 }
  }
  const start = Number(m[1])
  const end = m[2] === '' ? total - 1 : Math.min(Number(m[2]), total - 1)
  if (m[2] !== '' && Number(m[2]) < start) return undefined
  return start >= total ? 'none' : { start, end }
}
