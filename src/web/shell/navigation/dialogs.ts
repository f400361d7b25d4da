import { useSyncExternalStore } from 'react'
import { hasRole } from '#kernel/roles.ts'
import { actorOf, type Me } from '../../api/session.ts'

/** A client to preselect. */
export interface ClientChoice {
  readonly id: number
  readonly company: string
}

/** Dialogs of the shell: at most one is open, and each is a chunk loaded on first use. */
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

/** Closes the dialog and returns the focus to its former element, unless another element has it. */
export function closeDialog() {
  set(undefined)
  const back = opener
  setTimeout(() => {
    if (!current && document.activeElement === document.body && back instanceof HTMLElement)
      back.focus({ preventScroll: true })
  })
}

/** Opens "Work as a client", optionally with a client selected. */
export const openWorkAsDialog = (client?: ClientChoice) =>
  openDialog({ name: 'work-as', ...(client ? { client } : {}) })

export const useOpenDialog = () =>
  useSyncExternalStore(
    (l) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    () => current,
  )

/** Whether the user may impersonate a user of a client. */
export const canWorkAs = (me: Me): boolean => !me.isImpersonating && hasRole(actorOf(me), 'ROLE_STAFF')
