import { IconAlertTriangle, IconArchive, IconCalendar, IconLock, IconPencil } from '@tabler/icons-react'
import { StatusChip } from '#web/ui/status-chip.tsx'
import type { ScheduledTalkRecord } from './scheduled-talk.ts'

interface Props {
  readonly plan: Pick<ScheduledTalkRecord, 'retired' | 'presented' | 'week'>
  /** Date of the current week's Monday. */
  readonly monday: string
}

export function ScheduledTalkStatusChip({ plan: { retired, presented, week }, monday }: Props) {
  if (retired)
    return (
      <StatusChip meaning="stop" icon={IconArchive}>
        Cancelled
      </StatusChip>
    )
  if (presented)
    return presented.complete ? (
      <StatusChip meaning="safe" icon={IconLock}>
        Presented
      </StatusChip>
    ) : (
      <StatusChip meaning="attention" icon={IconPencil}>
        In progress
      </StatusChip>
    )
  return week < monday ? (
    <StatusChip meaning="stop" icon={IconAlertTriangle}>
      Overdue
    </StatusChip>
  ) : (
    <StatusChip meaning="info" icon={IconCalendar}>
      {week === monday ? 'This week' : 'Planned'}
    </StatusChip>
  )
}
