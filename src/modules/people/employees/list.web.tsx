import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { emptyFieldFilter, emptyFieldFilterSchema } from '#web/lists/empty-field-filter.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { LoginStatus } from '../logins/history.web.tsx'
import { MyTaskHelp } from '../logins/my-task.web.tsx'
import { LOGIN_BULK_WORDS, PrintLettersButton, SendLoginButton } from '../logins/send.web.tsx'
import { employeePath, PEOPLE_PATHS } from '../nav.ts'
import { firstOverviewDay } from '../overview/overview.ts'
import { HR_ROLES } from '../rights.ts'
import { employee } from './employee.ts'
import { employeeRecord } from './employee-record.ts'
import { EmployeeSearch } from './employee-search.web.tsx'
import { EmployeeStatus } from './status-chip.web.tsx'

const value = z.string().default('')
const LIST = listUrlSchema({
  forename: value,
  surname: value,
  email: value,
  retired: z.enum(['', 'true', 'false']).default('false'),
  department: value,
  site: value,
  manager: value,
  state: value,
  isSubby: value,
  linked: value,
  login: value,
  statement: value,
  joined: value,
  notSaid: emptyFieldFilterSchema,
})

type Employee = RecordOf<typeof employeeRecord>

/** Filter of employees who started recently. */
const joinedFilter = () => ({
  key: 'joined',
  label: 'Joined',
  options: [
    {
      value: 'recently',
      label: 'In the last 12 months',
      asks: {
        joined: '',
        'extCStartDate[after]': firstOverviewDay(londonToday()),
        'extCStartDate[before]': londonToday(),
      },
    },
  ],
})

const missing = emptyFieldFilter({
  extCStartDate: 'Employment start date',
  manager: 'Manager',
  department: 'Department',
  site: 'Site',
})

/** Employees that the reader may see: everybody for human resources, otherwise oneself, one's team and department. */
export default function Employees() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const isHr = hasRole(actor, HR_ROLES)
  const add = can(actor, 'create', employee) && (
    <Button component={Link} to={PEOPLE_PATHS.add} leftSection={<IconPlus size={16} aria-hidden />}>
      Add employee
    </Button>
  )
  return (
    <Page
      title="Employees"
      actions={
        <>
          {isHr && <MyTaskHelp />}
          {add}
        </>
      }
    >
      <DataList
        resource={employeeRecord}
        label="Employees"
        state={state}
        onState={set}
        search="Search by name"
        actions={<EmployeeSearch state={state} onState={set} />}
        filters={[
          'state',
          'department',
          'site',
          ...(isHr ? ['manager', 'isSubby', 'linked', 'login', 'statement', joinedFilter(), missing] : []),
        ]}
        columns={[
          { key: 'name', title: 'Name', link: true, order: 'forename' },
          { key: 'jobtitlename', title: 'Job title', wide: true },
          'department',
          'site',
          { key: 'manager', wide: true },
          { key: 'state', tight: true, render: (one: Employee) => <EmployeeStatus state={one.state} /> },
          ...(isHr
            ? [{ key: 'login' as const, wide: true, render: (one: Employee) => <LoginStatus state={one.login} /> }]
            : []),
        ]}
        bulkWords={LOGIN_BULK_WORDS}
        foundActions={(from) => <PrintLettersButton from={from} />}
        rowActions={isHr ? (one: Employee) => <SendLoginButton record={one} inRow /> : undefined}
        rowMuted={(one) => one.retired}
        href={(one: Employee) => employeePath(one.id)}
        nothing={
          <EmptyState title="No employees found" action={add}>
            {isHr
              ? 'Add the people who work for your company, or change the search.'
              : 'You see yourself, everybody who reports to you, and the departments that you head.'}
          </EmptyState>
        }
      />
    </Page>
  )
}
