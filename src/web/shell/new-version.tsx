import { Affix, Button, CloseButton, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { useNewVersion } from './worker.ts'

/** Quiet: it waits until the person has a moment. */
export function NewVersion() {
  const reload = useNewVersion()
  const [later, setLater] = useState(false)
  if (!reload || later) return null
  return (
    <Affix position={{ bottom: 72, right: 16 }} role="status">
      <Paper withBorder shadow="md" p="xs" ps="md">
        <Group gap="sm">
          <Text size="sm">A new version is ready</Text>
          <Button size="xs" onClick={reload}>
            Reload
          </Button>
          <CloseButton aria-label="Later" onClick={() => setLater(true)} />
        </Group>
      </Paper>
    </Affix>
  )
}
