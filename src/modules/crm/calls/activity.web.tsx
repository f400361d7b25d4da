import { Anchor, Progress, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { LONDON_TIME_ZONE, now } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import type { staff } from '../staff/staff.ts'
import { recordedCall } from './call.ts'

const SHOWN_CALLS = 10

/** Returns the starts of today, this week and this month in London. */
function beginnings() {
  const today = now().toZonedDateTimeISO(LONDON_TIME_ZONE).startOfDay()
  const at = (day: Temporal.ZonedDateTime) => day.startOfDay().toInstant().toString()
  return {
    today: at(today),
    week: at(today.subtract({ days: today.dayOfWeek - 1 })),
    month: at(today.with({ day: 1 })),
  }
}

/** Returns the number of calls that a user has made since a given time. */
function useCount(user: number, since: string) {
  return useList(recordedCall, { user, retired: false, 'createdAt[after]': since, itemsPerPage: 1 })
}

/** Recent activity of a member of staff, compared with their daily call target. */
export default function StaffActivity({ record: s }: { readonly record: RecordOf<typeof staff> }) {
  const since = beginnings()
  const counts = [useCount(s.id, since.today), useCount(s.id, since.week), useCount(s.id, since.month)] as const
  const last = useList(recordedCall, { user: s.id, retired: false, itemsPerPage: SHOWN_CALLS })
  const asked = [...counts, last]
  const failed = asked.find((one) => one.isError)
  const [today = 0, week = 0, month = 0] = counts.map(({ data }) => data?.['hydra:totalItems'] ?? 0)
  const aim = s.callsPerDay ?? 0
  const calls = last.data?.['hydra:member'] ?? []
  return (
    <section className={page.card} aria-labelledby="staff-activity">
      <Title order={2} size="h4" id="staff-activity" mb="sm">
        Activity
      </Title>
      {failed && (
        <ErrorState error={failed.error} onRetry={() => void Promise.all(asked.map((one) => one.refetch()))} />
      )}
      {!failed && asked.some((one) => one.isPending) && <LoadingRows rows={3} />}
      {!failed && asked.every((one) => one.data) && (
        <>
          <Text fw={600}>{`${today}${aim > 0 ? ` of ${aim}` : ''} calls today`}</Text>
          {aim > 0 && <Progress value={Math.min(100, (today / aim) * 100)} my="xs" aria-hidden />}
          <Text size="sm" mb="sm">{`${week} this week, ${month} this month`}</Text>
          {calls.length === 0 ? (
            <Text c="dimmed">No calls yet</Text>
          ) : (
            <ul aria-label={`Recent calls by ${s.name}`}>
              {calls.map((one) => (
                <li key={one.id}>
                  <Anchor component={Link} to={`/crm/contact/view/${one.contact.id}`}>
                    {one.contact.companyName || one.contact.name || `Lead ${one.contact.id}`}
                  </Anchor>
                  {`: ${one.lastResult?.text ?? 'a call'}, `}
                  <DateTimeText at={one.createdAt} />
                </li>
              ))}
            </ul>
          )}
          <Anchor component={Link} to={`/crm/calls?user=${s.id}`} size="sm">
            View all calls
          </Anchor>
        </>
      )}
    </section>
  )
}
