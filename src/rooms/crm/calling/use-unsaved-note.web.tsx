import { type ReactNode, useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { SETTLED } from './use-outcome.web.ts'

/** Says that a note is not saved before its lead is left; what was typed stays as a draft. Render what it returns. */
export function useUnsavedNote(dirty: boolean): ReactNode {
  useEffect(() => {
    if (!dirty) return
    const stay = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [dirty])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty &&
      currentLocation.pathname !== nextLocation.pathname &&
      !(nextLocation.state as Partial<typeof SETTLED> | null)?.settled,
  )
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      title="Your note is not saved"
      question="It stays here as a draft, in this browser tab only, until you come back to the lead and add it."
      action="Leave it as a draft"
      cancel="Stay here"
      meaning="attention"
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
