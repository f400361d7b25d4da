import { Text } from '@mantine/core'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { employee } from '../employees/employee.ts'
import type { employeeRecord } from '../employees/employee-record.ts'
import { useRefreshEmployees } from '../refresh.web.ts'
import { employeeJob } from './employee-job.ts'

interface Props {
  readonly record: RecordOf<typeof employeeRecord>
  readonly onClose: () => void
}

/** Dialog for a change of an employee's job from a day on. The form begins with the present job. */
export function JobDialog({ record, onClose }: Props) {
  const refresh = useRefreshEmployees()
  const { jobtitlename, department, manager, site } = record
  return (
    <Dialog opened onClose={onClose} title={`Change job of ${record.name}`} size="lg">
      <Text size="sm" mb="md">
        If the first day is in the future, the change takes effect on that day.
      </Text>
      <ResourceForm
        resource={employeeJob}
        fields={['from', 'jobtitlename', 'department', 'manager', 'site']}
        defaults={{ jobtitlename, department, manager, site }}
        extra={{ employee: iriOf(employee, record.id) }}
        decided
        action="Save change"
        done={() => `Change of ${record.name} saved`}
        onCancel={onClose}
        onSaved={() => {
          refresh()
          onClose()
        }}
      />
    </Dialog>
  )
}
