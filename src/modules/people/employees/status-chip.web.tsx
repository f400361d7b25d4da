import type { RecordOf } from '#kernel/resource.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { employeeRecord } from './employee-record.ts'

type State = RecordOf<typeof employeeRecord>['state']

const MEANINGS: Readonly<Record<State, ColourMeaning>> = {
  starting: 'info',
  employed: 'safe',
  leaving: 'attention',
  left: 'plain',
}

/** Stage of an employment. */
export const EmployeeStatus = ({ state }: { readonly state: State }) => (
  <StatusChip meaning={MEANINGS[state]}>
    {employeeRecord.fields.state.options?.find(({ value }) => value === state)?.label ?? state}
  </StatusChip>
)
