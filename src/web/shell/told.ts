import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { hasStoredDecisions } from '../api/decisions.ts'
import type { Me } from '../api/session.ts'
import { offlineOwner, ownerOf } from '../offline/owner.ts'
import { NONE, setSummary } from './bell/summary.ts'
import { standing } from './standing.ts'

/** Keeps the count of notices true from when the first screen stands. Whoever works as somebody else is told nothing. */
export function useTold(me: Me | undefined): void {
  const person = offlineOwner(me)
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

/** Tells of what was decided and left without an answer, once the first screen stands. */
export function useLeftDecisions(me: Me | undefined): void {
  const navigate = useNavigate()
  const go = useEffectEvent((to: string) => void navigate(to))
  const owner = me && ownerOf(me)
  useEffect(() => {
    if (owner === undefined || !hasStoredDecisions()) return
    void standing
      .then(() => import('./left-decisions.ts'))
      .then(({ tellLeft }) => tellLeft((to) => go(to)))
      .catch(() => undefined)
  }, [owner])
}
