import { ApiError } from '../../api/client.ts'
import { errorSentence } from '../../ui/toast.ts'
import type { RequestStore } from '../request-store.ts'
import {
  addressesInAnswer,
  fillPlaceholders,
  hasDependents,
  isAwaitingDelivery,
  isDeliveredForOthers,
  isRetryableResponse,
  isUnsafeToRetry,
  type QueuedRequest,
  type RequestRejection,
} from '../requests.ts'
import type { OfflineQueue } from './outbox.ts'

export interface RequestQueueSettings {
  readonly store: RequestStore
  /** Sends a request as its owner. Throws an ApiError if sending fails. */
  readonly send: (request: QueuedRequest) => Promise<unknown>
  /** Returns the owner whose requests are sent; undefined while impersonating. */
  readonly owner: () => string | undefined
  /** Runs work while the lock with this name is held. The lock is shared by all pages of this browser. */
  readonly exclusively: <T>(name: string, work: () => Promise<T>) => Promise<T>
  readonly isOnline: () => boolean
  readonly now: () => number
  /** Called with the owner's requests whenever these requests change. */
  readonly onChange: (requests: readonly QueuedRequest[]) => void
  /** Notifies the other pages of this browser of a change. */
  readonly notifyTabs: () => void
  readonly onDelivered: (request: QueuedRequest, answer: unknown) => void
}

export interface RequestQueue extends Omit<OfflineQueue, 'sendOrQueue'> {
  /** Stores a request, and sends the queue in order. Throws an ApiError if the device has no space left. */
  readonly add: (request: QueuedRequest) => Promise<void>
  /** Stores a request while it is being sent, in case the page closes. The returned promise settles like `sending`. */
  readonly track: <T>(request: QueuedRequest, sending: Promise<T>) => Promise<T>
  /** Reads the current owner's requests again. */
  readonly refresh: () => Promise<void>
}

export const NO_SPACE_MESSAGE =
  'There is no connection and no space left on this device, so your change was not saved. What you typed is still here; please keep the page open and try again.'
export const REQUEST_TOO_OLD_MESSAGE =
  'The connection was lost more than a day ago while this change was being sent, so the portal may have received it. Please check the record before you send the change again.'

export const PART_MISSING_MESSAGE =
  'A picture or name that this change needs was not accepted, or you removed it. Send it again first. If you removed it, make the change again.'

/** Returns the reason why a request is rejected together with the request that it depends on. */
const partRejectedMessage = ({ what }: QueuedRequest): string =>
  `This change depends on “${what}”, which was not accepted. Send “${what}” again; this change will then follow.`

/** Time in milliseconds after which a response that no request depends on is removed. */
const SHARED_ANSWER_MS = 3_600_000

