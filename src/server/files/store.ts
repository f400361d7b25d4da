import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '#server/config.ts'
import { assertFileKey, type ByteRange, type FileStore, MissingFileError } from './port.ts'

type Where = Pick<Config, 'filesUrl' | 'filesKey' | 'dataDir'>
const stores = new WeakMap<Where, Promise<FileStore>>()

/** Returns the configured file store, opening it on first use. */
export function fileStoreFor(config: Where): Promise<FileStore> {
  let store = stores.get(config)
  if (!store) {
    store = openStore(config)
    stores.set(config, store)
  }
  return store
}

async function openStore(config: Where): Promise<FileStore> {
  if (!config.filesUrl) return new FolderStore(`${config.dataDir}/files`)
  const url = new URL(config.filesUrl)
  if (url.protocol === 'file:') return new FolderStore(decodeURIComponent(url.pathname))
  // This large library is loaded only when used.
  const { S3Store } = await import('./s3.ts')
  return new S3Store(url, config.filesKey)
}

/** File store in a folder on this machine, or on a disk that all processes share. */
class FolderStore implements FileStore {
  private readonly root: string
  constructor(root: string) {
    this.root = root
  }

  private path(key: string): string {
    return join(this.root, assertFileKey(key))
  }

  async put(key: string, from: Readable, bytes: number): Promise<void> {
    const path = this.path(key)
    const part = `${path}.${randomUUID()}.part`
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      const to = createWriteStream(part, { mode: 0o600, flush: true })
      await pipeline(from, to)
      if (to.bytesWritten !== bytes) throw new Error(`${key}: ${to.bytesWritten} bytes received instead of ${bytes}`)
      await rename(part, path)
    } catch (e) {
      await rm(part, { force: true })
      throw e
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const file = await open(this.path(key)).catch((e: NodeJS.ErrnoException) => {
      throw e.code === 'ENOENT' ? new MissingFileError(key) : e
    })
    return file.createReadStream(range)
  }

  exists(key: string): Promise<boolean> {
    return access(this.path(key)).then(
      () => true,
      (e: NodeJS.ErrnoException) => {
        if (e.code === 'ENOENT') return false
        throw e
      },
    )
  }

  remove(key: string): Promise<void> {
    return rm(this.path(key), { force: true })
  }
}
