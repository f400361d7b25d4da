import type { Readable } from 'node:stream'

/** The first and the last byte that are wanted, both included. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Where the bytes of uploaded files are kept, by keys that say nothing of their owner or name: `12/f3a…`. */
export interface FileStore {
  /** Keeps exactly `bytes` bytes: whole or not at all. */
  put(key: string, from: Readable, bytes: number): Promise<void>
  /** The bytes, or a part of them. Throws `MissingFile`. */
  get(key: string, range?: Range): Promise<Readable>
  exists(key: string): Promise<boolean>
  /** Without complaint where there is nothing. */
  remove(key: string): Promise<void>
}

/** The record is there, but its bytes are not: a backup of the database without its files. */
export class MissingFile extends Error {
  constructor(key: string) {
    super(`The file store holds nothing under ${key}`)
  }
}

/** Refuses what could lead out of the store; keys are made by us, so this is a mistake of ours. */
export function checkKey(key: string): string {
  if (!/^\d+\/[\w-]+$/.test(key)) throw new Error(`"${key}" is no key of the file store`)
  return key
}
