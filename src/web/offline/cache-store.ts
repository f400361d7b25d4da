import { createStore, promisifyRequest, type UseStore } from 'idb-keyval'
import { CACHE_LIMITS, type CacheEntryKey, cacheEntriesToRemove } from './cache-rules.ts'

/** Response to a query, and the time when it was read, in ms since 1970. */
export interface CachedResponse {
  readonly data: unknown
  readonly at: number
}

export interface NewCachedResponse extends CachedResponse {
  readonly hash: string
  readonly size: number
}

/** The person who last signed in on this device, and the time when the server last confirmed their session. */
export interface LastSession<Me> {
  readonly me: Me
  readonly at: number
}

let opened: UseStore | undefined
const store = () => {
  opened ??= createStore('stanchion-copies', 'copies')
  return opened
}

const LAST_SESSION = 'known'

export const readLastSession = <Me>(): Promise<LastSession<Me> | undefined> =>
  store()('readonly', (entries) => promisifyRequest(entries.get(LAST_SESSION)))

export const writeLastSession = <Me>(last: LastSession<Me>): Promise<unknown> =>
  store()('readwrite', (entries) => promisifyRequest(entries.put(last, LAST_SESSION)))

/** Removes all cached responses and the last session. */
export const clearCache = (): Promise<unknown> => store()('readwrite', (entries) => promisifyRequest(entries.clear()))

/** Keys contain everything that is needed to select entries, so that the responses themselves need not be read. */
const keysOf = (entries: IDBObjectStore, owner: string): Promise<readonly CacheEntryKey[]> =>
  promisifyRequest(entries.getAllKeys(IDBKeyRange.bound([owner], [owner, []]))) as Promise<unknown> as Promise<
    readonly CacheEntryKey[]
  >

export const readCachedResponse = (owner: string, hash: string, now: number): Promise<CachedResponse | undefined> =>
  store()('readonly', async (entries) => {
    const key = (await keysOf(entries, owner)).findLast(([, at, , of]) => of === hash && now - at < CACHE_LIMITS.ageMs)
    return key && { data: await promisifyRequest<unknown>(entries.get([...key])), at: key[1] }
  })

/**
 * Stores responses and replaces earlier responses to the same queries. Removes expired responses and the oldest
 * responses beyond the limits.
 */
export const writeCachedResponses = (
  owner: string,
  answers: readonly NewCachedResponse[],
  now: number,
): Promise<void> =>
  store()('readwrite', async (entries) => {
    const written = answers.map(({ at, size, hash }): CacheEntryKey => [owner, at, size, hash])
    for (const key of cacheEntriesToRemove(await keysOf(entries, owner), written, now)) entries.delete([...key])
    for (const { hash, size, at, data } of answers) entries.put(data, [owner, at, size, hash])
    await promisifyRequest(entries.transaction)
  })
