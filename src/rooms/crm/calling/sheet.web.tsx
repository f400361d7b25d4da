import { Button, Drawer } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import css from './calling.module.css'
import type { Sending } from './use-outcome.web.ts'

/** The outcomes on a phone: a sheet from the bottom, opened by the thumb. */
export function OutcomeSheet({ children, sending }: { readonly children: ReactNode; readonly sending: Sending }) {
  const [opened, setOpened] = useState(false)
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
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        position="bottom"
        size="auto"
        title="How did the call end?"
        classNames={{ content: css.sheet ?? '', body: css.sheetBody ?? '' }}
      >
        {children}
      </Drawer>
    </>
  )
}
