import { hashKey, onlineManager, type Query, type QueryCacheNotifyEvent } from '@tanstack/react-query'
import { matchPath } from 'react-router'
import { ApiError } from '../../api/client.ts'
import { queryClient } from '../../api/query.ts'
import { session } from '../../api/session.ts'
import { CACHE_LIMITS, containsConfidentialValue } from '../cache-rules.ts'
import { cacheAllScripts } from '../cache-scripts.ts'
import { type CachedResponse, readCachedResponse, writeCachedResponses } from '../cache-store.ts'
import { lastSignedInOwner, offlineOwnerOf, ownerKeyOf } from '../owner.ts'
import { setCachedPage, setCacheWriter } from './cached-page.ts'
import { readPresumablePerson, storeLastSession } from './last-session.ts'

/** Time in milliseconds within which responses are collected and written in one transaction. */
const BATCH_MS = 400
/** Pause between two attempts to reach the server, in milliseconds. */
const RETRY_MS = 5000

const NOT_CACHED = 'There is no connection, and this content is not stored on your device.'

const currentOwner = () => offlineOwnerOf(session.me())
const isUnreachable = (e: unknown) => e instanceof ApiError && (e.status === 0 || e.status >= 502)

interface OfflineCacheSettings {
  /** Paths of the pages whose responses are cached. */
  readonly paths: readonly string[]
  /** Prefixes of the URLs whose responses are cached. */
  readonly addresses: readonly string[]
  /** Key of the query for the public information about the portal, which every page needs. */
  readonly factsKey: readonly unknown[]
}

interface OfflineCache {
  /**
   * Opens the portal for the person who last signed in on this device. Resolves to false if there is no such person or
   * their session has expired.
   */
  readonly open: () => Promise<boolean>
}

/**
 * Caches responses for pages that work offline, and shows the cached responses if the server can't be reached. Called
 * once for each page load.
 */
