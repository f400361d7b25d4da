import { type ReactNode, Suspense, useContext, useEffect, useLayoutEffect } from 'react'
import { type Location, useBlocker } from 'react-router'
import { DialogContext } from './dialog-context.ts'
import { lazyComponent } from './lazy-component.tsx'
import { useWasEverTrue } from './use-was-ever-true.ts'

const load = () => import('./confirm-dialog.tsx')
const ConfirmDialog = lazyComponent(async () => ({ default: (await load()).ConfirmDialog }))

/** Text of the question asked before the person leaves a page with unsaved input. */
interface Asking {
  readonly title: string
  readonly question: string
  readonly action: string
  readonly meaning: 'stop' | 'attention'
  /** Returns true for locations that may be opened without asking. */
  readonly lets?: (next: Location) => boolean
}

const LOST: Asking = {
  title: 'Unsaved changes',
  question: 'Your changes are not saved. Leave the page without saving?',
  action: 'Leave without saving',
  meaning: 'stop',
}

/**
 * Asks the person before unsaved input is lost: when they close the surrounding dialog, navigate away or close the tab.
 * Returns an element, which must be rendered.
 */
export function useUnsavedChangesGuard(dirty: boolean, { lets, ...words }: Asking = LOST): ReactNode {
  const dialog = useContext(DialogContext)
  // A layout effect runs before painting, so that Back asks for confirmation as soon as the input is visible.
  useLayoutEffect(() => (dirty ? dialog?.unsaved() : undefined), [dirty, dialog])
  useEffect(() => {
    if (!dirty) return
    // The dialog is loaded in advance, so that it is also available offline.
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
