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
