import { useSyncExternalStore } from 'react'
import type { Actor } from '#kernel/roles.ts'
import { ownerKeyOf } from '../offline/owner.ts'
import { queryClient } from './query.ts'
import { actorOf, type Me, type SessionState, session } from './session.ts'

/** The person last signed in: an open page stays theirs while they sign in again. */
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
  // Another tab has signed in as somebody else, and this tab got their session: reload instead of showing one person's
  // data to another.
  if (last && !adopting && ownerKeyOf(last) !== ownerKeyOf(state.me)) location.reload()
  last = state.me
})

/**
 * Switches the signed-in person deliberately. The former person's screen disappears first, so that nothing on it is
 * requested as the new person; `go` navigates to the new person's first page.
 */
export async function switchSession(change: () => void, go: () => unknown): Promise<void> {
  setAdopting(true)
  await new Promise((done) => setTimeout(done))
  queryClient.clear()
  change()
  // The router arrives at the new page before React renders it.
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

/** Called once the new page is on the screen. */
export const markPageShown = (): void => arrived?.()

/** True while one person is being replaced by another and there is nothing to show. */
export const useIsSwitchingUser = (): boolean => useSyncExternalStore(subscribe, () => adopting)

export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, session.get)

/** The signed-in person, or the person whose session has just ended. */
export function useMaybeMe(): Me | undefined {
  const state = useSession()
  return state.kind === 'in' ? state.me : last
}

/** The signed-in person; only for pages that ask for sign-in. */
export function useMe(): Me {
  const me = useMaybeMe()
  if (!me) throw new Error('This page requires a signed-in user.')
  return me
}

export const useActor = (): Actor => actorOf(useMe())
