import { Button } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { employeePath } from '../nav.ts'
import { firstOverviewDay } from '../overview/overview.ts'
import { employee } from './employee.ts'
import { employeeRecord } from './employee-record.ts'
import { EmployeeSearch } from './employee-search.web.tsx'

const ReturnDialog = lazyComponent(async () => ({ default: (await import('./retire-dialog.web.tsx')).ReturnDialog }))

const value = z.string().default('')
const LIST = listUrlSchema({
  forename: value,
  surname: value,
  email: value,
  retired: z.enum(['', 'true', 'false']).default('true'),
  leavingReason: value,
  department: value,
  left: value,
})

type Employee = RecordOf<typeof employeeRecord>

/** Employees who have left, with the reason. */
export default function RetiredEmployees() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [returning, setReturning] = useState<Employee>()
  return (
    <Page title="Retired employees">
      <DataList
        resource={employeeRecord}
        label="Retired employees"
        state={state}
        onState={set}
        search="Search by name"
        actions={<EmployeeSearch state={state} onState={set} retired />}
        filters={[
          'leavingReason',
          'department',
          {
            key: 'left',
            label: 'Left',
            options: [
              {
                value: 'recently',
                label: 'In the last 12 months',
                asks: { left: '', 'leavingDate[after]': firstOverviewDay(londonToday()) },
              },
            ],
          },
        ]}
        columns={[
          { key: 'name', title: 'Name', link: true, order: 'forename' },
          { key: 'jobtitlename', wide: true },
          { key: 'department', wide: true },
          'leavingDate',
          'leavingReason',
        ]}
        href={(one: Employee) => employeePath(one.id)}
        rowActions={(one: Employee) =>
          one.retired &&
          can(actor, 'update', employee) && (
            <Button size="compact-md" variant="default" onClick={() => setReturning(one)}>
              Restore
            </Button>
          )
        }
        nothing={<EmptyState title="No retired employees found">Employees who leave are listed here.</EmptyState>}
      />
      {returning && <ReturnDialog record={returning} onClose={() => setReturning(undefined)} />}
    </Page>
  )
}
