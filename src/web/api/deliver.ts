import { useMemo, useSyncExternalStore } from 'react'
import type { Values } from '#kernel/forms/visible.ts'
import { type CallOptions, call } from './client.ts'
import type { QueuedRequest, RequestDescription } from './parcel.ts'

/** What is given back for something that is kept on this device and has not been answered. */
export const QUEUED = Symbol('waiting')
export type QueuedOffline = typeof QUEUED

/** Said where something waits. */
export const KEPT = 'Kept on this device. It is sent when there is a connection again.'

/** How something is sent that somebody has given. */
export interface Delivery
  extends Omit<CallOptions, 'as' | 'signal'>,
    Partial<Pick<QueuedRequest, 'base' | 'collect' | 'file' | 'parts'>> {
  readonly words: RequestDescription
  /** How it is sent while somebody looks on, and as whom; as every call is, unless given. */
  readonly by?: (as?: string) => Promise<unknown>
}

/** Keeps what could not be sent, and sends it later. */
export interface OfflineQueue {
  readonly deliver: <T>(
    method: QueuedRequest['method'],
    path: string,
    body: Values,
    how: Delivery,
  ) => Promise<T | QueuedOffline>
  /** Takes it off this device; false where it is not here any more. */
  readonly remove: (key: string) => Promise<boolean>
  /** Sends what waits now; one that was refused, too, where it is named. */
  readonly send: (key?: string) => Promise<void>
}

let load: (() => Promise<OfflineQueue>) | undefined
let loading: Promise<OfflineQueue | undefined> | undefined
let keeper: OfflineQueue | undefined
let parcels: readonly QueuedRequest[] = []
const listeners = new Set<() => void>()
const arrivals = new Set<(parcel: QueuedRequest, made: unknown) => void>()

/** The shell says where the keeper comes from: it is not needed for the first screen to stand. */
export const provideOfflineQueue = (from: () => Promise<OfflineQueue>): void => {
  load = from
}

/** The keeper, fetched the first time; nothing where it can't be. */
export function findOfflineQueue(): Promise<OfflineQueue | undefined> {
  loading ??= (load?.() ?? Promise.resolve(undefined)).then(
    (found) => {
      keeper = found
      return found
    },
    () => {
      loading = undefined
      return undefined
    },
  )
  return loading
}

/** The keeper says what it has of whoever is signed in. */
export function setQueuedRequests(next: readonly QueuedRequest[]): void {
  parcels = next
  for (const l of listeners) l()
}

/** The keeper says that one has arrived, and what the portal has made of it. */
export const tellArrived = (parcel: QueuedRequest, made: unknown): void => {
  for (const l of arrivals) l(parcel, made)
}

/** Hears of what arrives while this page is open; returns how to stop. */
export function onArrived(listener: (parcel: QueuedRequest, made: unknown) => void): () => void {
  arrivals.add(listener)
  return () => void arrivals.delete(listener)
}

/** Hears when what waits here, or was not taken, has changed; returns how to stop. */
export const onQueuedRequests = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}

export const allQueuedRequests = (): readonly QueuedRequest[] => parcels
export const useQueuedRequests = (): readonly QueuedRequest[] =>
  useSyncExternalStore(onQueuedRequests, allQueuedRequests)

/** What waits, or was not taken, of the record with this address. */
export function useQueuedRequestsOf(address: string): readonly QueuedRequest[] {
  const all = useQueuedRequests()
  return useMemo(() => all.filter((p) => p.about.includes(address)), [all, address])
}

/**
 * Sends something that a person has typed, drawn or photographed. Where the connection is gone it is kept on this device, over a
 * reload too, and sent in its turn when there is one again. What the server refuses is thrown, as by every call.
 */
export async function sendOrQueue<T>(
  method: QueuedRequest['method'],
  path: string,
  body: Values,
  how: Delivery,
): Promise<T | QueuedOffline> {
  // Whoever leaves the page has no time to fetch anything.
  const here = keeper ?? (how.lasting ? undefined : await findOfflineQueue())
  if (here) return here.deliver<T>(method, path, body, how)
  return how.by ? (how.by() as Promise<T>) : call<T>(method, path, body, how)
}