/** Creates a queue that stores requests by owner, and sends the signed-in person's requests in order, each once. */
export function createRequestQueue(settings: RequestQueueSettings): RequestQueue {
  const { store, send, owner, exclusively, now, isOnline } = settings

  const refresh = async () => {
    const current = owner()
    const all = current === undefined ? [] : await store.all(current).catch(() => [])
    if (current === owner()) settings.onChange(all.filter((request) => !request.sending))
  }
  const changed = () => {
    settings.notifyTabs()
    return refresh()
  }

  /**
   * Returns the IRIs of the records that the request's parts created, by placeholder, or the rejection if one of the
   * parts was rejected or removed.
   */
  const addressesOfParts = async (
    request: QueuedRequest,
  ): Promise<ReadonlyMap<string, string> | (RequestRejection & { readonly part: string })> => {
    const { parts = [] } = request
    const all = parts.length ? await store.all(request.owner) : []
    const addresses = new Map<string, string>()
    for (const key of parts) {
      const part = all.find((one) => one.key === key)
      const found = addressesInAnswer(key, part?.arrived)
      if (!found.length)
        return { status: 0, why: part?.shared ? partRejectedMessage(part) : PART_MISSING_MESSAGE, part: key }
      for (const [placeholder, iri] of found) addresses.set(placeholder, iri)
    }
    return addresses
  }

  /** Removes the parts that only this delivered request could use. */
  const removeUsedParts = async ({ owner: of, parts = [] }: QueuedRequest) => {
    if (!parts.length) return
    const all = await store.all(of)
    for (const part of all) if (parts.includes(part.key) && !part.shared) await store.remove(of, part.key)
  }

  /** Removes the stored responses on which no request depends any longer. */
  const removeUnusedAnswers = async (all: readonly QueuedRequest[]) => {
    for (const request of all)
      if (
        isDeliveredForOthers(request) &&
        !hasDependents(request.key, all) &&
        now() - (request.arrivedAt ?? request.givenAt) > SHARED_ANSWER_MS
      )
        await store.remove(request.owner, request.key)
  }

  /** Sends one request. Resolves to false if the queue has to wait. */
  const sendOne = async (request: QueuedRequest): Promise<boolean> => {
    const refuse = async (refused: RequestRejection) => {
      await store.change({ ...request, sending: false, refused })
      return true
    }
    if (isUnsafeToRetry(request, now())) return refuse({ status: 0, why: REQUEST_TOO_OLD_MESSAGE })
    const addresses = await addressesOfParts(request)
    if ('why' in addresses) return refuse(addresses)
    const tried = request.tried ?? (isOnline() ? now() : undefined)
    try {
      const answer = await send(fillPlaceholders(request, addresses))
      await removeUsedParts(request)
      if (request.collect || request.shared)
        await store.change({ ...request, sending: false, arrived: answer, arrivedAt: now() })
      else await store.remove(request.owner, request.key)
      settings.onDelivered(request, answer)
    } catch (e) {
      if (!(e instanceof ApiError) || !isRetryableResponse(e))
        return refuse({ status: e instanceof ApiError ? e.status : 0, why: errorSentence(e) })
      await store.change({ ...request, sending: false, tried })
      return false
    }
    return true
  }

  const sendAll = async (current: string) => {
    for (let going = true; going; ) {
      const all = await store.all(current)
      const next = all.find(isAwaitingDelivery)
      if (!next) return removeUnusedAnswers(all)
      if (owner() !== current) return
      // If the page that made the request is still sending it, the queue waits for the lock.
      going = await exclusively(`${current} ${next.key}`, async () => {
        const still = (await store.all(current)).find((request) => request.key === next.key)
        return still && isAwaitingDelivery(still) && owner() === current ? sendOne(still) : true
      })
      await changed()
    }
  }

  let running: Promise<void> | undefined
  let again = false
  /** Sends the queue. If the queue is already being sent, it is sent once more afterwards. */
  const sendQueue = (): Promise<void> => {
    again = true
    running ??= (async () => {
      while (again) {
        again = false
        const current = owner()
        if (current !== undefined) await exclusively(current, () => sendAll(current))
      }
    })().finally(() => {
      running = undefined
    })
    return running
  }

  const insert = (request: QueuedRequest) =>
    store.add(request).catch(() => {
      throw new ApiError(0, NO_SPACE_MESSAGE)
    })

  return {
    refresh,
    add: async (request) => {
      if (!(await store.change(request).catch(() => false))) await insert(request)
      await changed()
      void sendQueue().catch(() => undefined)
    },
    track: async (request, sending) => {
      let isSettled = false
      let isStored = false
      const settled = sending.then(
        () => undefined,
        (e: unknown) => e,
      )
      const tracking = exclusively(`${request.owner} ${request.key}`, async () => {
        if (isSettled) return
        isStored = await store.add(request).then(
          () => true,
          () => false,
        )
        const error = await settled
        // A request that got no response stays stored, so that `add` can send it later.
        if (isStored && !(error instanceof ApiError && error.status === 0))
          await store.remove(request.owner, request.key)
      })
      const error = await settled
      isSettled = true
      if (error instanceof ApiError && error.status === 0) await tracking.catch(() => undefined)
      return sending
    },
    remove: async (key) => {
      const current = owner()
      if (current === undefined) return false
      // A request that is being sent can't be stopped, so removing it waits for the lock.
      const removed = await exclusively(`${current} ${key}`, () => store.remove(current, key))
      await changed()
      return removed
    },
    send: async (key) => {
      const current = owner()
      const all = current === undefined || key === undefined ? [] : await store.all(current)
      // Requests that were rejected because of this request are sent again after it.
      const again = new Set([key])
      for (const request of all)
        if (request.refused && (again.has(request.key) || again.has(request.refused.part))) {
          again.add(request.key)
          await store.change({ ...request, refused: undefined, tried: undefined })
        }
      if (again.size > 1 || all.some((request) => request.key === key)) await changed()
      await sendQueue()
    },
  }
}
