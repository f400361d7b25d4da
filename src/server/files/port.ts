import type { Readable } from 'node:stream'

/** First and last requested byte, both inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Storage for the bytes of uploaded files, by keys that reveal neither owner nor name: `12/f3a…`. */
export interface FileStore {
  /** Stores exactly `bytes` bytes, completely or not at all. */
  put(key: string, from: Readable, bytes: number): Promise<void>
  /** Returns the bytes, or a range of them. Throws `MissingFileError`. */
  get(key: string, range?: ByteRange): Promise<Readable>
  exists(key: string): Promise<boolean>
  /** Removes a file; does nothing if it does not exist. */
  remove(key: string): Promise<void>
}

/** The record exists but its bytes are missing, as after restoring a database backup without its files. */
export class MissingFileError extends Error {
  constructor(key: string) {
    super(`The file store has no file with the key ${key}`)
  }
}

/** Throws for a key that could lead out of the store. Keys are generated, so this indicates a programming error. */
export function assertFileKey(key: string): string {
  if (!/^\d+\/[\w-]+$/.test(key)) throw new Error(`"${key}" is not a valid key for the file store`)
  return key
}
