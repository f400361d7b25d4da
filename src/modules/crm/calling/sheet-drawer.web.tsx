import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useOpenAfterRender } from '#web/ui/overlays/use-opened.ts'
import css from './calling.module.css'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

export default function OutcomeDrawer({ opened, onClose, children }: Props) {
  return (
    <Drawer
      opened={useOpenAfterRender(opened, onClose)}
      onClose={onClose}
      position="bottom"
      size="auto"
      title="How did the call end?"
      classNames={{ content: css.sheet ?? '', body: css.sheetBody ?? '' }}
    >
      {children}
    </Drawer>
  )
}
