import { createStore, promisifyRequest, type UseStore } from 'idb-keyval'
import type { QueuedRequest } from '../api/parcel.ts'

/** Where parcels are: each person's own, in the order in which they were given. */
export interface ParcelStore {
  readonly all: (owner: string) => Promise<QueuedRequest[]>
  /** Behind those that are there already. Rejects where there is no room. */
  readonly add: (parcel: QueuedRequest) => Promise<void>
  /** Puts another in its place; false where it is not there any more. */
  readonly change: (parcel: QueuedRequest) => Promise<boolean>
  readonly remove: (owner: string, key: string) => Promise<boolean>
}

let opened: UseStore | undefined
const store = () => {
  opened ??= createStore('stanchion-queue', 'parcels')
  return opened
}

/** Keys are an owner and a number: they sort as they were given. */
const ofOwner = (owner: string) => IDBKeyRange.bound([owner, 0], [owner, Number.MAX_SAFE_INTEGER])

/** Finds the parcel with a key, and does something with the place that it has. */
const at = (owner: string, key: string, work: (place: IDBCursorWithValue) => void): Promise<boolean> =>
  store()('readwrite', (kept) => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    let found = false
    kept.openCursor(ofOwner(owner)).onsuccess = function next() {
      const cursor = this.result
      if (!cursor) return
      if ((cursor.value as QueuedRequest).key !== key) return cursor.continue()
      found = true
      work(cursor)
    }
    const { transaction } = kept
    transaction.oncomplete = () => resolve(found)
    transaction.onabort = () => reject(transaction.error)
    return promise
  })

/** In IndexedDB, with pictures and papers as they are. */
export const parcelStore: ParcelStore = {
  all: (owner) => store()('readonly', (kept) => promisifyRequest(kept.getAll(ofOwner(owner)))),
  add: (parcel) =>
    store()('readwrite', (kept) => {
      kept.openKeyCursor(ofOwner(parcel.owner), 'prev').onsuccess = function last() {
        const before = (this.result?.key as [string, number] | undefined)?.[1] ?? 0
        kept.put(parcel, [parcel.owner, before + 1])
      }
      return promisifyRequest(kept.transaction)
    }),
  change: (parcel) => at(parcel.owner, parcel.key, (place) => place.update(parcel)),
  remove: (owner, key) => at(owner, key, (place) => place.delete()),
}
