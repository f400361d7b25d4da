import { type Collection, callApi } from '../../api/client.ts'
import { requestHeaders } from '../../api/headers.ts'
import { queryClient } from '../../api/query.ts'
import { session } from '../../api/session.ts'
import { readStreamEvents, type StreamEvent } from './events.ts'
import type { InboxNotification } from './notice-list.tsx'
import { type ChangedRecord, publishNewNotifications, publishRecordChange } from './record-changes.ts'
import { INBOX_URL, NOTIFICATIONS_URL, type NotificationSummary, setNotificationSummary } from './summary.ts'

/** Shortest and longest delay between retries, in milliseconds. */
const [SOON, LATE] = [1000, 60_000]
/**
 * Milliseconds of silence after which a connection is treated as dead. The server sends a keep-alive every 25 seconds.
 */
const SILENCE = 70_000

/** Message between tabs: the current summary, a changed record, or a new tab's request for the summary. */
interface TabMessage {
  readonly person: string
  readonly summary?: NotificationSummary
  readonly changed?: ChangedRecord
}

/**
 * Keeps the user's notification count up to date and publishes changes to records, with one stream for all tabs of the
 * browser. The first tab runs the stream. When that tab closes, the next tab takes over.
 */
export function streamNotifications(person: string, signal: AbortSignal): void {
  const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('stanchion-notices')
  let last: NotificationSummary | undefined
  const take = (summary: NotificationSummary) => {
    if (JSON.stringify(last) === JSON.stringify(summary)) return
    const arrived = last === undefined ? 0 : summary.unread - last.unread
    last = summary
    setNotificationSummary(summary)
    void queryClient.invalidateQueries({ queryKey: [INBOX_URL] })
    if (arrived > 0) void readAnew(arrived).catch(() => undefined)
  }
  let leads = false
  tabs?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data.person !== person || signal.aborted) return
    if (data.summary) take(data.summary)
    else if (data.changed) publishRecordChange(data.changed)
    else if (leads && last) tabs.postMessage({ person, summary: last })
  })
  signal.addEventListener('abort', () => tabs?.close())
  tabs?.postMessage({ person })
  void leading(`stanchion-notices ${person}`, signal, async () => {
    leads = true
    await follow(signal, (told) => {
      if ('id' in told) publishRecordChange(told)
      else take(told)
      tabs?.postMessage('id' in told ? { person, changed: told } : { person, summary: told })
    })
  })
}

/** Reads the unread notifications, refreshes the data on screen that they refer to, and publishes the new ones. */
async function readAnew(arrived: number): Promise<void> {
  const { 'hydra:member': unread } = await callApi<Collection<InboxNotification>>('GET', `${INBOX_URL}?unread=true`)
  for (const url of new Set(unread.map(({ about }) => about.replace(/\/[^/]+$/, ''))))
    void queryClient.invalidateQueries({ queryKey: [url], type: 'active' })
  publishNewNotifications(unread.slice(0, arrived))
}

/** Runs the work in one tab at a time, or in every tab if the browser does not support locks. */
async function leading(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work()
  await navigator.locks.request(name, { signal }, work).catch(() => undefined)
}

/**
 * Receives messages until aborted. Reconnects whenever the connection is lost, the server closes it or the session
 * changes.
 */
async function follow(signal: AbortSignal, told: (word: NotificationSummary | ChangedRecord) => void): Promise<void> {
  for (let wait = SOON; !signal.aborted; ) {
    const token = session.token()
    const came = token === undefined ? 'over' : await listen(token, signal, told)
    if (signal.aborted) return
    if (came === 'over') await anotherToken(token, signal)
    if (came === 'heard' || came === 'over') wait = SOON
    if (came === 'over') continue
    // The delay is random, so that a company's tabs don't all reconnect at the same time.
    await pause(wait * (0.5 + Math.random()), signal)
    wait = Math.min(2 * wait, LATE)
  }
}

/**
 * Runs one connection and returns how it ended. `heard`: it had received a message; `failed`: it had received none;
 * `over`: its token is no longer valid.
 */
async function listen(
  token: string,
  signal: AbortSignal,
  told: (word: NotificationSummary | ChangedRecord) => void,
): Promise<'heard' | 'failed' | 'over'> {
  const quiet = new AbortController()
  let timer = setTimeout(() => quiet.abort(), SILENCE)
  let came: 'heard' | 'failed' | 'over' = 'failed'
  const hear = ({ event, data }: StreamEvent) => {
    if (event === 'over') came = 'over'
    if (event !== 'summary' && event !== 'changed') return
    came = 'heard'
    told(JSON.parse(data) as NotificationSummary | ChangedRecord)
  }
  try {
    const answer = await fetch(`${NOTIFICATIONS_URL}/summary`, {
      headers: { ...requestHeaders('GET', token), accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, quiet.signal]),
    })
    if ([401, 403, 404].includes(answer.status)) return 'over'
    if (!answer.ok || !answer.body) return 'failed'
    for await (const heard of readStreamEvents(answer.body)) {
      clearTimeout(timer)
      timer = setTimeout(() => quiet.abort(), SILENCE)
      hear(heard)
    }
  } catch {
    // A failed connection is retried.
  } finally {
    clearTimeout(timer)
  }
  return came
}

/**
 * Waits until the session has another token, or until aborted. Does not request a token, because an unused screen must
 * not extend the session.
 */
const anotherToken = (former: string | undefined, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      const token = session.token()
      if (!signal.aborted && (token === undefined || token === former)) return
      leave()
      resolve()
    }
    const leave = session.subscribe(look)
    signal.addEventListener('abort', look)
    look()
  })

/** Waits for the given time, or until the device is online again or the wait is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