export function startOfflineCache({ paths, addresses, factsKey }: OfflineCacheSettings): OfflineCache {
  const factsHash = hashKey(factsKey)
  const mayCache = (key: readonly unknown[]) =>
    key[0] === factsKey[0] ||
    (paths.some((path) => matchPath(path, location.pathname)) &&
      key.some((part) => typeof part === 'string' && addresses.some((address) => part.startsWith(address))))

  let unwritten = new Map<string, CachedResponse>()
  let writing: ReturnType<typeof setTimeout> | undefined
  /** Queries whose data was changed on this page rather than read from the server. */
  const changedHere = new WeakSet<Query>()
  /** Hashes of the queries that show a cached response, with the time when the response was read, in ms since 1970. */
  const cached = new Map<string, number>()
  const reading = new Set<string>()
  let page: { readonly path: string; readonly hashes: Map<string, number> } | undefined

  const write = async () => {
    writing = undefined
    const owner = currentOwner()
    const all = unwritten
    unwritten = new Map()
    if (owner === undefined || owner !== lastSignedInOwner.read()) return
    const answers = [...all].flatMap(([hash, { data, at }]) => {
      const [size, max] =
        data instanceof Blob
          ? [data.size, CACHE_LIMITS.fileBytes]
          : [JSON.stringify(data)?.length ?? 0, CACHE_LIMITS.answerChars]
      return size > max || containsConfidentialValue(data) ? [] : [{ hash, data, at, size }]
    })
    await writeCachedResponses(owner, answers, Date.now())
    if (answers.some(({ hash }) => hash !== factsHash)) cacheAllScripts()
  }
  const writeSoon = (hash: string, data: unknown, at: number) => {
    if (currentOwner() === undefined) return
    unwritten.set(hash, { data, at })
    if (writing === undefined) writing = setTimeout(() => void write().catch(() => undefined), BATCH_MS)
  }

  const publishPage = () => {
    if (!page) return
    const over = [...page.hashes.keys()].every((hash) => !cached.has(hash))
    setCachedPage(page.path, { at: Math.min(...page.hashes.values()), over })
  }
  const noteOnPage = (hash: string, at: number) => {
    if (page?.path !== location.pathname) page = { path: location.pathname, hashes: new Map() }
    page.hashes.set(hash, at)
    publishPage()
  }

  /** Shows the cached response to a query that can't be sent, or an error if no response is cached. */
  const showCached = async (query: Query) => {
    const { queryHash: hash, queryKey: key } = query
    const owner = currentOwner()
    if (owner === undefined || reading.has(hash)) return
    reading.add(hash)
    const answer = await readCachedResponse(owner, hash, Date.now()).catch(() => undefined)
    reading.delete(hash)
    const { data, status, fetchStatus } = query.state
    if (data !== undefined || currentOwner() !== owner) return
    if (answer) {
      cached.set(hash, answer.at)
      noteOnPage(hash, answer.at)
      queryClient.setQueryData(key, answer.data, { updatedAt: answer.at })
    } else if (status === 'pending' && fetchStatus === 'paused')
      query.setState({ status: 'error', error: new ApiError(0, NOT_CACHED) })
  }

  const onQueryEvent = (event: QueryCacheNotifyEvent) => {
    const { query } = event
    const { queryHash: hash, queryKey: key, state } = query
    // Queries with network mode 'always' concern only this device and are not sent to the server.
    if (query.options.networkMode === 'always') return
    if (event.type === 'updated' && event.action.type === 'success') {
      if (event.action.manual) {
        if (!cached.has(hash)) changedHere.add(query)
        return
      }
      changedHere.delete(query)
      if (cached.delete(hash)) publishPage()
      if (mayCache(key)) writeSoon(hash, state.data, state.dataUpdatedAt)
      return
    }
    if (!query.isActive()) return
    if (state.data === undefined) {
      const isPaused = state.status === 'pending' && state.fetchStatus === 'paused'
      const isFailing = isUnreachable(state.error ?? state.fetchFailureReason)
      if ((isPaused || isFailing) && event.type === 'updated' && event.action.type !== 'setState')
        void showCached(query)
      else if (isPaused && event.type === 'observerAdded') void showCached(query)
      return
    }
    const at = cached.get(hash)
    if (at !== undefined) {
      if (event.type === 'observerAdded') noteOnPage(hash, at)
      // If a refresh fails because the server can't be reached, the cached response stays on screen.
      if (state.status === 'error' && isUnreachable(state.error))
        queryClient.setQueryData(key, state.data, { updatedAt: at })
    } else if (event.type === 'observerAdded' && !changedHere.has(query) && mayCache(key))
      writeSoon(hash, state.data, state.dataUpdatedAt)
  }

  const queryCache = queryClient.getQueryCache()
  queryCache.subscribe(onQueryEvent)
  setCacheWriter((key, data) => {
    if (mayCache(key)) writeSoon(hashKey(key), data, Date.now())
  })
  for (const query of queryCache.getAll())
    if (query.isActive() && query.state.data !== undefined && mayCache(query.queryKey))
      writeSoon(query.queryHash, query.state.data, query.state.dataUpdatedAt)

  /**
   * Confirms a presumed session with the server. If the session is already confirmed, refreshes the cached responses on
   * screen. Does nothing while the page is hidden.
   */
  const retry = async () => {
    if (document.visibilityState !== 'visible') return
    if (!session.isPresumed()) {
      if (cached.size && onlineManager.isOnline())
        await queryClient.refetchQueries({ predicate: ({ queryHash }) => cached.has(queryHash), type: 'active' })
      return
    }
    const renewed = await session.renew().catch(() => undefined)
    if (renewed === false && session.isPresumed()) session.expired()
  }
  setInterval(() => void retry().catch(() => undefined), RETRY_MS)
  addEventListener('online', () => void retry().catch(() => undefined))

  let wasPresumed = session.isPresumed()
  const storeSession = () => {
    if (session.get().kind === 'out') {
      unwritten.clear()
      cached.clear()
    }
    return storeLastSession()
  }
  const onSession = () => {
    const isConfirmed = wasPresumed && session.get().kind === 'in' && !session.isPresumed()
    wasPresumed = session.isPresumed()
    if (isConfirmed) {
      onlineManager.setOnline(true)
      void queryClient.invalidateQueries()
    }
    void storeSession().catch(() => undefined)
  }
  session.subscribe(onSession)
  onSession()

  return {
    open: async () => {
      const me = await readPresumablePerson()
      if (!me) return false
      const facts = await readCachedResponse(ownerKeyOf(me), factsHash, Date.now())
      if (facts) queryClient.setQueryData(factsKey, facts.data, { updatedAt: facts.at })
      // Queries wait until the server can be reached.
      onlineManager.setOnline(false)
      session.presume(me)
      return true
    },
  }
}
