import { ApiError, call } from '../api/client.ts'
import { allQueuedRequests, type Delivery, type OfflineQueue, QUEUED, type QueuedOffline } from '../api/deliver.ts'
import { randomKey } from '../api/idempotency.ts'
import { isQueued, type QueuedRequest } from '../api/parcel.ts'
import { patiently } from '../api/patiently.ts'
import { type Me, session } from '../api/session.ts'
import { ownerOf } from '../api/typed.ts'
import type { ParcelKeeper } from './keeper.ts'

/** Whose things are kept here: whoever is signed in as themselves. */
export const keptFor = (me: Me | undefined): string | undefined => (me && !me.isImpersonating ? ownerOf(me) : undefined)

/** How things are sent where a keeper looks after what can't be. Nothing is kept for anybody in another's name. */
export const deliverWith =
  ({ keep, watch }: Pick<ParcelKeeper, 'keep' | 'watch'>): OfflineQueue['deliver'] =>
  async <T>(
    method: QueuedRequest['method'],
    path: string,
    body: QueuedRequest['body'],
    { words, base, collect, file, parts, by, ...options }: Delivery,
  ): Promise<T | QueuedOffline> => {
    const owner = keptFor(session.me())
    const key = options.idempotencyKey ?? randomKey()
    const send = () =>
      by?.(owner) ??
      patiently((signal) =>
        call<T>(method, path, body, {
          ...options,
          ...(method === 'POST' ? { idempotencyKey: key } : {}),
          ...(owner === undefined ? {} : { as: owner }),
          signal,
        }),
      )
    if (owner === undefined) return (await send()) as T
    const parcel: QueuedRequest = {
      ...words,
      key,
      owner,
      method,
      path,
      body,
      base,
      collect,
      file,
      parts,
      givenAt: Date.now(),
    }
    const kept = async (tried?: number): Promise<QueuedOffline> => {
      await keep({ ...parcel, tried })
      return QUEUED
    }
    // What waits arrives before it, what it names above all. What is on its way just now is not waited for.
    if (parts?.length || allQueuedRequests().some(isQueued)) return kept()
    // Of what is sent without a connection nothing has left.
    const tried = navigator.onLine ? Date.now() : undefined
    try {
      return (await watch({ ...parcel, tried, sending: true }, send())) as T
    } catch (e) {
      if (!(e instanceof ApiError) || e.status !== 0) throw e
      return kept(tried)
    }
  }
