import { useEffect } from 'react'

/** A record that stands otherwise than it did: of what sort, and which. */
export interface Changed {
  readonly what: string
  readonly id: number
}

const listeners = new Set<(changed: Changed) => void>()

export function tellChanged(changed: Changed): void {
  for (const l of listeners) l(changed)
}

/** Does something each time that a record which is open here comes to stand otherwise, whoever did it. */
export function useChanged(what: string, id: number | undefined, then: () => unknown): void {
  useEffect(() => {
    const hear = (changed: Changed) => {
      if (changed.what === what && changed.id === id) then()
    }
    listeners.add(hear)
    return () => void listeners.delete(hear)
  })
}
