import { Alert, Button, Group, Text } from '@mantine/core'
import type { Violation } from '#kernel/errors.ts'
import { ApiError } from '#web/api/client.ts'
import { ErrorSummary } from '#web/forms/error-summary.tsx'
import { inputErrorSentence } from '#web/forms/sentence-for-input.ts'
import { type QuoteDraftLines, toFormError } from './draft.web.ts'

interface FailureProps {
  readonly error: Error
  readonly violations: readonly Violation[]
  readonly draft: QuoteDraftLines
  readonly attempt: number
  readonly onOver: () => void
  readonly onReload?: () => void
}

/** Save errors; input is kept, and each error links to its field. */
export function QuoteSaveFailure({ error, violations, draft, attempt, onOver, onReload }: FailureProps) {
  if (error instanceof ApiError && error.status === 412)
    return (
      <Alert color="yellow" role="alert" title="Somebody else has changed this quote since you opened it">
        <Text size="sm">Your changes are still here. Load the other version, or overwrite it with yours.</Text>
        <Group mt="sm">
          {onReload && (
            <Button variant="default" onClick={onReload}>
              Load their version
            </Button>
          )}
          <Button onClick={onOver}>Keep my version</Button>
        </Group>
      </Alert>
    )
  const errors = violations.length
    ? violations.map((v) => toFormError(v, draft))
    : [{ message: inputErrorSentence(error) }]
  return <ErrorSummary errors={errors} attempt={attempt} />
}
