import { IconAlertTriangle, IconCircleDashed, IconClock, IconProgress } from '@tabler/icons-react'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { type CorrectiveAction, correctiveAction, isCorrectiveActionOverdue } from './corrective-action.ts'

const LOOKS = {
  open: { meaning: 'attention', icon: IconCircleDashed },
  started: { meaning: 'info', icon: IconProgress },
  waiting: { meaning: 'attention', icon: IconClock },
  rectified: { meaning: 'safe' },
  verified: { meaning: 'safe' },
  'not needed': { meaning: 'plain' },
} as const

/** Status of an action and, if the action is overdue, since when. */
export function CorrectiveActionStatus({ action }: { readonly action: CorrectiveAction }) {
  if (action.retired) return <StatusChip>Retired</StatusChip>
  if (isCorrectiveActionOverdue(action, londonToday()))
    return (
      <StatusChip meaning="stop" icon={IconAlertTriangle}>
        {`Overdue since ${formatIsoAsUkDate(action.deadline)}`}
      </StatusChip>
    )
  const label = correctiveAction.fields.state.options?.find(({ value }) => value === action.state)?.label ?? ''
  return <StatusChip {...LOOKS[action.state]}>{label}</StatusChip>
}
