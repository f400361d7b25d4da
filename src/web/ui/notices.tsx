import { Button, Group, Text } from '@mantine/core'
import { IconArrowBackUp, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import type { Countdown } from './countdown.ts'
import { ShortcutKeys } from './keys/shortcut.tsx'
import css from './notices.module.css'

interface Props {
  readonly message: string
  readonly children?: ReactNode
}

const Beside = ({ message, children }: Props) => (
  <Group gap="sm" justify="space-between">
    <Text size="sm" flex="1 1 8rem">
      {message}
    </Text>
    {children}
  </Group>
)

export const RetryToast = ({ message, retry }: { readonly message: string; readonly retry?: () => void }) => (
  <Beside message={message}>
    {retry && (
      <Button
        size="xs"
        className={css.undo}
        variant="default"
        leftSection={<IconRefresh size={14} aria-hidden />}
        onClick={retry}
      >
        Retry
      </Button>
    )}
  </Beside>
)

/** Toast for an action that failed after it was shown as done, with a button that opens the record. */
export const OpenRecordToast = ({ message, open }: { readonly message: string; readonly open: () => void }) => (
  <Beside message={message}>
    <Button size="xs" className={css.undo} variant="default" onClick={open}>
      Open record
    </Button>
  </Beside>
)

/**
 * Toast for a completed action, with the number of seconds left to undo the action. The countdown pauses while the
 * pointer or the focus is on the toast.
 */
export function UndoToast({ message, countdown }: { readonly message: string; readonly countdown: Countdown }) {
  const left = useSyncExternalStore(countdown.subscribe, countdown.left)
  const isNewest = useSyncExternalStore(countdown.subscribe, countdown.isNewest)
  return (
    <Group
      gap="sm"
      justify="space-between"
      onPointerEnter={() => countdown.hold(true)}
      onPointerLeave={() => countdown.hold(false)}
      onFocus={() => countdown.hold(true)}
      onBlur={() => countdown.hold(false)}
    >
      <Text size="sm" flex="1 1 8rem">
        {message}
      </Text>
      <Button
        size="xs"
        className={css.undo}
        variant="default"
        leftSection={<IconArrowBackUp size={14} aria-hidden />}
        rightSection={
          <span aria-hidden className={css.left}>
            {left} s
          </span>
        }
        onClick={countdown.stop}
      >
        Undo {isNewest && <ShortcutKeys keys="mod+z" />}
      </Button>
    </Group>
  )
}
