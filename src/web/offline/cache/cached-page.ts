import { useSyncExternalStore } from 'react'
import { session } from '../../api/session.ts'
import { forgetCache } from '../owner.ts'

/** What a page shows where it is not what the portal says now. */
export interface CachedPage {
  /** When the oldest copy on the page was read, in ms since 1970. */
  readonly at: number
  /** All of it has been read anew since. */
  readonly over: boolean
}

/** The address of a page, and what of it is a copy. */
let shown: { readonly page: string; readonly is: CachedPage } | undefined
let keep: ((key: readonly unknown[], data: unknown) => void) | undefined
const listeners = new Set<() => void>()

// When a session ends by the portal's word, what it has read leaves the device with it.
session.subscribe(() => {
  const state = session.get()
  if (state.kind === 'out' && state.expired) void forgetCache().catch(() => undefined)
})

/** Who looks after copies says how one is kept. */
export const provideCacheWriter = (with_: typeof keep): void => {
  keep = with_
}

/** What is known of a record after it was saved here: the copy of its query is that from now on. */
export const cacheSavedRecord = (key: readonly unknown[], data: unknown): void => keep?.(key, data)

/** Who looks after copies says what a page shows of them. */
export function setCachedPage(page: string, is: CachedPage | undefined): void {
  shown = is && { page, is }
  for (const l of listeners) l()
}

const subscribe = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}

/** The copies that the page at an address shows. */
export const useCachedPage = (page: string): CachedPage | undefined =>
  useSyncExternalStore(subscribe, () => (shown?.page === page ? shown.is : undefined))

/** Is somebody at work whom the portal has not been asked about yet, as it can't be reached? */
export const useIsSessionPresumed = (): boolean => useSyncExternalStore(session.subscribe, session.isPresumed)
