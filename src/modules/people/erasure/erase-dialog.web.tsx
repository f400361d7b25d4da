import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { RowsTable } from '#web/lists/rows-table.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { employee } from '../employees/employee.ts'
import type { employeeRecord } from '../employees/employee-record.ts'
import { useRefreshEmployees } from '../refresh.web.ts'
import { type ErasureReport, retainedDataUrl } from './erasure.ts'

interface Props {
  readonly record: RecordOf<typeof employeeRecord>
  readonly onClose: () => void
}

const { erase } = employee.actions ?? {}

/** Shows the data that remains after the identity of a former employee is erased, and erases it once confirmed. */
export function EraseDialog({ record, onClose }: Props) {
  const refresh = useRefreshEmployees()
  const url = retainedDataUrl(record.id)
  const report = useQuery({ queryKey: [url], queryFn: () => callApi<ErasureReport>('GET', url) })
  const [isConfirmed, setIsConfirmed] = useState(false)
  const action = useMutation({
    mutationFn: () => callApi('POST', `${employee.url}/${record.id}/${erase?.path}`, { confirmed: true }),
    onSuccess: () => {
      refresh()
      toast.saved(`Former employee ${record.id}`)
      onClose()
    },
    onError: (error) => toast.failed(error),
  })
  const { retained = [], replaced = [], refusal = '' } = report.data ?? {}
  return (
    <Dialog opened onClose={onClose} title={`Erase the identity of ${record.name}`} size="xl">
      <Stack gap="md">
        <Text size="sm">
          Name, contact details, date of birth, bank details and emergency contacts are removed from the record and the
          account. The records below remain under the name “Former employee {record.id}”. Sealed evidence never changes:
          signatures, completed documents and forms, and accident book entries show the name as it was entered, as do
          the audit trail, sent e-mails, the user name and free text.
        </Text>
        {report.isPending && <LoadingRows rows={3} />}
        {report.isError && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
        {retained.length > 0 && (
          <RowsTable
            label="Retained data"
            empty=""
            heads={['Remains', 'Records', 'Rule', 'Identity stored until']}
            rows={retained.map(({ data, count, rule, reference, until }) => ({
              key: data,
              words: data,
              cells: [data, count, `${rule} (${reference})`, formatIsoDateAsUk(until)],
            }))}
          />
        )}
        {replaced.length > 0 && (
          <RowsTable
            label="Names that are replaced"
            empty=""
            heads={['Name replaced in', 'Records']}
            rows={replaced.map(({ data, count }) => ({ key: data, words: data, cells: [data, count] }))}
          />
        )}
        {refusal ? (
          <Alert color="signal">{refusal}</Alert>
        ) : (
          report.data && (
            <Checkbox
              label={erase?.input?.confirmed?.label}
              checked={isConfirmed}
              onChange={(e) => setIsConfirmed(e.currentTarget.checked)}
            />
          )
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {report.data && !refusal && (
            <Button color="red" disabled={!isConfirmed} loading={action.isPending} onClick={() => action.mutate()}>
              Erase identity
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
