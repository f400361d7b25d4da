import { useEffect, useState } from 'react'
import { TASK_SITE_PATH } from '#kernel/roles.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { type Me, session } from '#web/api/session.ts'
import { readPresumablePerson, storeLastSession } from '#web/offline/cache/last-session.ts'
import { cacheAllScripts } from '#web/offline/cache-scripts.ts'
import { readCachedResponse, writeCachedResponses } from '#web/offline/cache-store.ts'
import { onRequestDelivered } from '#web/offline/outbox/outbox.ts'
import { offlineOwnerOf } from '#web/offline/owner.ts'
import { signInPath } from '#web/shell/pages/redirects.ts'
import { MY_TASKS_URL, type MyTasks } from './my-tasks.ts'

/** Key of the tasks in the offline cache. */
const CACHE_KEY = JSON.stringify([MY_TASKS_URL])

/** Tasks of a person; `at` is the time in ms since 1970 at which this device stored them, if there is no connection. */
export type LoadedTasks =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly me: Me | undefined; readonly message: string }
  | { readonly state: 'loaded'; readonly me: Me; readonly tasks: MyTasks; readonly at: number | undefined }

const isUnreachable = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 502

/** Milliseconds without a response to the session request after which there is no connection. */
const SESSION_TIMEOUT_MS = 6000
/** Milliseconds between two requests while stored tasks are shown. */
const RETRY_MS = 15_000

const late = () => new Promise<never>((_, give) => setTimeout(give, SESSION_TIMEOUT_MS))

/** Returns the signed-in person; without a connection, the person who last signed in on this device. */
async function openSession(): Promise<Me | undefined> {
  const known = session.me()
  if (known && !session.isPresumed()) return known
  if (!session.likely()) return undefined
  try {
    return (await Promise.race([session.renew(), late()])) ? session.me() : undefined
  } catch {
    const last = known ?? (await readPresumablePerson())
    if (last && !known) session.presume(last)
    return last
  }
}

async function storeTasks(me: Me, data: MyTasks): Promise<void> {
  const owner = offlineOwnerOf(me)
  if (owner === undefined) return
  await storeLastSession()
  const [at, size] = [Date.now(), JSON.stringify(data).length]
  await writeCachedResponses(owner, [{ hash: CACHE_KEY, data, at, size }], at)
  cacheAllScripts()
}

const openSignIn = (isExpired: boolean): void => location.replace(signInPath(TASK_SITE_PATH, isExpired))

/** Reads the tasks from the server or, without a connection, as this device last stored them. */
async function loadTasks(): Promise<LoadedTasks> {
  const wasSignedIn = session.likely()
  const me = await openSession().catch(() => undefined)
  if (!me) {
    openSignIn(wasSignedIn)
    return { state: 'loading' }
  }
  try {
    if (session.isPresumed()) throw new ApiError(0, 'There is no connection.')
    const tasks = await callApi<MyTasks>('GET', MY_TASKS_URL)
    void storeTasks(me, tasks).catch(() => undefined)
    return { state: 'loaded', me, tasks, at: undefined }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      openSignIn(true)
      return { state: 'loading' }
    }
    const message = error instanceof Error ? error.message : 'My-Task could not be loaded.'
    if (!isUnreachable(error)) return { state: 'failed', me, message }
    const owner = offlineOwnerOf(me)
    const stored = owner && (await readCachedResponse(owner, CACHE_KEY, Date.now()).catch(() => undefined))
    if (stored) return { state: 'loaded', me, tasks: stored.data as MyTasks, at: stored.at }
    return { state: 'failed', me, message: 'There is no connection, and your tasks are not stored on this device yet.' }
  }
}

/** Loads the tasks, and again when the page is shown, a queued request is delivered or the connection is back. */
export function useMyTasks(): { readonly loaded: LoadedTasks; readonly reload: () => void } {
  const [loaded, setLoaded] = useState<LoadedTasks>({ state: 'loading' })
  const reload = () => void loadTasks().then(setLoaded)
  const isStored = loaded.state === 'loaded' && loaded.at !== undefined
  useEffect(() => {
    if (!isStored) return undefined
    const retrying = setInterval(() => void loadTasks().then(setLoaded), RETRY_MS)
    return () => clearInterval(retrying)
  }, [isStored])
  useEffect(() => {
    const load = () => void loadTasks().then(setLoaded)
    const stopListening = onRequestDelivered(load)
    const onShown = () => {
      if (document.visibilityState === 'visible') load()
    }
    const onReturn = (event: PageTransitionEvent) => {
      if (event.persisted) load()
    }
    load()
    addEventListener('online', load)
    addEventListener('pageshow', onReturn)
    document.addEventListener('visibilitychange', onShown)
    return () => {
      stopListening()
      removeEventListener('online', load)
      removeEventListener('pageshow', onReturn)
      document.removeEventListener('visibilitychange', onShown)
    }
  }, [])
  return { loaded, reload }
}
