import { ActionIcon, type ActionIconProps, type ElementProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'

interface Props extends ActionIconProps, ElementProps<'button', keyof ActionIconProps> {
  readonly who: string
}

export const PersonMenuButton = ({ who, ...others }: Props) => (
  <ActionIcon size="lg" variant="subtle" color="gray" aria-label={`Actions for ${who}`} {...others}>
    <IconDots size={18} aria-hidden />
  </ActionIcon>
)
