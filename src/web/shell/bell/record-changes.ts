import { useEffect } from 'react'
import type { InboxNotification } from './notice-list.tsx'

/** Record that has changed, by type and ID. */
export interface ChangedRecord {
  readonly what: string
  readonly id: number
}

const listeners = new Set<(changed: ChangedRecord) => void>()

export function publishRecordChange(changed: ChangedRecord): void {
  for (const l of listeners) l(changed)
}

/** Runs a callback each time any user changes the open record. */
export function useRecordChange(what: string, id: number | undefined, then: () => unknown): void {
  useEffect(() => {
    const hear = (changed: ChangedRecord) => {
      if (changed.what === what && changed.id === id) then()
    }
    listeners.add(hear)
    return () => void listeners.delete(hear)
  })
}

const noticeListeners = new Set<(arrived: readonly InboxNotification[]) => void>()

export function publishNewNotifications(arrived: readonly InboxNotification[]): void {
  for (const l of noticeListeners) l(arrived)
}

/** Registers a listener for notifications that arrive from now on. Returns a function that removes it. */
export function onNewNotifications(listener: (arrived: readonly InboxNotification[]) => void): () => void {
  noticeListeners.add(listener)
  return () => void noticeListeners.delete(listener)
}
