import { Alert, Button, Group, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { formatIsoAsUkDateTime } from '../../dates/uk-dates.ts'
import type { Autosave } from './autosave.ts'

/** Notice that the form shows a restored draft that has not been saved. */
export function RestoredDraftNotice({ autosave }: { readonly autosave: Autosave }) {
  const restored = useSyncExternalStore(autosave.subscribe, autosave.restored)
  if (!restored) return null
  return (
    <Alert color="signal" role="status" title="Unsaved draft restored" icon={<IconHistory aria-hidden />}>
      <Text size="sm">{`You typed these changes on ${formatIsoAsUkDateTime(new Date(restored.at).toISOString())}, but they were not saved.`}</Text>
      <Group gap="sm" mt="xs">
        <Button size="xs" onClick={autosave.accept}>
          Keep draft
        </Button>
        <Button size="xs" variant="default" onClick={autosave.discard}>
          Use the saved version
        </Button>
      </Group>
    </Alert>
  )
}
