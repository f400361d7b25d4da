import { hashKey, onlineManager, type Query, type QueryCacheNotifyEvent } from '@tanstack/react-query'
import { matchPath } from 'react-router'
import { ApiError } from '../../api/client.ts'
import { provideCacheWriter, setCachedPage } from './cached-page.ts'
import { queries } from '../../api/query.ts'
import { session } from '../../api/session.ts'
import { ownerOf, lastOwner } from '../owner.ts'
import { offlineOwner } from '../outbox/deliver.ts'
import type { WebModule } from '../../shell/manifest/module.ts'
import { factsOptions } from '../../shell/pages/facts.ts'
import { CACHE_LIMITS } from '../cache-rules.ts'
import { holdsConfidential } from '../confidential.ts'
import { clearCache, readAnswer, readLastSession, type NewAnswer, writeAnswers, writeLastSession } from '../cache-store.ts'

/** Milliseconds in which what is read is written together. */
const TOGETHER = 400
/** Milliseconds between two attempts to reach the portal. */
const AGAIN = 5000
const HOUR = 3_600_000

const NOT_HERE = 'There is no connection, and this is not kept on your device.'
const [FACTS] = factsOptions.queryKey
const FACTS_HASH = hashKey(factsOptions.queryKey)

const owner = () => offlineOwner(session.me())
const isUnreachable = (e: unknown) => e instanceof ApiError && (e.status === 0 || e.status >= 502)

interface OfflineCache {
  /** Opens the portal for whoever was signed in here, as this device knows them: false where it may know nobody. */
  readonly open: () => Promise<boolean>
}

