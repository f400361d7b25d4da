import { useMemo, useSyncExternalStore } from 'react'
import type { Values } from '#kernel/forms/visible.ts'
import { type CallOptions, call } from './client.ts'
import type { Parcel, Words } from './parcel.ts'

/** What is given back for something that is kept on this device and has not been answered. */
export const WAITING = Symbol('waiting')
export type Waiting = typeof WAITING

/** Said where something waits. */
export const KEPT = 'Kept on this device. It is sent when there is a connection again.'

/** How something is sent that somebody has given. */
export interface Delivery
  extends Omit<CallOptions, 'as' | 'signal'>,
    Partial<Pick<Parcel, 'base' | 'collect' | 'file' | 'parts'>> {
  readonly words: Words
  /** How it is sent while somebody looks on, and as whom; as every call is, unless given. */
  readonly by?: (as?: string) => Promise<unknown>
}

/** Keeps what could not be sent, and sends it later. */
export interface Keeper {
  readonly deliver: <T>(method: Parcel['method'], path: string, body: Values, how: Delivery) => Promise<T | Waiting>
  /** Takes it off this device; false where it is not here any more. */
  readonly remove: (key: string) => Promise<boolean>
  /** Sends what waits now; one that was refused, too, where it is named. */
  readonly send: (key?: string) => Promise<void>
}

let load: (() => Promise<Keeper>) | undefined
let loading: Promise<Keeper | undefined> | undefined
let keeper: Keeper | undefined
let parcels: readonly Parcel[] = []
const listeners = new Set<() => void>()
const arrivals = new Set<(parcel: Parcel, made: unknown) => void>()

/** The shell says where the keeper comes from: it is not needed for the first screen to stand. */
export const provideKeeper = (from: () => Promise<Keeper>): void => {
  load = from
}

/** The keeper, fetched the first time; nothing where it can't be. */
export function findKeeper(): Promise<Keeper | undefined> {
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
export function setParcels(next: readonly Parcel[]): void {
  parcels = next
  for (const l of listeners) l()
}

/** The keeper says that one has arrived, and what the portal has made of it. */
export const tellArrived = (parcel: Parcel, made: unknown): void => {
  for (const l of arrivals) l(parcel, made)
}

/** Hears of what arrives while this page is open; returns how to stop. */
export function onArrived(listener: (parcel: Parcel, made: unknown) => void): () => void {
  arrivals.add(listener)
  return () => void arrivals.delete(listener)
}

/** Hears when what waits here, or was not taken, has changed; returns how to stop. */
export const onParcels = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}

export const allParcels = (): readonly Parcel[] => parcels
export const useParcels = (): readonly Parcel[] => useSyncExternalStore(onParcels, allParcels)

/** What waits, or was not taken, of the record with this address. */
export function useParcelsOf(address: string): readonly Parcel[] {
  const all = useParcels()
  return useMemo(() => all.filter((p) => p.about.includes(address)), [all, address])
}

/**
 * Sends something that a person has typed, drawn or photographed. Where the connection is gone it is kept on this device, over a
 * reload too, and sent in its turn when there is one again. What the server refuses is thrown, as by every call.
 */
export async function deliver<T>(
  method: Parcel['method'],
  path: string,
  body: Values,
  how: Delivery,
): Promise<T | Waiting> {
  // Whoever leaves the page has no time to fetch anything.
  const here = keeper ?? (how.lasting ? undefined : await findKeeper())
  if (here) return here.deliver<T>(method, path, body, how)
  return how.by ? (how.by() as Promise<T>) : call<T>(method, path, body, how)
}
