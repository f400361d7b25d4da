import { type ReactNode, Suspense, useContext, useEffect, useLayoutEffect } from 'react'
import { type Location, useBlocker } from 'react-router'
import { DialogContext } from './dialog-context.ts'
import { lazily } from './lazily.tsx'
import { useEver } from './use-ever.ts'

const load = () => import('./confirm-dialog.tsx')
const ConfirmDialog = lazily(async () => ({ default: (await load()).ConfirmDialog }))

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
  // Before it is seen: whoever sees what they have begun can go back.
  useLayoutEffect(() => (dirty ? dialog?.unsaved() : undefined), [dirty, dialog])
  useEffect(() => {
    if (!dirty) return
    // It must be there when it is wanted, with or without a connection.
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
  const wasAsked = useEver(isAsked)
  if (!wasAsked) return null
  return (
    <Suspense>
      <ConfirmDialog
        {...words}
        opened={isAsked}
        cancel="Stay here"
        onClose={() => blocker.reset?.()}
        onConfirm={() => blocker.proceed?.()}
      />
    </Suspense>
  )
}
