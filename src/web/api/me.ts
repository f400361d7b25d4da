import { useSyncExternalStore } from 'react'
import type { Actor } from '#kernel/roles.ts'
import { ownerKeyOf } from '../offline/owner.ts'
import { queryClient } from './query.ts'
import { actorOf, type Me, type SessionState, session } from './session.ts'

/** Person who last signed in. An open page still belongs to this person while they sign in again. */
let last: Me | undefined = session.me()
let adopting = false
let arrived: (() => void) | undefined
const MAX_NAVIGATION_MS = 1000
const listeners = new Set<() => void>()
const subscribe = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}
const setAdopting = (on: boolean) => {
  adopting = on
  for (const l of listeners) l()
}
session.subscribe(() => {
  const state = session.get()
  if (state.kind === 'out' && !state.expired) last = undefined
  if (state.kind !== 'in') return
  // Reloads the page if another tab has signed in as somebody else. This tab now has that person's session, and must
  // not show the previous person's data.
  if (last && !adopting && ownerKeyOf(last) !== ownerKeyOf(state.me)) location.reload()
  last = state.me
})

/**
 * Switches to another person's session on request. The previous person's screen is removed first, to prevent requests
 * for its data as the new person. `go` navigates to the new person's first page.
 */
export async function switchSession(change: () => void, go: () => unknown): Promise<void> {
  setAdopting(true)
  await new Promise((done) => setTimeout(done))
  queryClient.clear()
  change()
  // The router reaches the new page before React renders it, so wait until the page is on screen.
  const shown = new Promise<void>((done) => {
    arrived = done
  })
  try {
    await go()
    await Promise.race([shown, new Promise((done) => setTimeout(done, MAX_NAVIGATION_MS))])
  } finally {
    setAdopting(false)
  }
}

export const markPageShown = (): void => arrived?.()

/** Returns true during a switch from one person to another, while there is nothing to show. */
export const useIsSwitchingUser = (): boolean => useSyncExternalStore(subscribe, () => adopting)

export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, session.get)

/** Returns the signed-in person, or the person whose session has just ended. */
export function useMaybeMe(): Me | undefined {
  const state = useSession()
  return state.kind === 'in' ? state.me : last
}

/** Returns the signed-in person. Use it only on pages that require sign-in. */
export function useMe(): Me {
  const me = useMaybeMe()
  if (!me) throw new Error('This page requires a signed-in user.')
  return me
}

export const useActor = (): Actor => actorOf(useMe())
