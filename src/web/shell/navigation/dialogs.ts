import { useSyncExternalStore } from 'react'
import { hasRole } from '#kernel/roles.ts'
import { actorOf, type Me } from '../../api/session.ts'

/** Client to preselect. */
export interface ClientChoice {
  readonly id: number
  readonly company: string
}

/** Dialogs of the shell. At most one is open, and each is a chunk that is loaded on first use. */
export type ShellDialog =
  | { readonly name: 'palette' }
  | { readonly name: 'shortcuts' }
  | { readonly name: 'all-screens' }
  | { readonly name: 'work-as'; readonly client?: ClientChoice }
  | { readonly name: 'waiting' }
  | { readonly name: 'sign-out' }

let current: ShellDialog | undefined
const listeners = new Set<() => void>()
const set = (next: ShellDialog | undefined) => {
  current = next
  for (const l of listeners) l()
}

let opener: Element | null = null

export function openShellDialog(dialog: ShellDialog) {
  if (!current) opener = document.activeElement
  set(dialog)
}

/**
 * Closes the dialog and returns the focus to the element that had it before, unless another element has been focused
 * since.
 */
export function closeShellDialog() {
  set(undefined)
  const back = opener
  setTimeout(() => {
    if (!current && document.activeElement === document.body && back instanceof HTMLElement)
      back.focus({ preventScroll: true })
  })
}

/** Opens the "Work as a client" dialog, optionally with a client selected. */
export const openWorkAsDialog = (client?: ClientChoice) =>
  openShellDialog({ name: 'work-as', ...(client ? { client } : {}) })

export const useShellDialog = () =>
  useSyncExternalStore(
    (l) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    () => current,
  )

/** Returns true if the user may impersonate a user of a client. */
export const canWorkAsClientUser = (me: Me): boolean => !me.isImpersonating && hasRole(actorOf(me), 'ROLE_STAFF')
