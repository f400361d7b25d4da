import { Alert, Button, Group, Text } from '@mantine/core'
import { ApiError } from '#web/api/client.ts'
import { sentence } from '#web/ui/say.ts'

interface FailureProps {
  readonly error: Error
  readonly onOver: () => void
  readonly onReload?: () => void
}

/** Nothing of what was typed is lost, whatever happened. */
export function SaveFailure({ error, onOver, onReload }: FailureProps) {
  if (error instanceof ApiError && error.status === 412)
    return (
      <Alert color="yellow" role="alert" title="Somebody else has changed this quote since you opened it">
        <Text size="sm">What you typed is still here. Look at theirs first, or keep yours.</Text>
        <Group mt="sm">
          {onReload && (
            <Button variant="default" onClick={onReload}>
              Show theirs
            </Button>
          )}
          <Button onClick={onOver}>Keep mine</Button>
        </Group>
      </Alert>
    )
  const messages =
    error instanceof ApiError && error.violations.length ? error.violations.map((v) => v.message) : [sentence(error)]
  return (
    <Alert color="red" role="alert" title="Not saved. What you typed is still here.">
      {[...new Set(messages)].map((m) => (
        <div key={m}>{m}</div>
      ))}
    </Alert>
  )
}
