import { useSyncExternalStore } from 'react'
import type { Actor } from '#kernel/roles.ts'
import { actorOf, type Me, type State, session } from '../api/session.ts'
import { queries } from './query.ts'

/** The last person known: a page that is open stays theirs while they sign in again. */
let last: Me | undefined
let adopting = false
const personOf = (me: Me) => `${me.client.id}/${me.id}/${me.original?.id ?? ''}`

session.subscribe(() => {
  const state = session.get()
  if (state.kind === 'out' && !state.expired) last = undefined
  if (state.kind !== 'in') return
  // Another tab signed in as somebody else, and this one was renewed as them: nothing on screen is theirs.
  if (last && !adopting && personOf(last) !== personOf(state.me)) location.reload()
  last = state.me
})

/** Becomes another person on purpose, in `change`; nothing that the former one saw is kept. */
export function becoming(change: () => void): void {
  adopting = true
  queries.clear()
  change()
  adopting = false
}

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
