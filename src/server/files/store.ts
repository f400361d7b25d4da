import type { Config } from '#server/config.ts'
import { FolderStore } from './folder.ts'
import type { FileStore } from './port.ts'

type Where = Pick<Config, 'filesUrl' | 'filesKey' | 'dataDir'>
const stores = new WeakMap<Where, Promise<FileStore>>()

/** Returns the configured file store, opening it on first use. */
export function fileStoreFor(config: Where): Promise<FileStore> {
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
  // This large library is loaded only when used.
  const { S3Store } = await import('./s3.ts')
  return new S3Store(url, config.filesKey)
}
