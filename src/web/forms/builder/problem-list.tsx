import { Text } from '@mantine/core'
import { ApiError } from '../../api/client.ts'
import { errorSentence } from '../../ui/toast.ts'

/** Returns the reasons why a form was not saved, one sentence for each. */
export const formProblemsOf = (error: unknown): string[] => {
  const messages = error instanceof ApiError ? error.violations.map((v) => v.message) : []
  return messages.length ? [...new Set(messages)] : [errorSentence(error)]
}

export const FormProblemList = ({ problems }: { readonly problems: readonly string[] }) =>
  problems.length > 0 && (
    <div role="alert">
      {problems.map((problem) => (
        <Text key={problem} c="var(--mantine-color-error)" size="sm">
          {problem}
        </Text>
      ))}
    </div>
  )
