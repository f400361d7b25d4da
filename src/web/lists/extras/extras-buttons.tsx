import { ActionIcon, type ActionIconProps, Button, type ButtonProps, type ElementProps } from '@mantine/core'
import { IconBookmark, IconChevronDown, IconDownload } from '@tabler/icons-react'
import type { ListViews } from '../views/use-views.ts'
import css from './list-extras.module.css'

export const ICON_BUTTON_PROPS = { size: 32, variant: 'default' } as const

type ViewsProps = ButtonProps & ElementProps<'button', keyof ButtonProps> & { readonly views: ListViews }

/** Button that names the current view. */
export const ViewsButton = ({ views, ...rest }: ViewsProps) => (
  <Button
    variant={views.current ? 'light' : 'default'}
    size="compact-md"
    className={css.views ?? ''}
    leftSection={<IconBookmark size={16} aria-hidden />}
    rightSection={<IconChevronDown size={14} aria-hidden />}
    {...rest}
  >
    {views.current ? `View: ${views.current.name}${views.changed ? ', changed' : ''}` : 'Views'}
  </Button>
)

type ExportProps = ActionIconProps & ElementProps<'button', keyof ActionIconProps> & { readonly label: string }

export const ExportButton = ({ label, ...rest }: ExportProps) => (
  <ActionIcon {...ICON_BUTTON_PROPS} aria-label={`Export ${label}`} title="Export" {...rest}>
    <IconDownload size={18} aria-hidden />
  </ActionIcon>
)
