import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import type { ToAssign } from './assign.web.tsx'

const Assign = lazy(() => import('./assign.web.tsx'))

/** `const [dialog, giveOut] = useAssign()`: render `dialog`; `giveOut(which)` opens it. */
export function useAssign(): readonly [ReactNode, (which: ToAssign) => void] {
  const [which, setWhich] = useState<ToAssign>()
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  const dialog = (
    <Dialog opened={opened} onClose={close} title="Give leads out" size="34rem" onReset={() => setWhich(undefined)}>
      {which && (
        <Suspense>
          <Assign which={which} onClose={close} />
        </Suspense>
      )}
    </Dialog>
  )
  return [
    dialog,
    (asked) => {
      setWhich(asked)
      setOpened(true)
    },
  ]
}
