import { Alert, Button, Group } from '@mantine/core'
import { IconCopyCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'

interface Props {
  /** Message from the server. */
  readonly message: string
  /** Uses the existing record. Undefined if the form renames a record rather than creating one. */
  readonly onUse: (() => void) | undefined
  readonly onKeep: () => void
  readonly busy: boolean
}

/** Notice that a record with the same name exists. The person can use the existing record, or keep both. */
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
            Use the existing record
          </Button>
        )}
        <Button variant="default" loading={busy} onClick={onKeep}>
          Keep both
        </Button>
      </Group>
    </Alert>
  )
}
