import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import css from './still-right.module.css'

interface Props {
  readonly name: string
  /** The document that it was copied from. */
  readonly from: string
  readonly onConfirm: () => void
  readonly tabIndex?: number
}

/** Asks about the judgement of a hazard that came with a copy. */
export const StillRight = ({ name, from, onConfirm, tabIndex }: Props) => (
  <div className={css.ask}>
    <IconCopy size={16} aria-hidden />
    <span>{`Copied${from ? ` from ${from}` : ''}: are hazard, controls and judgement still right here?`}</span>
    <Button
      size="compact-md"
      variant="default"
      leftSection={<IconCheck size={16} aria-hidden />}
      aria-label={`Still right: ${name}`}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={onConfirm}
    >
      Still right
    </Button>
  </div>
)
