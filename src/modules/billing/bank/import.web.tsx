import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import type { RecordOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { usePaymentMutation } from '../payments/data.web.ts'
import { ActionErrorAlert } from '../payments/refund-form.web.tsx'
import { bankStatement } from './bank-line.ts'

type Statement = RecordOf<typeof bankStatement>

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

/** Uploads a file and reports the numbers of new, already imported and unreadable lines. */
export function StatementImport() {
  const send = usePaymentMutation(async (file: File) =>
    callApi<Statement>('POST', bankStatement.url, { name: file.name, text: await file.text() }),
  )
  const made = send.data
  return (
    <Stack gap="sm">
      <Group>
        <FileButton accept=".csv,.txt,text/csv" onChange={(file) => file && send.mutate(file)}>
          {(props) => (
            <Button {...props} leftSection={<IconUpload size={16} aria-hidden />} loading={send.isPending}>
              Import statement
            </Button>
          )}
        </FileButton>
        <Text size="sm">
          A CSV file with columns for the date, the amount and the reference. Nothing is recorded until you confirm.
        </Text>
      </Group>
      <div role="status">
        {made && (
          <Alert color={made.problems.length ? 'yellow' : 'green'} title={made.name}>
            {count(made.lines, 'line is', 'lines are')} new.
            {made.known > 0 &&
              ` ${count(made.known, 'was', 'were')} in an earlier statement and ${made.known === 1 ? 'is' : 'are'} not added again.`}
            {made.outgoing > 0 && ` ${count(made.outgoing, 'is', 'are')} outgoing and ignored.`}
            {made.problems.length > 0 && (
              <ul>
                {made.problems.map(({ line, why }) => (
                  <li key={line}>
                    Line {line}: {why}
                  </li>
                ))}
              </ul>
            )}
          </Alert>
        )}
      </div>
      <ActionErrorAlert error={send.error} title="Not imported" />
    </Stack>
  )
}
