import { type ReactNode, useContext, useEffect } from 'react'
import { type Location, useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { DialogContext } from './dialog-context.ts'

/** What is asked before a page with unsaved work is left. */
interface Asking {
  readonly title: string
  readonly question: string
  readonly action: string
  readonly meaning: 'stop' | 'attention'
  /** Places that may be gone to without asking. */
  readonly lets?: (next: Location) => boolean
}

const LOST: Asking = {
  title: 'Unsaved changes',
  question: 'What you changed here is not saved. Leave the page without saving it?',
  action: 'Leave without saving',
  meaning: 'stop',
}

/**
 * Asks before unsaved work is lost: on closing the dialog around it, on going to another page, on closing the tab.
 * Render what it returns.
 */
export function useUnsaved(dirty: boolean, { lets, ...words }: Asking = LOST): ReactNode {
  const dialog = useContext(DialogContext)
  useEffect(() => (dirty ? dialog?.unsaved() : undefined), [dirty, dialog])
  useEffect(() => {
    if (!dirty) return
    const stay = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [dirty])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty && currentLocation.pathname !== nextLocation.pathname && !lets?.(nextLocation),
  )
  return (
    <ConfirmDialog
      {...words}
      opened={blocker.state === 'blocked'}
      cancel="Stay here"
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
