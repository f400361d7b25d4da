import type { Values } from '#kernel/forms/visible.ts'
import { call } from '../api/client.ts'
import { allQueuedRequests, type OfflineQueue, setQueuedRequests, tellArrived } from '../api/deliver.ts'
import { isQueued, type QueuedRequest } from '../api/parcel.ts'
import { patiently } from '../api/patiently.ts'
import { queries } from '../api/query.ts'
import { session } from '../api/session.ts'
import { changeSeen } from '../forms/store/change-seen.ts'
import { toast } from '../ui/toast.ts'
import { deliverWith, keptFor } from './deliver.ts'
import { createKeeper } from './keeper.ts'
import { parcelStore } from './store.ts'

/** Milliseconds between two attempts while something waits. */
const AGAIN = 5000
/** Milliseconds in which several that arrive are told of together. */
const TOGETHER = 400

const owner = () => keptFor(session.me())

/** Looks after what this browser keeps of whoever is signed in; once for each page. */
export async function startKeeper(): Promise<OfflineQueue> {
  const pages = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('stanchion-queue')
  const keeper = createKeeper({
    store: parcelStore,
    send,
    owner,
    alone,
    isOnline: () => navigator.onLine,
    now: Date.now,
    tell: (next) => {
      // What waits is not for the browser to throw away when it tidies up.
      if (next.length && !allQueuedRequests().length) void navigator.storage?.persist?.().catch(() => undefined)
      setQueuedRequests(next)
    },
    tellOthers: () => pages?.postMessage('changed'),
    arrived: (parcel, made) => {
      tellArrived(parcel, made)
      tellSoon()
    },
  })
  const sendNow = () => void keeper.send().catch(() => undefined)
  const again = () => allQueuedRequests().some(isQueued) && sendNow()
  pages?.addEventListener('message', () => void keeper.refresh())
  addEventListener('online', sendNow)
  document.addEventListener('visibilitychange', again)
  setInterval(again, AGAIN)
  let whose = owner()
  session.subscribe(() => {
    const now = session.get()
    // Whose session has run out signs in again: what they see is theirs meanwhile.
    if (now.kind === 'out' && now.expired) whose = undefined
    else if (whose !== owner()) {
      whose = owner()
      void keeper.refresh().then(sendNow)
    }
  })
  await keeper.refresh()
  sendNow()
  return { ...keeper, deliver: deliverWith(keeper) }
}

let arrived = 0
/** Says once what has arrived, and reads again what is on the screen. */
function tellSoon() {
  if (arrived++) return
  setTimeout(() => {
    toast.info(
      arrived === 1 ? 'What waited here has been sent' : `${arrived} things that waited have been sent`,
      'safe',
    )
    arrived = 0
    void queries.invalidateQueries()
  }, TOGETHER)
}

const lines = new Map<string, Promise<unknown>>()
/** By the browser's own locks, or, where it has none, for this page alone: the same key does nothing twice. */
function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(`stanchion-queue ${name}`, work) as Promise<T>
  const turn = (lines.get(name) ?? Promise.resolve()).then(work)
  lines.set(
    name,
    turn.catch(() => undefined),
  )
  return turn
}

function send(parcel: QueuedRequest): Promise<unknown> {
  const { method, path, key, owner: as, body, base, file } = parcel
  if (base) return changeSeen(path, body, base, { as, byItself: true })
  const options = { idempotencyKey: key, as, byItself: true }
  if (file) return call(method, path, formOf(body, file), options)
  return patiently((signal) => call(method, path, body, { ...options, signal }))
}

function formOf(fields: Values, file: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (typeof value === 'string') form.append(name, value)
  form.append('file', file)
  return form
}
