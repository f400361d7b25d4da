import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import css from './still-right.module.css'

interface Props {
  /** Subject of the question, used in the accessible name. */
  readonly name: string
  readonly question: string
  readonly onConfirm: (pressed: HTMLElement) => void
  readonly tabIndex?: number
}

/** Question that asks the person to confirm copied content. */
export const CopyConfirmation = ({ name, question, onConfirm, tabIndex }: Props) => (
  <div className={css.ask}>
    <IconCopy size={16} aria-hidden />
    <span>{question}</span>
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconCheck size={16} aria-hidden />}
      aria-label={`Confirm: ${name}`}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={(e) => onConfirm(e.currentTarget)}
    >
      Confirm
    </Button>
  </div>
)
