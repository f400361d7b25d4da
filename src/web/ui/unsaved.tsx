import { type ReactNode, useContext, useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { DialogContext } from './dialog-context.ts'

/**
 * Asks before unsaved work is lost: on closing the dialog around it, on going to another page, on closing the tab.
 * Render what it returns.
 */
export function useUnsaved(dirty: boolean): ReactNode {
  const dialog = useContext(DialogContext)
  useEffect(() => (dirty ? dialog?.unsaved() : undefined), [dirty, dialog])
  useEffect(() => {
    if (!dirty) return
    const stay = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [dirty])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  )
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      title="Unsaved changes"
      question="What you changed here is not saved. Leave the page without saving it?"
      action="Leave without saving"
      cancel="Stay here"
      meaning="stop"
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
