import { ApiError } from '../api/client.ts'
import type { OfflineQueue } from '../api/deliver.ts'
import { isDoubtful, isForLater, isQueued, madeBy, type QueuedRequest, type Refusal, withMade } from '../api/parcel.ts'
import { sentence } from '../ui/toast.ts'
import type { ParcelStore } from './store.ts'

/** What a keeper does its work with. */
export interface KeeperSettings {
  readonly store: ParcelStore
  /** Sends one in the name of its owner. Throws an ApiError. */
  readonly send: (parcel: QueuedRequest) => Promise<unknown>
  /** Whose parcels are looked after: of whoever is signed in as themselves. */
  readonly owner: () => string | undefined
  /** Does something that no other page does at the same time under the same name. */
  readonly alone: <T>(name: string, work: () => Promise<T>) => Promise<T>
  readonly isOnline: () => boolean
  readonly now: () => number
  /** What is kept for the owner is another now. */
  readonly tell: (parcels: readonly QueuedRequest[]) => void
  /** Tells the other pages of this browser that it is. */
  readonly tellOthers: () => void
  readonly arrived: (parcel: QueuedRequest, made: unknown) => void
}

export interface ParcelKeeper extends Omit<OfflineQueue, 'deliver'> {
  /** Keeps it, and sends what waits, in order. Throws an ApiError in words where there is no room. */
  readonly keep: (parcel: QueuedRequest) => Promise<void>
  /** Keeps it for as long as it is being sent, in case the page is closed. Resolves or rejects as `sending` does. */
  readonly watch: <T>(parcel: QueuedRequest, sending: Promise<T>) => Promise<T>
  /** Looks again at what is kept, and for whom. */
  readonly refresh: () => Promise<void>
}

export const NO_ROOM =
  'There is no connection, and no room left on this device to keep this: it is not saved. What you typed is still here; please keep the page open and try again.'
export const TOO_OLD =
  'This was on its way more than a day ago when the connection broke, and may have arrived. Please look at its record before you send it again.'

export const PART_MISSING =
  'A picture that belongs to this was not taken, or was thrown away. Please send the picture again first, or fill it in again without it.'

/** Keeps parcels of people, and sends those of whoever is signed in: one after the other, each once. */
export function createKeeper(settings: KeeperSettings): ParcelKeeper {
  const { store, send, owner, alone, now, isOnline } = settings

  const refresh = async () => {
    const whose = owner()
    const all = whose === undefined ? [] : await store.all(whose).catch(() => [])
    if (whose === owner()) settings.tell(all.filter((p) => !p.sending))
  }
  const changed = () => {
    settings.tellOthers()
    return refresh()
  }

  /** What was made of the parcels that this one names: they went before it. Nothing where one of them was not taken. */
  const partsOf = async ({
    owner: whose,
    parts = [],
  }: QueuedRequest): Promise<ReadonlyMap<string, string> | undefined> => {
    const all = parts.length ? await store.all(whose) : []
    const made = parts.flatMap((key) => {
      const { arrived } = all.find((p) => p.key === key) ?? {}
      const is = arrived !== null && typeof arrived === 'object' && '@id' in arrived ? arrived['@id'] : undefined
      return typeof is === 'string' ? [[madeBy(key), is] as const] : []
    })
    return made.length === parts.length ? new Map(made) : undefined
  }

  /** False where nothing more can be sent just now. */
  const sendOne = async (parcel: QueuedRequest): Promise<boolean> => {
    const refuse = async (refused: Refusal) => {
      await store.change({ ...parcel, sending: false, refused })
      return true
    }
    if (isDoubtful(parcel, now())) return refuse({ status: 0, why: TOO_OLD })
    const parts = await partsOf(parcel)
    if (!parts) return refuse({ status: 0, why: PART_MISSING })
    const tried = parcel.tried ?? (isOnline() ? now() : undefined)
    try {
      const made = await send({ ...parcel, body: withMade(parcel.body, parts) })
      for (const key of parcel.parts ?? []) await store.remove(parcel.owner, key)
      if (parcel.collect) await store.change({ ...parcel, sending: false, arrived: made })
      else await store.remove(parcel.owner, parcel.key)
      settings.arrived(parcel, made)
    } catch (e) {
      if (!(e instanceof ApiError) || !isForLater(e))
        return refuse({ status: e instanceof ApiError ? e.status : 0, why: sentence(e) })
      await store.change({ ...parcel, sending: false, tried })
      return false
    }
    return true
  }

  const sendAll = async (whose: string) => {
    for (let going = true; going; ) {
      const next = (await store.all(whose)).find(isQueued)
      if (!next || owner() !== whose) return
      // One that its own page is sending just now is waited for.
      going = await alone(`${whose} ${next.key}`, async () => {
        const still = (await store.all(whose)).find((p) => p.key === next.key)
        return still && isQueued(still) && owner() === whose ? sendOne(still) : true
      })
      await changed()
    }
  }

  /** What is asked for while it goes on is done once more afterwards: something may have come. */
  let running: Promise<void> | undefined
  let again = false
  const empty = (): Promise<void> => {
    again = true
    running ??= (async () => {
      while (again) {
        again = false
        const whose = owner()
        if (whose !== undefined) await alone(whose, () => sendAll(whose))
      }
    })().finally(() => {
      running = undefined
    })
    return running
  }

  const add = (parcel: QueuedRequest) =>
    store.add(parcel).catch(() => {
      throw new ApiError(0, NO_ROOM)
    })

  return {
    refresh,
    keep: async (parcel) => {
      if (!(await store.change(parcel).catch(() => false))) await add(parcel)
      await changed()
      void empty().catch(() => undefined)
    },
    watch: async (parcel, sending) => {
      let isOver = false
      let isKept = false
      const over = sending.then(
        () => undefined,
        (e: unknown) => e,
      )
      const watching = alone(`${parcel.owner} ${parcel.key}`, async () => {
        if (isOver) return
        isKept = await store.add(parcel).then(
          () => true,
          () => false,
        )
        const error = await over
        // What did not get through stays, for whoever keeps it.
        if (isKept && !(error instanceof ApiError && error.status === 0)) await store.remove(parcel.owner, parcel.key)
      })
      const error = await over
      isOver = true
      if (error instanceof ApiError && error.status === 0) await watching.catch(() => undefined)
      return sending
    },
    remove: async (key) => {
      const whose = owner()
      if (whose === undefined) return false
      // One that is being sent just now can't be held back.
      const gone = await alone(`${whose} ${key}`, () => store.remove(whose, key))
      await changed()
      return gone
    },
    send: async (key) => {
      const whose = owner()
      const named = whose === undefined ? undefined : (await store.all(whose)).find((p) => p.key === key)
      if (named?.refused) {
        await store.change({ ...named, refused: undefined, tried: undefined })
        await changed()
      }
      await empty()
    },
  }
}
