import { z } from 'zod'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { rightToWorkPath } from './nav.ts'
import { rightToWorkStatus } from './right-to-work.ts'
import { RightToWorkChip, type RightToWorkRecord } from './status.web.tsx'

const value = z.string().default('')
const LIST = listUrlSchema({
  state: value,
  late: value,
  department: value,
  subcontractor: value,
  retired: z.enum(['', 'true', 'false']).default('false'),
})

/** Right to work of all employees, with the next check of each. */
export default function RightToWork() {
  const [state, set] = useUrlState(LIST)
  return (
    <Page
      title="Right to work"
      about="Check everybody before their first day of employment, whatever their nationality. A later check gives no statutory defence for the time before it."
    >
      <DataList
        resource={rightToWorkStatus}
        label="Right to work"
        state={state}
        onState={set}
        search="Search by name"
        filters={['state', 'late', 'department', 'subcontractor', 'retired']}
        columns={[
          { key: 'name', title: 'Name', link: true, order: 'forename' },
          { key: 'department', wide: true },
          { key: 'state', tight: true, render: (one: RightToWorkRecord) => <RightToWorkChip state={one.state} /> },
          {
            key: 'noDefenceBefore',
            render: ({ noDefenceBefore }: RightToWorkRecord) =>
              noDefenceBefore && <StatusChip meaning="stop">{formatIsoAsUkDate(noDefenceBefore)}</StatusChip>,
          },
          {
            key: 'nextCheckBy',
            render: ({ nextCheckBy }: RightToWorkRecord) => nextCheckBy && formatIsoAsUkDate(nextCheckBy),
          },
          {
            key: 'checkedOn',
            wide: true,
            render: ({ checkedOn }: RightToWorkRecord) => checkedOn && formatIsoAsUkDate(checkedOn),
          },
        ]}
        rowMuted={(one) => one.retired}
        href={(one: RightToWorkRecord) => rightToWorkPath(one.id)}
        nothing={<EmptyState title="No employees found">Change the filters or the search.</EmptyState>}
      />
    </Page>
  )
}
