import { useSyncExternalStore } from 'react'
import { session } from '../../api/session.ts'
import { clearOfflineCache } from '../forget.ts'

/** Page that shows responses from the cache. */
export interface CachedPage {
  /** Time when the oldest of the cached responses was read, in ms since 1970. */
  readonly at: number
  /** Whether all cached responses have been refreshed since they were shown. */
  readonly over: boolean
}

type WriteRecord = (key: readonly unknown[], data: unknown) => void

let shown: { readonly path: string; readonly page: CachedPage } | undefined
let writeRecord: WriteRecord | undefined
const listeners = new Set<() => void>()

// When the server ends a session, the cached responses are removed too.
session.subscribe(() => {
  const state = session.get()
  if (state.kind === 'out' && state.expired) void clearOfflineCache()
})

export const setCacheWriter = (write: WriteRecord): void => {
  writeRecord = write
}

/** Caches a record saved on this page, under the key of the record's query. */
export const cacheSavedRecord: WriteRecord = (key, data) => writeRecord?.(key, data)

export function setCachedPage(path: string, page: CachedPage): void {
  shown = { path, page }
  for (const l of listeners) l()
}

const subscribe = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}

/** Returns details of the cached responses shown on the page at `path`, if any. */
export const useCachedPage = (path: string): CachedPage | undefined =>
  useSyncExternalStore(subscribe, () => (shown?.path === path ? shown.page : undefined))

/** Returns true if the session is presumed because the server has not been reached yet. */
export const useIsSessionUnconfirmed = (): boolean => useSyncExternalStore(session.subscribe, session.isPresumed)
