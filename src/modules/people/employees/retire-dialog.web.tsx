import { Text } from '@mantine/core'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { useRefreshEmployees } from '../refresh.web.ts'
import { employee } from './employee.ts'
import type { employeeRecord } from './employee-record.ts'

interface Props {
  readonly record: RecordOf<typeof employeeRecord>
  readonly onClose: () => void
}

const { endEmployment, resumeEmployment } = employee.actions ?? {}
const urlOf = (id: number, path = '') => `${employee.url}/${id}/${path}`

/** Dialog that ends an employment, and with it the person's sessions and responsibilities. */
export function RetireDialog({ record, onClose }: Props) {
  const refresh = useRefreshEmployees()
  const resource: Resource = {
    ...employee,
    url: urlOf(record.id, endEmployment?.path),
    fields: endEmployment?.input ?? {},
  }
  return (
    <Dialog opened onClose={onClose} title={`Retire ${record.name}`} size="lg">
      <Text size="sm" mb="md">
        Their sessions end and their account is retired. Direct reports, departments and open corrective actions pass to
        the person you choose. Signatures, incidents and other evidence stay as they are.
      </Text>
      <ResourceForm
        resource={resource}
        defaults={{ leavingDate: record.leavingDate ?? londonToday(), successor: record.manager }}
        decided
        action="Retire"
        done={() => `${record.name}: last day saved`}
        onCancel={onClose}
        onSaved={() => {
          refresh()
          onClose()
        }}
      />
    </Dialog>
  )
}

/** Question before an employee returns, or before a planned last day is removed. */
export function ReturnDialog({ record, onClose }: Props) {
  const refresh = useRefreshEmployees()
  const restore = async () => {
    await callApi('POST', urlOf(record.id, resumeEmployment?.path), {})
    refresh()
    toast.saved(record.name)
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={restore}
      title={`Restore ${record.name}`}
      question="The last day and the reason are removed. The account stays retired until an administrator restores it under Users."
      action="Restore"
    />
  )
}
