import { useEffect, useSyncExternalStore } from 'react'
import type { Area } from '#kernel/navigation.ts'
import { personOf } from '../../api/me.ts'
import type { Me } from '../../api/session.ts'
import { standing } from '../standing.ts'

/** How many notices are unread; how many wait for something to be done, by area. */
export interface Summary {
  readonly unread: number
  readonly waiting: Readonly<Partial<Record<Area, number>>>
}

const NONE: Summary = { unread: 0, waiting: {} }
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

/** A number as it is shown where there is little room; nothing for none. */
export const inLittleRoom = (n: number | undefined): string => (!n ? '' : n > 99 ? '99+' : String(n))

/** Keeps the count true from when the first screen stands. Whoever works as somebody else is told nothing. */
export function useTold(me: Me): void {
  const person = me.isImpersonating ? undefined : personOf(me)
  useEffect(() => {
    if (person === undefined) return undefined
    const ending = new AbortController()
    const begin = async () => {
      await standing
      const { keepTold } = await import('./live.ts')
      keepTold(person, ending.signal)
    }
    void begin().catch(() => undefined)
    return () => {
      ending.abort()
      setSummary(NONE)
    }
  }, [person])
}
