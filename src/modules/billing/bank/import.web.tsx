import { Alert, Button, Checkbox, FileButton, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { usePaymentMutation } from '../payments/data.web.ts'
import { bankStatement, STATEMENT_COLUMNS, type StatementColumn, type StatementMapping } from './bank-line.ts'

type Statement = RecordOf<typeof bankStatement>

/** A request to import a file. */
interface ImportRequest {
  readonly file: File
  readonly check?: 'new' | 'always'
  readonly mapping?: StatementMapping
}

/** Columns of a file that the user must check, as returned by the API. */
interface UncheckedColumns {
  readonly file: File
  readonly message: string
  readonly headings: readonly string[]
  readonly sample: readonly (readonly string[])[]
  readonly values: Readonly<Record<string, readonly string[]>>
  readonly mapping: StatementMapping
}

function uploadStatement({ file, check, mapping }: ImportRequest): Promise<Statement> {
  const form = new FormData()
  if (check) form.append('check', check)
  if (mapping) form.append('mapping', JSON.stringify(mapping))
  form.append('file', file)
  return callApi<Statement>('POST', bankStatement.url, form)
}

/** Returns the columns in an error response; undefined if the error is not about columns. */
const columnsIn = (error: unknown, file: File): UncheckedColumns | undefined =>
  error instanceof ApiError && Array.isArray(error.more.headings)
    ? ({ ...error.more, file, message: error.message } as unknown as UncheckedColumns)
    : undefined

const ACCEPTED = '.csv,.txt,.tsv,.ofx,.qfx,.qif,.xml,.sta,.mt940,.940,text/csv'

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

/**
 * Imports a statement and reports the numbers of new, repeated, left out and unreadable lines. The user first checks
 * new or unknown columns.
 */
export function StatementImport() {
  const [checksAlways, setChecksAlways] = useState(false)
  const [columns, setColumns] = useState<UncheckedColumns>()
  const [failure, setFailure] = useState<Error | null>(null)
  const reset = useRef<() => void>(null)
  const send = usePaymentMutation(uploadStatement)
  const start = (request: ImportRequest) => {
    setFailure(null)
    send.mutate(request, {
      onSuccess: () => setColumns(undefined),
      onError: (error) => {
        const unchecked = request.mapping ? undefined : columnsIn(error, request.file)
        setColumns((before) => unchecked ?? before)
        setFailure(unchecked ? null : error)
      },
      onSettled: () => reset.current?.(),
    })
  }
  const made = send.data
  return (
    <Stack gap="sm">
      <Group>
        <FileButton
          resetRef={reset}
          accept={ACCEPTED}
          onChange={(file) => file && start({ file, check: checksAlways ? 'always' : 'new' })}
        >
          {(props) => (
            <Button {...props} leftSection={<IconUpload size={16} aria-hidden />} loading={send.isPending}>
              Import statement
            </Button>
          )}
        </FileButton>
        <Checkbox
          label="Check the columns first"
          checked={checksAlways}
          onChange={(e) => setChecksAlways(e.currentTarget.checked)}
        />
      </Group>
      <Text size="sm">
        A file from your bank: CSV, OFX, QIF, CAMT.053 or MT940, with at most 20,000 lines. No payment is recorded until
        you confirm.
      </Text>
      <div role="status">{made && <ImportResult of={made} />}</div>
      {!columns && <ImportErrorAlert error={failure} />}
      <Dialog
        opened={columns !== undefined}
        onClose={() => setColumns(undefined)}
        title={columns ? `Columns of ${columns.file.name}` : ''}
        size="52rem"
      >
        {columns && (
          <ColumnsForm
            columns={columns}
            error={failure}
            isSending={send.isPending}
            onCancel={() => setColumns(undefined)}
            onDone={(mapping) => start({ file: columns.file, mapping })}
          />
        )}
      </Dialog>
    </Stack>
  )
}

/** Error that says what to do with the file or its columns. */
function ImportErrorAlert({ error }: { readonly error: Error | null }) {
  if (!error) return null
  const messages = error instanceof ApiError ? error.violations.map(({ message }) => message) : []
  return (
    <Alert color="red" role="alert" title="Not imported">
      {messages.join(' ') || errorSentence(error)}
    </Alert>
  )
}

const ImportResult = ({ of }: { readonly of: Statement }) => (
  <Alert color={of.problems.length || of.alike ? 'yellow' : 'green'} title={of.name}>
    {count(of.lines, 'line is', 'lines are')} new.
    {of.alike > 0 &&
      ` ${count(of.alike, 'of them may repeat a payment', 'of them may repeat payments')} of an earlier statement: check before you record ${of.alike === 1 ? 'it' : 'them'}.`}
    {of.known > 0 &&
      ` ${count(of.known, 'was', 'were')} in an earlier statement and ${of.known === 1 ? 'is' : 'are'} not added again.`}
    {of.outgoing > 0 && ` ${count(of.outgoing, 'is', 'are')} outgoing and ignored.`}
    {(of.leftOut.length > 0 || of.problems.length > 0) && (
      <ul>
        {of.leftOut.map(({ why, lines }) => (
          <li key={why}>
            {why}: {count(lines, 'line', 'lines')} left out
          </li>
        ))}
        {of.problems.map(({ line, why }) => (
          <li key={line}>
            Line {line}: {why}
          </li>
        ))}
      </ul>
    )}
  </Alert>
)

const MEANINGS = [{ value: '', label: 'Not imported' }, ...STATEMENT_COLUMNS.map((column) => ({ ...column }))]
const DIRECTIONS = [
  { value: '', label: 'Choose' },
  { value: 'moneyIn', label: 'Money in' },
  { value: 'moneyOut', label: 'Money out' },
]
/** Number of values that are shown for each column. */
const SHOWN_VALUES = 3

interface ColumnsFormProps {
  readonly columns: UncheckedColumns
  readonly error: Error | null
  readonly isSending: boolean
  readonly onCancel: () => void
  readonly onDone: (mapping: StatementMapping) => void
}

/** Form in which the user states the meaning of each column of a CSV file. */
function ColumnsForm({
  columns: { headings, sample, values, mapping, message },
  error,
  isSending,
  onCancel,
  onDone,
}: ColumnsFormProps) {
  const [meanings, setMeanings] = useState<Readonly<Record<string, string>>>(mapping.columns)
  const [words, setWords] = useState<Readonly<Record<string, string>>>({
    ...Object.fromEntries((mapping.moneyIn ?? []).map((word) => [word, 'moneyIn'])),
    ...Object.fromEntries((mapping.moneyOut ?? []).map((word) => [word, 'moneyOut'])),
  })
  const [isTried, setTried] = useState(false)
  const direction = headings.find((heading) => meanings[heading] === 'direction')
  const directionWords = (direction !== undefined && values[direction]) || []
  const missing = directionWords.filter((word) => !words[word])
  const firstMissing = useRef<HTMLSelectElement>(null)
  const submit = () => {
    setTried(true)
    if (missing.length) {
      firstMissing.current?.focus({ preventScroll: true })
      firstMissing.current?.scrollIntoView({ block: 'center' })
      return
    }
    const chosen = headings.flatMap((heading) => (meanings[heading] ? [[heading, meanings[heading]] as const] : []))
    const wordsFor = (side: string) => directionWords.filter((word) => words[word] === side)
    onDone({
      columns: Object.fromEntries(chosen) as Record<string, StatementColumn>,
      ...(direction === undefined ? {} : { moneyIn: wordsFor('moneyIn'), moneyOut: wordsFor('moneyOut') }),
    })
  }
  return (
    <>
      <Stack gap="md">
        <Text>{message}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {headings.map((heading, n) => (
            <NativeSelect
              key={heading}
              label={heading}
              description={
                sample
                  .map((row) => row[n])
                  .filter(Boolean)
                  .slice(0, SHOWN_VALUES)
                  .join(' · ') || 'Empty'
              }
              data={MEANINGS}
              value={meanings[heading] ?? ''}
              onChange={(e) => setMeanings({ ...meanings, [heading]: e.currentTarget.value })}
            />
          ))}
        </SimpleGrid>
        {directionWords.length > 0 && (
          <SimpleGrid cols={{ base: 1, sm: 2 }} role="group" aria-label={`Words in ${direction}`}>
            {directionWords.map((word) => (
              <NativeSelect
                key={word}
                ref={word === missing[0] ? firstMissing : undefined}
                label={`“${word}” means`}
                data={DIRECTIONS}
                value={words[word] ?? ''}
                error={isTried && !words[word] ? 'Choose money in or money out' : undefined}
                onChange={(e) => setWords({ ...words, [word]: e.currentTarget.value })}
              />
            ))}
          </SimpleGrid>
        )}
        <Text size="sm" c="dimmed">
          Your choice is used again for files with the same column headings.
        </Text>
        <ImportErrorAlert error={error} />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button loading={isSending} onClick={submit}>
          Import
        </Button>
      </DialogActions>
    </>
  )
}
