import { useSyncExternalStore } from 'react'
import { hasRole } from '#kernel/roles.ts'
import { actorOf, type Me } from '../../api/session.ts'

/** A client to begin with. */
export interface ClientChoice {
  readonly id: number
  readonly company: string
}

/** The shell's own dialogs: at most one is open, and each is a chunk that is fetched when first needed. */
export type OpenDialog =
  | { readonly name: 'palette' }
  | { readonly name: 'shortcuts' }
  | { readonly name: 'all-screens' }
  | { readonly name: 'work-as'; readonly client?: ClientChoice }
  | { readonly name: 'waiting' }
  | { readonly name: 'sign-out' }

let current: OpenDialog | undefined
const listeners = new Set<() => void>()
const set = (next: OpenDialog | undefined) => {
  current = next
  for (const l of listeners) l()
}

let opener: Element | null = null

export function openDialog(dialog: OpenDialog) {
  if (!current) opener = document.activeElement
  set(dialog)
}

/** The focus goes back to where it was, unless something else has taken it by then. */
export function closeDialog() {
  set(undefined)
  const back = opener
  setTimeout(() => {
    if (!current && document.activeElement === document.body && back instanceof HTMLElement)
      back.focus({ preventScroll: true })
  })
}

/** Opens "Work as a client", for a client already chosen or not. */
export const workAs = (client?: ClientChoice) => openDialog({ name: 'work-as', ...(client ? { client } : {}) })

export const useOpenDialog = () =>
  useSyncExternalStore(
    (l) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    () => current,
  )

/** May this person work as somebody of a client? */
export const mayWorkAs = (me: Me): boolean => !me.isImpersonating && hasRole(actorOf(me), 'ROLE_STAFF')
