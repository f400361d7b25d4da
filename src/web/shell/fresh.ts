import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { call } from '../api/client.ts'
import { type Me, session } from '../api/session.ts'

const EVERY = 60_000

/** On navigation, at most once a minute, asks who I am: rights given or taken since then show at once, and an ended session too. */
export function useFreshMe(): void {
  const { pathname } = useLocation()
  const asked = useRef(Date.now())
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is the occasion
  useEffect(() => {
    if (Date.now() - asked.current < EVERY) return
    asked.current = Date.now()
    call<Me>('GET', '/api/security/user_check').then(session.update, () => undefined)
  }, [pathname])
}
