import type { Values } from '#kernel/forms/visible.ts'
import { ApiError, callApi } from '../../api/client.ts'
import { createRandomKey } from '../../api/idempotency.ts'
import { queryClient } from '../../api/query.ts'
import { session } from '../../api/session.ts'
import { withTimeout } from '../../api/with-timeout.ts'
import { changeRecordIfUnchanged } from '../../forms/store/change-if-unchanged.ts'
import { toast } from '../../ui/toast.ts'
import { offlineOwnerOf } from '../owner.ts'
import { requestStore } from '../request-store.ts'
import { isAwaitingDelivery, type QueuedRequest } from '../requests.ts'
import {
  getQueuedRequests,
  notifyRequestDelivered,
  type OfflineQueue,
  type OutboxRequestOptions,
  QUEUED_RESULT,
  type QueuedResult,
  setQueuedRequests,
} from './outbox.ts'
import { createRequestQueue, type RequestQueue } from './request-queue.ts'

/** Pause in milliseconds between two attempts to send, while requests are queued. */
const RETRY_MS = 5000
/** Time in milliseconds during which delivered requests are collected into one message. */
const BATCH_MS = 400

const currentOwner = () => offlineOwnerOf(session.me())

/** Starts the signed-in person's queue. Called once for each page load. */
export async function startOfflineQueue(): Promise<OfflineQueue> {
  const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('stanchion-queue')
  const queue = createRequestQueue({
    store: requestStore,
    send: sendQueued,
    owner: currentOwner,
    exclusively,
    isOnline: () => navigator.onLine,
    now: Date.now,
    onChange: (next) => {
      // Requests persistent storage, so that the browser does not evict queued requests.
      if (next.length && !getQueuedRequests().length) void navigator.storage?.persist?.().catch(() => undefined)
      setQueuedRequests(next)
    },
    notifyTabs: () => tabs?.postMessage('changed'),
    onDelivered: (request, answer) => {
      notifyRequestDelivered(request, answer)
      announceSoon()
    },
  })
  const sendNow = () => void queue.send().catch(() => undefined)
  const retry = () => getQueuedRequests().some(isAwaitingDelivery) && sendNow()
  tabs?.addEventListener('message', () => void queue.refresh())
  addEventListener('online', sendNow)
  document.addEventListener('visibilitychange', retry)
  setInterval(retry, RETRY_MS)
  let owner = currentOwner()
  session.subscribe(() => {
    const now = session.get()
    // If the session has expired, the same person is expected to sign in again, so their queue stays visible meanwhile.
    if (now.kind === 'out' && now.expired) owner = undefined
    else if (owner !== currentOwner()) {
      owner = currentOwner()
      void queue.refresh().then(sendNow)
    }
  })
  await queue.refresh()
  sendNow()
  return { ...queue, sendOrQueue: sendOrQueueWith(queue) }
}

const sendOrQueueWith =
  ({ add, track }: Pick<RequestQueue, 'add' | 'track'>): OfflineQueue['sendOrQueue'] =>
  async <T>(
    method: QueuedRequest['method'],
    path: string,
    body: Values,
    { description, base, collect, file, parts, shared, by, ...options }: OutboxRequestOptions,
  ): Promise<T | QueuedResult> => {
    const owner = currentOwner()
    const key = options.idempotencyKey ?? createRandomKey()
    const send = () =>
      by?.(owner) ??
      withTimeout((signal) =>
        callApi<T>(method, path, body, {
          ...options,
          ...(method === 'POST' ? { idempotencyKey: key } : {}),
          ...(owner === undefined ? {} : { as: owner }),
          signal,
        }),
      )
    // Without an owner, for example while impersonating, nothing is queued.
    if (owner === undefined) return (await send()) as T
    const request: QueuedRequest = {
      ...description,
      key,
      owner,
      method,
      path,
      body,
      base,
      collect,
      file,
      parts,
      shared,
      givenAt: Date.now(),
    }
    const enqueue = async (tried?: number): Promise<QueuedResult> => {
      await add({ ...request, tried })
      return QUEUED_RESULT
    }
    // Queued requests are sent first, because this request may depend on them. For example, its parts are queued
    // requests.
    if (parts?.length || getQueuedRequests().some(isAwaitingDelivery)) return enqueue()
    // While offline, the request can't have reached the server.
    const tried = navigator.onLine ? Date.now() : undefined
    try {
      return (await track({ ...request, tried, sending: true }, send())) as T
    } catch (e) {
      if (!(e instanceof ApiError) || e.status !== 0) throw e
      return enqueue(tried)
    }
  }

let delivered = 0
/** Announces all recent deliveries in one message, and refreshes the page. */
function announceSoon() {
  if (delivered++) return
  setTimeout(() => {
    toast.info(
      delivered === 1 ? 'Your waiting change has been sent' : `${delivered} waiting changes have been sent`,
      'safe',
    )
    delivered = 0
    void queryClient.invalidateQueries()
  }, BATCH_MS)
}

const lines = new Map<string, Promise<unknown>>()
/**
 * Runs work under a browser lock. In browsers without locks, work with the same name runs in sequence on this page
 * only.
 */
function exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(`stanchion-queue ${name}`, work) as Promise<T>
  const turn = (lines.get(name) ?? Promise.resolve()).then(work)
  lines.set(
    name,
    turn.catch(() => undefined),
  )
  return turn
}

function sendQueued(request: QueuedRequest): Promise<unknown> {
  const { method, path, key, owner: as, body, base, file } = request
  if (base) return changeRecordIfUnchanged(path, body, base, { as, byItself: true })
  const options = { idempotencyKey: key, as, byItself: true }
  if (file) return callApi(method, path, formOf(body, file), options)
  return withTimeout((signal) => callApi(method, path, body, { ...options, signal }))
}

function formOf(fields: Values, file: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (typeof value === 'string') form.append(name, value)
  form.append('file', file)
  return form
}
