import { Button } from '@mantine/core'
import { IconChecklist, IconLock } from '@tabler/icons-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { firstScreenReady } from '#web/shell/first-screen.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { useWasEverTrue } from '#web/ui/use-was-ever-true.ts'
import css from './calling.module.css'
import type { OutcomeState } from './outcome-machine.web.ts'

const drawer = () => import('./sheet-drawer.web.tsx')
const SheetDrawer = lazyComponent(drawer)

interface Props {
  readonly children: ReactNode
  readonly sending: OutcomeState
  /** Name of the colleague who is working the lead at the moment. Only that colleague can record the outcome. */
  readonly heldBy: string | undefined
}

/** Outcomes on a phone, as a bottom sheet. */
export function OutcomeBottomSheet({ children, sending, heldBy }: Props) {
  const [opened, setOpened] = useState(false)
  const wasOpened = useWasEverTrue(opened)
  useEffect(() => {
    void firstScreenReady.then(drawer).catch(() => undefined)
  }, [])
  return (
    <>
      <div className={css.bar}>
        <Button
          fullWidth
          size="lg"
          aria-haspopup="dialog"
          disabled={heldBy !== undefined}
          leftSection={heldBy ? <IconLock size={20} aria-hidden /> : <IconChecklist size={20} aria-hidden />}
          onClick={() => setOpened(true)}
        >
          {heldBy
            ? `In use by ${heldBy}`
            : sending.kind === 'failed'
              ? 'Outcome not saved. Try again'
              : 'How did the call end?'}
        </Button>
      </div>
      {wasOpened && (
        <Suspense>
          <SheetDrawer opened={opened} onClose={() => setOpened(false)}>
            {children}
          </SheetDrawer>
        </Suspense>
      )}
    </>
  )
}
