import type { Readable } from 'node:stream'
import type { Config } from '#server/config.ts'
import { FolderStore } from './folder.ts'

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

type Where = Pick<Config, 'filesUrl' | 'filesKey' | 'dataDir'>
const stores = new WeakMap<Where, Promise<FileStore>>()

/** The file store that the settings name. */
export function storeOf(config: Where): Promise<FileStore> {
  let store = stores.get(config)
  if (!store) {
    store = open(config)
    stores.set(config, store)
  }
  return store
}

async function open(config: Where): Promise<FileStore> {
  if (!config.filesUrl) return new FolderStore(`${config.dataDir}/files`)
  const url = new URL(config.filesUrl)
  if (url.protocol === 'file:') return new FolderStore(decodeURIComponent(url.pathname))
  // The library is large: only who uses it pays for it.
  const { S3Store } = await import('./s3.ts')
  return new S3Store(url, config.filesKey)
}

/** Refuses what could lead out of the store; keys are made by us, so this is a mistake of ours. */
export function checkKey(key: string): string {
  if (!/^\d+\/[\w-]+$/.test(key)) throw new Error(`"${key}" is no key of the file store`)
  return key
}
