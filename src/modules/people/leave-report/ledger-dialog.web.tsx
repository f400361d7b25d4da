import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconFileTypePdf } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { canRunAction } from '#kernel/can.ts'
import { iriOf, type RecordOf, type Resource } from '#kernel/resource.ts'
import { fetchFile, saveToDisk } from '#web/api/file.ts'
import { useActor } from '#web/api/me.ts'
import { openPdf } from '#web/api/pdf.ts'
import { invalidateLists, useList } from '#web/api/resources.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { RowsTable } from '#web/lists/rows-table.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { leaveAccount } from '../leave/leave-account.ts'
import { leaveEntry } from '../leave/leave-entry.ts'
import { formatLeave, type LeaveReport, type LeaveReportRow } from './report.ts'

const MAX_ROWS = 500
const ACTIONS = ['adjust', 'carryOver', 'payInLieu'] as const

interface Props {
  readonly row: LeaveReportRow
  /** First day of the leave year. */
  readonly year: string
  readonly unit: LeaveReport['unit']
  readonly onClose: () => void
  readonly onChanged: () => void
}

/** Rows of an employee's leave year: how each figure is added up. */
export default function LedgerDialog({ row, year, unit, onClose, onChanged }: Props) {
  const actor = useActor()
  const queryClient = useQueryClient()
  const [action, setAction] = useState<(typeof ACTIONS)[number]>()
  const entries = useList(leaveEntry, { employee: row.employee, year, itemsPerPage: MAX_ROWS })
  const record = useMutation({
    mutationFn: async () => {
      const { bytes, name } = await fetchFile(`${iriOf(leaveAccount, row.employee)}/record.csv?year=${year}`)
      saveToDisk(bytes, name ?? 'leave-record.csv')
    },
    onError: (error) => toast.failed(error),
  })
  const pdf = useMutation({
    mutationFn: () => openPdf(`${iriOf(leaveAccount, row.employee)}/record.pdf?year=${year}`),
    onError: (error) => toast.failed(error),
  })
  const spec = action && leaveAccount.actions?.[action]
  const form: Resource | undefined = spec && {
    ...leaveAccount,
    url: `${iriOf(leaveAccount, row.employee)}/${spec.path}`,
    fields: spec.input,
  }
  return (
    <Dialog opened onClose={onClose} title={`Leave of ${row.name}`} addressed>
      {form && spec ? (
        <ResourceForm
          resource={form}
          decided
          action={spec.title}
          defaults={{ year }}
          onCancel={() => setAction(undefined)}
          onSaved={() => {
            setAction(undefined)
            toast.saved('leave')
            void invalidateLists(queryClient, leaveEntry)
            onChanged()
          }}
        />
      ) : (
        <Stack gap="md">
          {row.counted && <Text>Balance: {formatLeave(row.left, unit, row.dayMinutes)}, the sum of these rows.</Text>}
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              loading={record.isPending}
              onClick={() => record.mutate()}
            >
              Record of this year (CSV)
            </Button>
            <Button
              variant="default"
              leftSection={<IconFileTypePdf size={16} aria-hidden />}
              loading={pdf.isPending}
              onClick={() => pdf.mutate()}
            >
              Record of this year (PDF)
            </Button>
            {ACTIONS.filter((name) => canRunAction(actor, name, leaveAccount)).map((name) => (
              <Button key={name} variant="default" onClick={() => setAction(name)}>
                {leaveAccount.actions?.[name].title}
              </Button>
            ))}
          </Group>
          {entries.isPending && <LoadingRows rows={5} />}
          {entries.isError && <ErrorState error={entries.error} onRetry={() => void entries.refetch()} />}
          {entries.data && (
            <EntryTable entries={entries.data['hydra:member']} unit={unit} dayMinutes={row.dayMinutes} />
          )}
        </Stack>
      )}
    </Dialog>
  )
}

interface TableProps extends Pick<Props, 'unit'> {
  readonly entries: readonly RecordOf<typeof leaveEntry>[]
  readonly dayMinutes: number
}

const labelOf = (field: 'kind' | 'part', value: string | null): string =>
  leaveEntry.fields[field].options?.find((one) => one.value === value)?.label ?? ''

const EntryTable = ({ entries, unit, dayMinutes }: TableProps) => (
  <RowsTable
    label="Rows of the leave ledger"
    empty="No rows yet. The employee needs a start date and a work pattern."
    heads={['Recorded', 'Kind', 'Leave', 'Formula and reason']}
    rows={entries.map((one) => ({
      key: one.id,
      words: one.formula,
      cells: [
        formatIsoAsUkDateTime(one.createdAt),
        [labelOf('kind', one.kind), labelOf('part', one.part)].filter(Boolean).join(', '),
        formatLeave(one.minutes, unit, dayMinutes),
        <span key="formula" style={{ whiteSpace: 'pre-line' }}>
          {[one.formula, one.reason, one.expiresOn && `Use by ${formatIsoAsUkDate(one.expiresOn)}`]
            .filter(Boolean)
            .join('\n')}
        </span>,
      ],
    }))}
  />
)
