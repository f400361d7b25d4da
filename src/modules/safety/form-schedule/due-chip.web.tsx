import { IconAlertTriangle, IconCalendar } from '@tabler/icons-react'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'

/** Chip that shows when a form is due: overdue, today or on a later date. */
export function FormDueChip({ dueOn }: { readonly dueOn: string }) {
  const today = londonToday()
  if (dueOn < today)
    return (
      <StatusChip meaning="stop" icon={IconAlertTriangle}>
        {`Overdue since ${formatIsoAsUkDate(dueOn)}`}
      </StatusChip>
    )
  return (
    <StatusChip meaning={dueOn === today ? 'attention' : 'info'} icon={IconCalendar}>
      {dueOn === today ? 'Due today' : `Due ${formatIsoAsUkDate(dueOn)}`}
    </StatusChip>
  )
}
