import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import css from './still-right.module.css'

interface Props {
  /** What is asked about. */
  readonly name: string
  readonly question: string
  readonly onConfirm: (pressed: HTMLElement) => void
  readonly tabIndex?: number
}

/** Asks about something that came with a copy, until somebody says that it holds here. */
export const StillRight = ({ name, question, onConfirm, tabIndex }: Props) => (
  <div className={css.ask}>
    <IconCopy size={16} aria-hidden />
    <span>{question}</span>
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconCheck size={16} aria-hidden />}
      aria-label={`Still right: ${name}`}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={(e) => onConfirm(e.currentTarget)}
    >
      Still right
    </Button>
  </div>
)
