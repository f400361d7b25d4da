import { type ReactNode, Suspense, useState } from 'react'
import { lazily } from '#web/ui/lazily.tsx'
import type { ToAssign } from './assign.web.tsx'

const AssignDialog = lazily(() => import('./assign-dialog.web.tsx'))

/** `const [dialog, giveOut] = useAssign()`: render `dialog`; `giveOut(which)` opens it. */
export function useAssign(): readonly [ReactNode, (which: ToAssign) => void] {
  const [which, setWhich] = useState<ToAssign>()
  const [opened, setOpened] = useState(false)
  const dialog = which && (
    <Suspense>
      <AssignDialog
        which={which}
        opened={opened}
        onClose={() => setOpened(false)}
        onReset={() => setWhich(undefined)}
      />
    </Suspense>
  )
  return [
    dialog,
    (asked) => {
      setWhich(asked)
      setOpened(true)
    },
  ]
}
