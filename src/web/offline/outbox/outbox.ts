import { useMemo, useSyncExternalStore } from 'react'
import type { Values } from '#kernel/forms/visible.ts'
import { type ApiCallOptions, callApi } from '../../api/client.ts'
import { isDeliveredForOthers, type QueuedRequest, type RequestDescription } from '../requests.ts'

/** Result of a request that was queued instead of sent. */
export const QUEUED_RESULT = Symbol('queued')
export type QueuedResult = typeof QUEUED_RESULT

export const QUEUED_MESSAGE = 'Your change is stored on this device, and will be sent when the connection is back.'

export interface OutboxRequestOptions
  extends Omit<ApiCallOptions, 'as' | 'signal'>,
    Partial<Pick<QueuedRequest, 'base' | 'collect' | 'file' | 'parts' | 'shared'>> {
  readonly description: RequestDescription
  /** Sends the request as the given owner while the page is open. The default is `callApi`. */
  readonly by?: (as?: string) => Promise<unknown>
}

/** Stores requests that could not be sent, and sends them later. */
export interface OfflineQueue {
  readonly sendOrQueue: <T>(
    method: QueuedRequest['method'],
    path: string,
    body: Values,
    options: OutboxRequestOptions,
  ) => Promise<T | QueuedResult>
  /** Removes a request from this device. Resolves to false if there is no such request. */
  readonly remove: (key: string) => Promise<boolean>
  /** Sends the queue now. If a key is given, the rejected request with this key is sent too. */
  readonly send: (key?: string) => Promise<void>
}

let load: (() => Promise<OfflineQueue>) | undefined
let loading: Promise<OfflineQueue | undefined> | undefined
let queue: OfflineQueue | undefined
let requests: readonly QueuedRequest[] = []
const listeners = new Set<() => void>()
const deliveryListeners = new Set<(request: QueuedRequest, answer: unknown) => void>()

/** Sets the function that loads the queue. The queue is loaded later, because the first screen does not need it. */
export const setOfflineQueueLoader = (from: () => Promise<OfflineQueue>): void => {
  load = from
}

/** Loads the queue once. Resolves to undefined if loading fails. */
export function loadOfflineQueue(): Promise<OfflineQueue | undefined> {
  loading ??= (load?.() ?? Promise.resolve(undefined)).then(
    (found) => {
      queue = found
      return found
    },
    () => {
      loading = undefined
      return undefined
    },
  )
  return loading
}

/** Sets the signed-in person's requests. Called by the queue. */
export function setQueuedRequests(next: readonly QueuedRequest[]): void {
  requests = next
  for (const l of listeners) l()
}

/** Notifies listeners that a request was delivered, and passes on its response. Called by the queue. */
export const notifyRequestDelivered = (request: QueuedRequest, answer: unknown): void => {
  for (const l of deliveryListeners) l(request, answer)
}

/** Listens for deliveries; returns a function that stops listening. */
export function onRequestDelivered(listener: (request: QueuedRequest, answer: unknown) => void): () => void {
  deliveryListeners.add(listener)
  return () => void deliveryListeners.delete(listener)
}

/** Listens for changes to the queue; returns a function that stops listening. */
export const onQueueChanged = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}

export const getQueuedRequests = (): readonly QueuedRequest[] => requests
/** Returns the requests that exist only on this device, and those already delivered on which others may depend. */
export const useStoredRequests = (): readonly QueuedRequest[] => useSyncExternalStore(onQueueChanged, getQueuedRequests)

/** Returns the requests that exist only on this device or whose response a screen has to collect. */
export function useQueuedRequests(): readonly QueuedRequest[] {
  const all = useStoredRequests()
  return useMemo(() => all.filter((request) => !isDeliveredForOthers(request)), [all])
}

/** Returns the stored requests whose `about` contains this address, such as a record's IRI. */
export function useQueuedRequestsForUrl(address: string): readonly QueuedRequest[] {
  const all = useQueuedRequests()
  return useMemo(() => all.filter((request) => request.about.includes(address)), [all, address])
}

/**
 * Sends a person's input. While offline, the request is stored on this device, survives a reload, and is sent in order
 * once there is a connection. An error response from the server is thrown, as in `callApi`.
 */
export async function sendOrQueue<T>(
  method: QueuedRequest['method'],
  path: string,
  body: Values,
  options: OutboxRequestOptions,
): Promise<T | QueuedResult> {
  // While a page is closing, there is no time to load the queue.
  const loaded = queue ?? (options.lasting ? undefined : await loadOfflineQueue())
  if (loaded) return loaded.sendOrQueue<T>(method, path, body, options)
  return options.by ? (options.by() as Promise<T>) : callApi<T>(method, path, body, options)
}
