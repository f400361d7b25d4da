import { createStore, promisifyRequest, type UseStore } from 'idb-keyval'
import type { Me } from '../api/session.ts'
import { COPIES } from './owner.ts'
import { CACHE_LIMITS, type EntryKey, entriesToRemove } from './cache-rules.ts'

/** What a query was answered, and when: in ms since 1970. */
export interface CachedAnswer {
  readonly data: unknown
  readonly at: number
}

/** Who was signed in here, and when the portal said so last. */
export interface LastSession {
  readonly me: Me
  readonly at: number
}

let opened: UseStore | undefined
const store = () => {
  opened ??= createStore(...COPIES)
  return opened
}

const KNOWN = 'known'

export const readLastSession = (): Promise<LastSession | undefined> =>
  store()('readonly', (kept) => promisifyRequest(kept.get(KNOWN)))

export const writeLastSession = (known: LastSession): Promise<unknown> =>
  store()('readwrite', (kept) => promisifyRequest(kept.put(known, KNOWN)))

/** Takes everything out of this browser that anybody has read. */
export const clearCache = (): Promise<unknown> => store()('readwrite', (kept) => promisifyRequest(kept.clear()))

/** A copy is put under whose it is, when it was read, how large it is, and of which query: places are known without what is there. */
const ofOwner = (owner: string) => IDBKeyRange.bound([owner], [owner, []])
const placesOf = (kept: IDBObjectStore, owner: string): Promise<readonly EntryKey[]> =>
  promisifyRequest(kept.getAllKeys(ofOwner(owner))) as Promise<unknown> as Promise<readonly EntryKey[]>

export const readAnswer = (owner: string, hash: string, now: number): Promise<CachedAnswer | undefined> =>
  store()('readonly', async (kept) => {
    const place = (await placesOf(kept, owner)).findLast(([, at, , of]) => of === hash && now - at < CACHE_LIMITS.age)
    return place && { data: await promisifyRequest<unknown>(kept.get([...place])), at: place[1] }
  })

export interface NewAnswer extends CachedAnswer {
  readonly hash: string
  readonly size: number
}

/** Puts copies in the place of former ones, and takes away what is too old, and the oldest of what is too much. */
export const writeAnswers = (owner: string, copies: readonly NewAnswer[], now: number): Promise<void> =>
  store()('readwrite', async (kept) => {
    const written = copies.map(({ at, size, hash }): EntryKey => [owner, at, size, hash])
    for (const place of entriesToRemove(await placesOf(kept, owner), written, now)) kept.delete([...place])
    for (const { hash, size, at, data } of copies) kept.put(data, [owner, at, size, hash])
    await promisifyRequest(kept.transaction)
  })
