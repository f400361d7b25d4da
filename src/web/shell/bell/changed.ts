import { useEffect } from 'react'

/** A record that has changed, by kind and id. */
export interface Changed {
  readonly what: string
  readonly id: number
}

const listeners = new Set<(changed: Changed) => void>()

export function tellChanged(changed: Changed): void {
  for (const l of listeners) l(changed)
}

/** Runs a callback each time an open record changes, by any user. */
export function useChanged(what: string, id: number | undefined, then: () => unknown): void {
  useEffect(() => {
    const hear = (changed: Changed) => {
      if (changed.what === what && changed.id === id) then()
    }
    listeners.add(hear)
    return () => void listeners.delete(hear)
  })
}
