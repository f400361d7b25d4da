import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { callApi } from '../../api/client.ts'
import { type Me, session } from '../../api/session.ts'

const EVERY = 60_000

/**
 * Reloads the user's data on navigation, at most once a minute, so that changed permissions and an ended session apply
 * promptly.
 */
export function useRefreshMe(): void {
  const { pathname } = useLocation()
  const asked = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is the occasion
  useEffect(() => {
    const before = asked.current
    if (before === undefined || Date.now() - before >= EVERY) asked.current = Date.now()
    // The first page already has current data, from the sign-in or from the renewed session.
    if (before === undefined || before === asked.current) return
    callApi<Me>('GET', '/api/security/user_check').then(session.update, () => undefined)
  }, [pathname])
}
