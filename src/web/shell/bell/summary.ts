import { useSyncExternalStore } from 'react'
import type { PortalArea } from '#kernel/packs.ts'

export const NOTIFICATIONS_URL = '/api/portal/notices'

/** URL of the inbox, also used as its query key. */
export const INBOX_URL = `${NOTIFICATIONS_URL}/inbox`

/** Number of unread notifications, and number of open tasks in each area. */
export interface NotificationSummary {
  readonly unread: number
  readonly waiting: Readonly<Partial<Record<PortalArea, number>>>
  /** Description of the open tasks in each area: "3 to sign, 1 to approve". */
  readonly waitsFor: Readonly<Partial<Record<PortalArea, string>>>
}

export const EMPTY_NOTIFICATION_SUMMARY: NotificationSummary = { unread: 0, waiting: {}, waitsFor: {} }

let current = EMPTY_NOTIFICATION_SUMMARY

const listeners = new Set<() => void>()

export function setNotificationSummary(next: NotificationSummary): void {
  current = next
  for (const l of listeners) l()
}

const subscribe = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}

export const useNotificationSummary = (): NotificationSummary => useSyncExternalStore(subscribe, () => current)

/** Formats a number for a small space. Zero becomes an empty string, and more than 99 becomes "99+". */
export const formatShortCount = (n: number | undefined): string => (!n ? '' : n > 99 ? '99+' : String(n))
