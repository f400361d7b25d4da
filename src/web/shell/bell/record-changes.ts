import { useEffect } from 'react'

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
