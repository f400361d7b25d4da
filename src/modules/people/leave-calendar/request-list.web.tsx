import { IconBan, IconCheck, IconClock, IconX } from '@tabler/icons-react'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import type { ListState } from '#web/lists/list-state.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { leaveRequest } from '../leave/leave-request.ts'

type Row = RecordOf<typeof leaveRequest>

const LOOKS = {
  requested: { meaning: 'attention', icon: IconClock },
  approved: { meaning: 'safe', icon: IconCheck },
  declined: { meaning: 'stop', icon: IconX },
  withdrawn: { meaning: 'plain', icon: IconBan },
  cancelled: { meaning: 'plain', icon: IconBan },
} as const

export function RequestStatus({ state }: { readonly state: Row['state'] }) {
  const label = leaveRequest.fields.state.options?.find(({ value }) => value === state)?.label ?? ''
  return <StatusChip {...LOOKS[state]}>{label}</StatusChip>
}

interface Props {
  readonly state: ListState & { readonly state: string }
  readonly onState: (change: never) => void
  readonly onOpen: (request: number) => void
}

/** Requests that the reader sent or decides on. */
export const RequestList = ({ state, onState, onOpen }: Props) => (
  <section aria-labelledby="requests">
    <h2 id="requests">Requests</h2>
    <DataList
      resource={leaveRequest}
      label="Leave requests"
      state={state}
      onState={onState}
      search={false}
      filters={['state']}
      columns={[
        { key: 'employee', link: true, render: ({ employee }: Row) => employee.name },
        { key: 'kind', render: ({ kind }: Row) => kind.name },
        { key: 'firstDay', render: ({ firstDay }: Row) => formatIsoAsUkDate(firstDay) },
        { key: 'lastDay', render: ({ lastDay }: Row) => formatIsoAsUkDate(lastDay) },
        { key: 'state', render: ({ state: status }: Row) => <RequestStatus state={status} /> },
      ]}
      onOpen={({ id }) => onOpen(id)}
      empty={<EmptyState title="No leave requests yet">Request leave with the button above.</EmptyState>}
    />
  </section>
)
