import { useSyncExternalStore } from 'react'
import type { Area } from '#kernel/navigation.ts'

/** Where the portal keeps what somebody should know of. */
export const NOTICES = '/api/portal/notices'
/** What inboxes are known by, and asked for again. */
export const INBOX = `${NOTICES}/inbox`

/** How many notices are unread; how many wait for something to be done, by area. */
export interface Summary {
  readonly unread: number
  readonly waiting: Readonly<Partial<Record<Area, number>>>
  /** The same in words: "3 to sign, 1 to approve". */
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

/** A number as it is shown where there is little module; nothing for none. */
export const shortCount = (n: number | undefined): string => (!n ? '' : n > 99 ? '99+' : String(n))
