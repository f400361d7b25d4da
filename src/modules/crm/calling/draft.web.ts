import { useCallback, useEffect, useState } from 'react'
import { isSameValue } from '#kernel/forms/visible.ts'
import { session } from '#web/api/session.ts'
import { tabValueForPerson } from '#web/offline/owner.ts'

/** Unsaved call notes, callback date and timer, stored in the browser tab for each user and lead. */
export interface CallDraft {
  readonly notes: string
  /** Callback date as typed so far. */
  readonly when: string
  readonly sticky: boolean
  /** Minutes typed by hand, which replace the time measured by the timer. */
  readonly minutes: number | null
  /** Start time of the timer in milliseconds; null while it is stopped. */
  readonly startedAt: number | null
  /** Time measured by earlier runs of the timer, in milliseconds. */
  readonly ran: number
}

export const EMPTY_CALL_DRAFT: CallDraft = {
  notes: '',
  when: '',
  sticky: false,
  minutes: null,
  startedAt: null,
  ran: 0,
}

const stored = (id: number) => tabValueForPerson<Partial<CallDraft>>(session.me(), `lead ${id}`)

export const callDrafts = {
  get: (id: number): CallDraft => ({ ...EMPTY_CALL_DRAFT, ...stored(id).read() }),
  set: (id: number, draft: CallDraft) => stored(id).write(isSameValue(draft, EMPTY_CALL_DRAFT) ? undefined : draft),
}

export type CallDraftUpdater = (change: Partial<CallDraft>) => void

export function useCallDraft(id: number) {
  const [draft, setDraft] = useState(() => callDrafts.get(id))
  const change = useCallback<CallDraftUpdater>(
    (change) =>
      setDraft((was) => {
        const next = { ...was, ...change }
        callDrafts.set(id, next)
        return next
      }),
    [id],
  )
  return { draft, change }
}

export const callTimerElapsedMs = (d: CallDraft, now = Date.now()) =>
  d.ran + (d.startedAt === null ? 0 : Math.max(0, now - d.startedAt))

/**
 * Returns the minutes to record: those typed by hand or else the timer's, rounded to the nearest minute but at least 1;
 * `undefined` if the timer was never started.
 */
export function minutesToRecord(d: CallDraft, now = Date.now()): number | undefined {
  if (d.minutes !== null) return d.minutes
  const ms = callTimerElapsedMs(d, now)
  return ms > 0 ? Math.max(1, Math.round(ms / 60_000)) : undefined
}

export const startCallTimer = (d: CallDraft): Partial<CallDraft> =>
  d.startedAt === null ? { startedAt: Date.now() } : {}

export const stopCallTimer = (d: CallDraft): Partial<CallDraft> => ({ startedAt: null, ran: callTimerElapsedMs(d) })

/** Re-renders the component once a second while the timer is running. */
export function useRerenderEverySecond(running: boolean): void {
  const [, draw] = useState(0)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => draw((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [running])
}
