import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { rightToWorkStatus } from './right-to-work.ts'

export type RightToWorkRecord = RecordOf<typeof rightToWorkStatus>

const MEANINGS: Readonly<Record<RightToWorkRecord['state'], ColourMeaning>> = {
  notChecked: 'attention',
  valid: 'safe',
  due: 'attention',
  overdue: 'stop',
  retained: 'plain',
  toDestroy: 'attention',
  destroyed: 'plain',
}

export const RightToWorkChip = ({ state }: Pick<RightToWorkRecord, 'state'>) => (
  <StatusChip meaning={MEANINGS[state]}>
    {rightToWorkStatus.fields.state.options?.find(({ value }) => value === state)?.label ?? state}
  </StatusChip>
)

/** Chip of a late check; nothing if it was in time. */
export const NoDefenceChip = ({ noDefenceBefore }: Pick<RightToWorkRecord, 'noDefenceBefore'>) =>
  noDefenceBefore && <StatusChip meaning="stop">{`No defence before ${formatIsoDateAsUk(noDefenceBefore)}`}</StatusChip>

/** Returns the statutory defence of an employer in a sentence. */
export function describeDefence({ state, extCStartDate, nextCheckBy, noDefenceBefore }: RightToWorkRecord): string {
  if (state === 'destroyed') return 'The checks were destroyed after their retention.'
  if (state === 'notChecked') return 'There is no statutory defence: no check is recorded.'
  const start = noDefenceBefore
    ? `There is no defence before ${formatIsoDateAsUk(noDefenceBefore)}: the check was not before the first day of employment, or the earlier defence had ended.`
    : extCStartDate
      ? 'The first check was in time, before the first day of employment.'
      : 'The employment start date is missing, so that nothing shows whether the check was in time.'
  const end = nextCheckBy
    ? `The defence ${state === 'overdue' ? 'ended' : 'ends'} on ${formatIsoDateAsUk(nextCheckBy)}.`
    : 'The defence has no end while the person is employed.'
  return `${start} ${end}`
}
