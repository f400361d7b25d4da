import { type ReactNode, Suspense, useContext, useEffect, useLayoutEffect } from 'react'
import { type Location, useBlocker } from 'react-router'
import { DialogContext } from './dialog-context.ts'
import { lazyComponent } from './lazy-component.tsx'
import { useWasEverTrue } from './use-was-ever-true.ts'

const load = () => import('./confirm-dialog.tsx')
const ConfirmDialog = lazyComponent(async () => ({ default: (await load()).ConfirmDialog }))

/** The question asked before leaving a page with unsaved input. */
interface Asking {
  readonly title: string
  readonly question: string
  readonly action: string
  readonly meaning: 'stop' | 'attention'
  /** Allows some locations to be opened without asking. */
  readonly lets?: (next: Location) => boolean
}

const LOST: Asking = {
  title: 'Unsaved changes',
  question: 'Your changes are not saved. Leave the page without saving?',
  action: 'Leave without saving',
  meaning: 'stop',
}

/**
 * Asks before unsaved input is lost: when the surrounding dialog is closed, the person navigates away, or the tab is
 * closed. Render the returned element.
 */
export function useUnsavedChangesGuard(dirty: boolean, { lets, ...words }: Asking = LOST): ReactNode {
  const dialog = useContext(DialogContext)
  // In a layout effect, before painting: Back must ask as soon as the input is visible.
  useLayoutEffect(() => (dirty ? dialog?.unsaved() : undefined), [dirty, dialog])
  useEffect(() => {
    if (!dirty) return
    // Loaded in advance, so that it is also available offline.
    void load().catch(() => undefined)
    const stay = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [dirty])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty && currentLocation.pathname !== nextLocation.pathname && !lets?.(nextLocation),
  )
  const isAsked = blocker.state === 'blocked'
  const wasAsked = useWasEverTrue(isAsked)
  if (!wasAsked) return null
  return (
    <Suspense>
      <ConfirmDialog
        {...words}
        opened={isAsked}
        cancel="Stay on this page"
        onClose={() => blocker.reset?.()}
        onConfirm={() => blocker.proceed?.()}
      />
    </Suspense>
  )
}
