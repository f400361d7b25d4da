import { Alert, Button, Group } from '@mantine/core'
import { IconCopyCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'

interface Props {
  /** The server's message. */
  readonly message: string
  /** Uses the existing record; undefined if a record is only renamed. */
  readonly onUse: (() => void) | undefined
  readonly onKeep: () => void
  readonly busy: boolean
}

/** Notice that a record with the same name exists: use the existing one, or keep both. */
export function DuplicateNameNotice({ message, onUse, onKeep, busy }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      role="alert"
      color="yellow"
      title="Name already in use"
      icon={<IconCopyCheck aria-hidden />}
    >
      {message}
      <Group gap="sm" mt="sm">
        {onUse && (
          <Button variant="default" onClick={onUse}>
            Use the existing one
          </Button>
        )}
        <Button variant="default" loading={busy} onClick={onKeep}>
          Keep both
        </Button>
      </Group>
    </Alert>
  )
}
