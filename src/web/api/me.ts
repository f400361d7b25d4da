import { useSyncExternalStore } from 'react'
import type { Actor } from '#kernel/roles.ts'
import { ownerOf } from '../offline/owner.ts'
import { queries } from './query.ts'
import { actorOf, type Me, type State, session } from './session.ts'

/** The last person known: a page that is open stays theirs while they sign in again. */
let last: Me | undefined = session.me()
let adopting = false
let arrived: (() => void) | undefined
const LONGEST = 1000
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
  // Another tab signed in as somebody else, and this one was renewed as them: nothing on screen is theirs.
  if (last && !adopting && ownerOf(last) !== ownerOf(state.me)) location.reload()
  last = state.me
})

/**
 * Becomes another person, or nobody, on purpose. What the former one saw leaves the screen first, so that nothing of it is
 * asked for again in the other's name; `go` leads to where the next one begins.
 */
export async function adoptSession(change: () => void, go: () => unknown): Promise<void> {
  setAdopting(true)
  await new Promise((done) => setTimeout(done))
  queries.clear()
  change()
  // The router has arrived before React shows where.
  const shown = new Promise<void>((done) => {
    arrived = done
  })
  try {
    await go()
    await Promise.race([shown, new Promise((done) => setTimeout(done, LONGEST))])
  } finally {
    setAdopting(false)
  }
}

/** The page that was navigated to is on the screen. */
export const arrive = (): void => arrived?.()

/** Between two persons, when there is nothing to show. */
export const useBecoming = (): boolean => useSyncExternalStore(subscribe, () => adopting)

export const useSession = (): State => useSyncExternalStore(session.subscribe, session.get)

/** The signed-in person, or the one whose session has just ended. */
export function useMaybeMe(): Me | undefined {
  const state = useSession()
  return state.kind === 'in' ? state.me : last
}

/** The signed-in person; only for pages that ask for sign-in. */
export function useMe(): Me {
  const me = useMaybeMe()
  if (!me) throw new Error('This page needs somebody signed in.')
  return me
}

export const useActor = (): Actor => actorOf(useMe())