/** Keeps what is read on pages that are kept, and shows it where the portal can't be reached; once for each page of the browser. */
export function startOfflineCache(modules: readonly WebModule[]): OfflineCache {
  const paths = modules.flatMap(({ pages }) => pages).flatMap(({ path, kept }) => (kept ? [path] : []))
  const addresses = modules.flatMap(({ keeps = [] }) => keeps)
  const mayKeep = (key: readonly unknown[]) =>
    key[0] === FACTS ||
    (paths.some((path) => matchPath(path, location.pathname)) &&
      key.some((part) => typeof part === 'string' && addresses.some((address) => part.startsWith(address))))

  let noted = new Map<string, Omit<NewAnswer, 'size' | 'hash'>>()
  let writing: ReturnType<typeof setTimeout> | undefined
  /** Queries that somebody has changed here: what they show has not been said by the portal. */
  const changed = new WeakSet<Query>()
  /** Queries that show a copy, and of when. */
  const copied = new Map<string, number>()
  const looking = new Set<string>()
  let page: { readonly path: string; readonly hashes: Map<string, number> } | undefined

  const write = async () => {
    writing = undefined
    const whose = owner()
    const all = noted
    noted = new Map()
    if (whose === undefined || whose !== lastOwner.get()) return
    const copies = [...all].flatMap(([hash, { data, at }]) => {
      const size = JSON.stringify(data)?.length ?? 0
      return size > CACHE_LIMITS.one || holdsConfidential(data) ? [] : [{ hash, data, at, size }]
    })
    await writeAnswers(whose, copies, Date.now())
    if (copies.some(({ hash }) => hash !== FACTS_HASH)) keepFiles()
  }
  const note = (hash: string, data: unknown, at: number) => {
    if (owner() === undefined) return
    noted.set(hash, { data, at })
    if (writing === undefined) writing = setTimeout(() => void write().catch(() => undefined), TOGETHER)
  }

  const tell = () => {
    if (!page) return
    const over = [...page.hashes.keys()].every((hash) => !copied.has(hash))
    setCachedPage(page.path, { at: Math.min(...page.hashes.values()), over })
  }
  const show = (hash: string, at: number) => {
    if (page?.path !== location.pathname) page = { path: location.pathname, hashes: new Map() }
    page.hashes.set(hash, at)
    tell()
  }

  /** Something can't be asked: what this device has of it is shown, or that it has nothing. */
  const look = async (query: Query) => {
    const { queryHash: hash, queryKey: key } = query
    const whose = owner()
    if (whose === undefined || looking.has(hash)) return
    looking.add(hash)
    const copy = await readAnswer(whose, hash, Date.now()).catch(() => undefined)
    looking.delete(hash)
    const { data, status, fetchStatus } = query.state
    if (data !== undefined || owner() !== whose) return
    if (copy) {
      copied.set(hash, copy.at)
      show(hash, copy.at)
      queries.setQueryData(key, copy.data, { updatedAt: copy.at })
    } else if (status === 'pending' && fetchStatus === 'paused')
      query.setState({ status: 'error', error: new ApiError(0, NOT_HERE) })
  }

  const heed = (event: QueryCacheNotifyEvent) => {
    const { query } = event
    const { queryHash: hash, queryKey: key, state } = query
    // What this device knows by itself is no answer of the portal's.
    if (query.options.networkMode === 'always') return
    if (event.type === 'updated' && event.action.type === 'success') {
      if (event.action.manual) {
        if (!copied.has(hash)) changed.add(query)
        return
      }
      changed.delete(query)
      if (copied.delete(hash)) tell()
      if (mayKeep(key)) note(hash, state.data, state.dataUpdatedAt)
      return
    }
    if (!query.isActive()) return
    if (state.data === undefined) {
      const isPaused = state.status === 'pending' && state.fetchStatus === 'paused'
      const isFailing = isUnreachable(state.error ?? state.fetchFailureReason)
      if ((isPaused || isFailing) && event.type === 'updated' && event.action.type !== 'setState') void look(query)
      else if (isPaused && event.type === 'observerAdded') void look(query)
      return
    }
    const at = copied.get(hash)
    if (at !== undefined) {
      if (event.type === 'observerAdded') show(hash, at)
      // It is still what is known.
      if (state.status === 'error' && isUnreachable(state.error))
        queries.setQueryData(key, state.data, { updatedAt: at })
    } else if (event.type === 'observerAdded' && !changed.has(query) && mayKeep(key))
      note(hash, state.data, state.dataUpdatedAt)
  }

  const cache = queries.getQueryCache()
  cache.subscribe(heed)
  provideCacheWriter((key, data) => {
    if (mayKeep(key)) note(hashKey(key), data, Date.now())
  })
  for (const query of cache.getAll())
    if (query.isActive() && query.state.data !== undefined && mayKeep(query.queryKey))
      note(query.queryHash, query.state.data, query.state.dataUpdatedAt)

  /** Asks again who is signed in, where nobody could be asked, and then for everything else. */
  const askAgain = async () => {
    if (document.visibilityState !== 'visible') return
    if (!session.isPresumed()) {
      if (copied.size && onlineManager.isOnline())
        await queries.refetchQueries({ predicate: ({ queryHash }) => copied.has(queryHash), type: 'active' })
      return
    }
    const renewed = await session.renew().catch(() => undefined)
    if (renewed === false && session.isPresumed()) session.expired()
  }
  setInterval(() => void askAgain().catch(() => undefined), AGAIN)
  addEventListener('online', () => void askAgain().catch(() => undefined))

  let wasPresumed = session.isPresumed()
  const follow = async () => {
    const state = session.get()
    if (state.kind === 'out') {
      noted.clear()
      copied.clear()
      return clearCache()
    }
    if (state.kind !== 'in' || session.isPresumed()) return undefined
    const { me } = state
    if (offlineOwner(me) === undefined) return undefined
    const known = await readLastSession()
    if (known && ownerOf(known.me) !== ownerOf(me)) await clearCache()
    return writeLastSession({ me, at: Date.now() })
  }
  const turn = () => {
    const isBack = wasPresumed && session.get().kind === 'in' && !session.isPresumed()
    wasPresumed = session.isPresumed()
    if (isBack) {
      onlineManager.setOnline(true)
      void queries.invalidateQueries()
    }
    void follow().catch(() => undefined)
  }
  session.subscribe(turn)
  turn()

  return {
    open: async () => {
      const known = await readLastSession()
      const whose = known && ownerOf(known.me)
      if (
        !known ||
        whose === undefined ||
        whose !== lastOwner.get() ||
        Date.now() > known.at + known.me.sessionHours * HOUR
      ) {
        await clearCache()
        return false
      }
      const facts = await readAnswer(whose, FACTS_HASH, Date.now())
      if (facts) queries.setQueryData(factsOptions.queryKey, facts.data as never, { updatedAt: facts.at })
      // What is asked now waits for the portal.
      onlineManager.setOnline(false)
      session.presume(known.me)
      return true
    },
  }
}

let asked = false
/** Whoever opens what is to be there without a connection has all that the portal's pages are made of on the device too. */
function keepFiles(): void {
  if (asked || !('serviceWorker' in navigator)) return
  asked = true
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage('keep all')).catch(() => undefined)
}
