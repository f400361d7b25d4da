import { useSyncExternalStore } from 'react'
import type { Area } from '#kernel/navigation.ts'

/** Address of the notifications in the API. */
export const NOTICES = '/api/portal/notices'
/** Address of the inbox, also its query key. */
export const INBOX = `${NOTICES}/inbox`

/** Number of unread notifications, and of open tasks by area. */
export interface Summary {
  readonly unread: number
  readonly waiting: Readonly<Partial<Record<Area, number>>>
  /** Open tasks in words: "3 to sign, 1 to approve". */
  readonly waitsFor: Readonly<Partial<Record<Area, string>>>
}

export const NONE: Summary = { unread: 0, waiting: {}, waitsFor: {} }
let current = NONE
const listeners = new Set<() => void>()

export function setSummary(next: Summary): void {
  current = next
  for (const l of listeners) l()
}

const subscribe = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}

export const useSummary = (): Summary => useSyncExternalStore(subscribe, () => current)

/** Formats a number for a small space; empty for zero. */
export const shortCount = (n: number | undefined): string => (!n ? '' : n > 99 ? '99+' : String(n))
