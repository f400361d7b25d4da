import { ActionIcon, type ActionIconProps, type ElementProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import css from './timeline.module.css'

export const NoteMenuButton = (props: ActionIconProps & ElementProps<'button', keyof ActionIconProps>) => (
  <ActionIcon className={css.noteMenu} variant="subtle" color="gray" aria-label="Actions for this note" {...props}>
    <IconDots size={16} aria-hidden />
  </ActionIcon>
)
