import { useEffect } from 'react'
import { personOf } from '../api/me.ts'
import type { Me } from '../api/session.ts'
import { NONE, setSummary } from './bell/summary.ts'
import { standing } from './standing.ts'

/** Keeps the count of notices true from when the first screen stands. Whoever works as somebody else is told nothing. */
export function useTold(me: Me | undefined): void {
  const person = !me || me.isImpersonating ? undefined : personOf(me)
  useEffect(() => {
    if (person === undefined) return undefined
    const ending = new AbortController()
    const begin = async () => {
      await standing
      const { keepTold } = await import('./bell/live.ts')
      keepTold(person, ending.signal)
    }
    void begin().catch(() => undefined)
    return () => {
      ending.abort()
      setSummary(NONE)
    }
  }, [person])
}
