import { Button } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { standing } from '#web/shell/standing.ts'
import { useEver } from '#web/ui/use-ever.ts'
import css from './calling.module.css'
import type { Sending } from './sendings.web.ts'

const drawer = () => import('./sheet-drawer.web.tsx')
const SheetDrawer = lazy(drawer)

/** The outcomes on a phone: a sheet from the bottom, opened by the thumb. */
export function OutcomeSheet({ children, sending }: { readonly children: ReactNode; readonly sending: Sending }) {
  const [opened, setOpened] = useState(false)
  const wasOpened = useEver(opened)
  useEffect(() => {
    void standing.then(drawer).catch(() => undefined)
  }, [])
  return (
    <>
      <div className={css.bar}>
        <Button
          fullWidth
          size="lg"
          aria-haspopup="dialog"
          leftSection={<IconChecklist size={20} aria-hidden />}
          onClick={() => setOpened(true)}
        >
          {sending.kind === 'failed' ? 'Not saved: try again' : 'How did it end?'}
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
