import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { describeClock, type StoredClock } from './proposal.ts'

/** Clock of an incident’s report under RIDDOR, for lists and records. Shows nothing while no clock has started. */
export function RiddorClockText({ report }: { readonly report: StoredClock }) {
  const clock = describeClock(report, londonToday())
  if (!clock) return null
  const icon = { stop: IconAlertTriangle, attention: IconClock, info: IconClock, safe: undefined }[clock.meaning]
  return (
    <StatusChip
      meaning={clock.meaning}
      title={`Report by ${formatIsoAsUkDate(report.reportBy)}`}
      {...(icon ? { icon } : {})}
    >
      {clock.text}
    </StatusChip>
  )
}
