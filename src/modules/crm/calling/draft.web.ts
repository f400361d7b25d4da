import { useCallback, useEffect, useState } from 'react'
import { isSameValue } from '#kernel/forms/same.ts'
import { session } from '#web/api/session.ts'
import { ownTabValue } from '#web/offline/owner.ts'

/** What was typed about a call and is not saved yet; it stays in the browser tab, by person and lead. */
export interface Draft {
  readonly notes: string
  /** When to ring again, as far as it is typed. */
  readonly when: string
  readonly sticky: boolean
  /** Typed by hand, instead of the timer's. */
  readonly minutes: number | null
  /** When the timer was started, in ms; null while it stands. */
  readonly startedAt: number | null
  /** What it had counted before, in ms. */
  readonly ran: number
}

export const EMPTY: Draft = { notes: '', when: '', sticky: false, minutes: null, startedAt: null, ran: 0 }

const stored = (id: number) => ownTabValue<Partial<Draft>>(session.me(), `lead ${id}`)

export const drafts = {
  get: (id: number): Draft => ({ ...EMPTY, ...stored(id).read() }),
  set: (id: number, draft: Draft) => stored(id).write(isSameValue(draft, EMPTY) ? undefined : draft),
}

export type ChangeDraft = (change: Partial<Draft>) => void

export function useDraft(id: number) {
  const [draft, setDraft] = useState(() => drafts.get(id))
  const change = useCallback<ChangeDraft>(
    (change) =>
      setDraft((was) => {
        const next = { ...was, ...change }
        drafts.set(id, next)
        return next
      }),
    [id],
  )
  return { draft, change }
}

/** Milliseconds on the clock. */
export const timeElapsed = (d: Draft, now = Date.now()) =>
  d.ran + (d.startedAt === null ? 0 : Math.max(0, now - d.startedAt))

/** The minutes to record: as typed, else the clock's, begun ones rounded to the nearest. */
export function minutesOf(d: Draft, now = Date.now()): number | undefined {
  if (d.minutes !== null) return d.minutes
  const ms = timeElapsed(d, now)
  return ms > 0 ? Math.max(1, Math.round(ms / 60_000)) : undefined
}

export const startTimer = (d: Draft): Partial<Draft> => (d.startedAt === null ? { startedAt: Date.now() } : {})
export const stopTimer = (d: Draft): Partial<Draft> => ({ startedAt: null, ran: timeElapsed(d) })

/** Draws the clock once a second while it runs. */
export function useTick(running: boolean): void {
  const [, draw] = useState(0)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => draw((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [running])
}
