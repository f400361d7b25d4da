import { createStore, promisifyRequest, type UseStore } from 'idb-keyval'
import type { QueuedRequest } from './requests.ts'

/** Store for queued requests by owner, in the order in which they were created. */
export interface RequestStore {
  readonly all: (owner: string) => Promise<QueuedRequest[]>
  /** Adds a request at the end. The promise is rejected if the device is full. */
  readonly add: (request: QueuedRequest) => Promise<void>
  /** Replaces the request with the same key. Resolves to false if there is no such request. */
  readonly change: (request: QueuedRequest) => Promise<boolean>
  readonly remove: (owner: string, key: string) => Promise<boolean>
}

let opened: UseStore | undefined
const store = () => {
  opened ??= createStore('stanchion-queue', 'parcels')
  return opened
}

/** Keys have the form `[owner, number]`, so they sort by owner and then by time. */
const rangeOf = (owner: string) => IDBKeyRange.bound([owner, 0], [owner, Number.MAX_SAFE_INTEGER])

/**
 * Finds the request with this key, and runs `work` on it in the same transaction. Resolves to false if there is no such
 * request.
 */
const withCursorAt = (owner: string, key: string, work: (cursor: IDBCursorWithValue) => void): Promise<boolean> =>
  store()('readwrite', (requests) => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    let found = false
    requests.openCursor(rangeOf(owner)).onsuccess = function next() {
      const cursor = this.result
      if (!cursor) return
      if ((cursor.value as QueuedRequest).key !== key) return cursor.continue()
      found = true
      work(cursor)
    }
    const { transaction } = requests
    transaction.oncomplete = () => resolve(found)
    transaction.onabort = () => reject(transaction.error)
    return promise
  })

/** Stores requests in IndexedDB, including files. */
export const requestStore: RequestStore = {
  all: (owner) => store()('readonly', (requests) => promisifyRequest(requests.getAll(rangeOf(owner)))),
  add: (request) =>
    store()('readwrite', (requests) => {
      requests.openKeyCursor(rangeOf(request.owner), 'prev').onsuccess = function last() {
        const before = (this.result?.key as [string, number] | undefined)?.[1] ?? 0
        requests.put(request, [request.owner, before + 1])
      }
      return promisifyRequest(requests.transaction)
    }),
  change: (request) => withCursorAt(request.owner, request.key, (cursor) => cursor.update(request)),
  remove: (owner, key) => withCursorAt(owner, key, (cursor) => cursor.delete()),
}
